public import Wire

/// Pushed to the players who are left in a match when it ends, and to one who is out of it because
/// it has acknowledged nothing: for the others it may go on then. The receiver cannot join the
/// match again by itself.
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
