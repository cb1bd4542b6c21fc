public import Wire

/// Sent by a player of a match: asks which player is to run what only one of them can run. The
/// answer is the same for all, and stays until the host loses its connection or leaves: the player
/// whose longest way to another player is the shortest, and among equals the one with the lowest
/// place. The others get a `MatchHostChosen` when a host is chosen.
///
/// There is no host before the match begins, or while the latency of a player who has connected in
/// the last five seconds is not known; later, an unknown one counts as the greatest.
///
/// Errors, in this order: `requiredArgument` (context), and `notAllowed`, `matchEnded`, `conflict`
/// as with `SendMatchData`. Cost: one match row when a host is chosen, and one push for the others.
public struct ChooseMatchHost: Operation {
  public static let opcode = Opcode(.context, 0x39)
  public static var routing: Routing { .firstIdentifier }
  public static var isIdempotent: Bool { true }
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The caller's seat value.
  public var seat: UInt64 = 0
  /// As with `JoinMatch`.
  public var latencyMilliseconds: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("seat", &seat)
    visit.field("latencyMilliseconds", &latencyMilliseconds)
  }

  public struct Reply: Message {
    public var host: PlayerID?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("host", &host)
    }
  }
}

/// Pushed to the other players of a match when a host is chosen.
public struct MatchHostChosen: Event {
  public static let opcode = Opcode(.context, 0xE7)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  public var host = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("host", &host)
  }
}
