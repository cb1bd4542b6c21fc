public import Wire

/// A timer's: forgets what was between the key's player and another, once it has long held nothing.
///
/// Cost: one row.
public struct ForgetFriendEdge: Operation {
  public static let opcode = Opcode(.request, 0x23)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var friend = PlayerID()
  public init() {}
  public init(_ friend: PlayerID) { self.friend = friend }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("friend", &friend)
  }
}
