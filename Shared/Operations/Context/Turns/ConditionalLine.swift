public import Wire

/// Moves that a player foresees, and the answers to them, one after the other.
public struct ConditionalLine: Message, Hashable {
  public var steps: [ConditionalStep] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("steps", &steps)
  }
}

/// If the move before the player's turn has this payload, then the player plays that.
public struct ConditionalStep: Message, Hashable {
  public var expected = Bytes()
  public var payload = Bytes()
  /// The public state after the answer; nil leaves it, as it must with more than two in the game:
  /// others move between.
  public var state: Bytes?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("expected", &expected)
    visit.field("payload", &payload)
    visit.field("state", &state)
  }
}
