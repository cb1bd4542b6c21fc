public import Wire

/// Pushed to the connection that had a player's seat in a match: another client of the player has
/// it now.
public struct MatchSeatTaken: Event {
  public static let opcode = Opcode(.context, 0xE3)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
  }
}
