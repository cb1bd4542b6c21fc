public import Wire

/// A timer's: two seconds more have passed of the grace time of a player of the key's match, whose
/// connection is gone. With the last of them the player leaves the match. Steps that end late count
/// for little: nobody could come back meanwhile.
///
/// Cost: nothing; for the last step a row.
public struct EndGraceStep: Operation {
  public static let opcode = Opcode(.context, 0x34)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
