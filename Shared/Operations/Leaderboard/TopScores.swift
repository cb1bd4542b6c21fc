public import Wire

/// A stretch of a board's ranking, of all players or of a given list of them.
///
/// Errors: `requiredArgument` (board; players for that scope), `invalidArgument` (start, count,
/// scope, players, timeScope, occurrencesBack), `notFound` (board, occurrencesBack). Cost: O(log n + count); with a list of s players O(s log s).
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
  /// For the scope `players`; those without an entry are left out.
  public var players: [PlayerID] = []
  public var period = ScorePeriod()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("start", &start)
    visit.field("count", &count)
    visit.field("scope", &scope)
    visit.field("players", &players)
    visit.field("period", &period)
  }
}

/// Whose scores a query ranks. Friends have an operation of their own, `FriendScores`.
public struct ScoreScope: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let global = Self(rawValue: 0)
  public static let players = Self(rawValue: 1)

  public static let names = ["global", "players"]
}

extension TopScores {
  /// The first rule that the call breaks by itself.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    if let fault = ScoreRange.fault(start: start, count: count) { return fault }
    guard scope.isKnown else { return .unknownTerm("scope", scope) }
    if scope == .players && players.isEmpty {
      return Failure(.requiredArgument, argument: "players", "The list of players is empty.")
    }
    if scope == .global && !players.isEmpty {
      return Failure(
        .invalidArgument, argument: "players", "A list of players goes with the scope `players`.")
    }
    guard players.count <= LeaderboardLimits.scopePlayerCountMax else {
      return Failure(
        .invalidArgument, argument: "players",
        "A scope has at most \(LeaderboardLimits.scopePlayerCountMax) players.")
    }
    return nil
  }
}
