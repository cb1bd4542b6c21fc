public import Wire

/// Returns a part of a board's ranking: among all players, among a given list of players, or among
/// the players of a context that the caller is in. Players of a context are those who have not left
/// it, the invited ones included.
///
/// Errors: `requiredArgument` (board; players or context for that scope), `invalidArgument` (start
/// below 1, count outside 1…100, scope, players, timeScope, occurrencesBack; context, also when the
/// board is linked to another one), `notFound` (board, occurrencesBack; context when it does not
/// exist or the caller is not in it), `notAllowed` (scope: only players are in contexts),
/// `limitReached` (context with more than 500 players), `backpressure` (timeScope).
///
/// Cost: O(log n + count); for a list or a context of s players O(s log s); for a context also a
/// call of the gateway to the context service.
public struct TopScores: Operation {
  public static let opcode = Opcode(.leaderboard, 0x13)
  public typealias Reply = ScorePage
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var board = ""
  public var start: UInt32 = 1
  public var count: UInt32 = 10
  public var scope = ScoreScope()
  /// For the scope `players`: the players to rank; those without an entry are left out.
  public var players: [PlayerID] = []
  public var period = ScorePeriod()
  /// For the scope `context`: the gaming context whose players to rank.
  public var context: ContextID?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("start", &start)
    visit.field("count", &count)
    visit.field("scope", &scope)
    visit.field("players", &players)
    visit.field("period", &period)
    visit.field("context", &context)
  }
}

/// The players whose scores a query ranks. `FriendScores` ranks the caller's friends.
public struct ScoreScope: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let global = Self(rawValue: 0)
  public static let players = Self(rawValue: 1)
  /// The players of a gaming context.
  public static let context = Self(rawValue: 2)

  public static let names = ["global", "players", "context"]
}

extension TopScores {
  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    if let fault = ScoreRange.fault(start: start, count: count) { return fault }
    guard scope.isKnown else { return .unknownTerm("scope", scope) }
    if scope == .players && players.isEmpty {
      return Failure(.requiredArgument, argument: "players", "The list of players is empty.")
    }
    if scope != .players && !players.isEmpty {
      return Failure(
        .invalidArgument, argument: "players", "A list of players goes with the scope `players`.")
    }
    if scope == .context && context?.isNil != false {
      return Failure(.requiredArgument, argument: "context", "A context must be named.")
    }
    if scope != .context && context != nil {
      return Failure(
        .invalidArgument, argument: "context", "A context goes with the scope `context`.")
    }
    guard players.count <= LeaderboardLimits.scopePlayerCountMax else {
      return Failure(
        .invalidArgument, argument: "players",
        "A scope has at most \(LeaderboardLimits.scopePlayerCountMax) players.")
    }
    return nil
  }
}
