public import Wire

/// A timer's: an invitation that the key's player sent, and that was not answered in time, counts
/// as declined.
///
/// Cost: one row and one effect.
public struct ExpireInvitation: Operation {
  public static let opcode = Opcode(.request, 0x09)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  /// The player who is invited.
  public var friend = PlayerID()
  public init() {}
  public init(_ friend: PlayerID) { self.friend = friend }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("friend", &friend)
  }
}
