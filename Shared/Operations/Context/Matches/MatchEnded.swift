public import Wire

/// Pushed to the players who are left in a match when it ends. The match cannot be joined again.
public struct MatchEnded: Event {
  public static let opcode = Opcode(.context, 0xE4)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  public var number: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("number", &number)
  }
}
