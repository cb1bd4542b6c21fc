public import Wire

/// Sent by a player of a match: has others of the context play along, also one who has left the
/// match. They are expected until they join; a match that has begun goes on meanwhile. Each of them
/// gets a `MatchExpected`, the others in the match a `MatchPlayerChanged`. Players who are in the
/// match stay as they are.
///
/// Errors, in this order: `requiredArgument` (context, players), `invalidArgument` (players: too
/// many are named), `notFound` (no such context, or the caller is not in it), `notAllowed` (the
/// caller is not in the match), `matchEnded` (there is no such match any more), `notReachable`
/// (players: somebody is not in the context), `limitReached` (players: a match has
/// `ContextLimits.matchPlayersMax` different ones in all, with those who have left). Cost: one
/// match row, a hint for each added player and a push for the others.
public struct AddMatchPlayers: Operation {
  public static let opcode = Opcode(.context, 0x3A)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The match; 0 takes the one that is running.
  public var number: UInt64 = 0
  /// At most `ContextLimits.matchPlayersMax`.
  public var players: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("players", &players)
  }
}

/// A hint to a player: a match of this context expects the player, who may join it.
public struct MatchExpected: Event {
  public static let opcode = Opcode(.context, 0xE8)
  public static var way: EventWay { .hint }
  public var context = ContextID()
  public var number: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
  }
}
