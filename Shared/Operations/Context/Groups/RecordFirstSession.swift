public import Wire

/// An effect of the request service on a player's list: the player has signed in to the effect's
/// game for the first time. Contexts to which the player was invited before are told.
///
/// Cost: one row, and what `TellFirstSession` costs.
public struct RecordFirstSession: Operation {
  public static let opcode = Opcode(.context, 0x2B)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
