public import Domain
import Operations
public import Wire

/// Boards, their entries and their open score challenges, by board; the lists of challenges received
/// and issued, by player.
///
/// A board's key owns everything that decides who stands where and which challenges are met, so a
/// submitted score and a declined challenge cannot race. Players' lists and event streams are copies
/// that effects bring up to date.
public final class LeaderboardCore: ServiceCore {
  var boards: [RoutingKey: Board] = [:]
  var challengeLists: [ChallengeListKey: ChallengeLists] = [:]
  /// For recurring boards; a process gives the system's before rows come.
  public var calendar: any RecurrenceCalendar = UTCCalendar()
  /// Boards that time does something to, and which of them is next.
  var watched: [Board] = []
  var nextWatched = 0

  public init() {}

  public static var service: Service { .leaderboard }

  public static var tables: [TableDescription] {
    [
      TableDescription(BoardRow.self), TableDescription(EntryRow.self),
      TableDescription(OpenChallengeRow.self), TableDescription(PlayerChallengeRow.self),
      TableDescription(AttemptRow.self), TableDescription(ArrivalRow.self),
      TableDescription(OccurrenceRow.self), TableDescription(OccurrenceEntryRow.self),
      TableDescription(RecentAttemptRow.self), TableDescription(PlayerMarkRow.self),
      TableDescription(TicketRow.self),
    ]
  }

  public static var router: Router<LeaderboardCore> {
    var router = Router<LeaderboardCore>()
    router.on(DefineLeaderboard.self, LeaderboardCore.define)
    router.on(DescribeLeaderboard.self, LeaderboardCore.describe)
    router.on(RemoveScore.self, LeaderboardCore.removeScore)
    router.on(SubmitScore.self, LeaderboardCore.submit)
    router.on(TopScores.self, LeaderboardCore.topScores)
    router.on(FriendScores.self, LeaderboardCore.friendScores)
    router.on(ScoresAroundPlayer.self, LeaderboardCore.scoresAroundPlayer)
    router.on(RankOfPlayer.self, LeaderboardCore.rankOfPlayer)
    router.on(RankOfValue.self, LeaderboardCore.rankOfValue)
    router.on(LesserScores.self, LeaderboardCore.lesserScores)
    router.on(StartRun.self, LeaderboardCore.startRun)
    router.on(RestrictPlayer.self, LeaderboardCore.restrictPlayer)
    router.on(SweepAttempts.self, LeaderboardCore.sweepAttempts)
    router.on(IssueScoreChallenge.self, LeaderboardCore.issueScoreChallenge)
    router.on(AcceptChallenge.self, LeaderboardCore.acceptChallenge)
    router.on(DeclineChallenge.self, LeaderboardCore.declineChallenge)
    router.on(ReceivedChallenges.self, LeaderboardCore.receivedChallenges)
    router.on(IssuedChallenges.self, LeaderboardCore.issuedChallenges)
    router.on(ChallengeChanged.self, LeaderboardCore.challengeChanged)
    return router
  }

  public func load(table: UInt16, row: [UInt8]) throws(WireError) {
    switch table {
    case BoardRow.tableID:
      let row = try BoardRow(decoding: row)
      board(at: row.key).row = row
    case EntryRow.tableID:
      let row = try EntryRow(decoding: row)
      board(at: row.key.boardKey).load(row)
    case OpenChallengeRow.tableID:
      let row = try OpenChallengeRow(decoding: row)
      board(at: row.key.boardKey).load(row)
    case PlayerChallengeRow.tableID:
      let row = try PlayerChallengeRow(decoding: row)
      let key = ChallengeListKey(player: row.key.player, game: row.game)
      challengeLists[key, default: ChallengeLists()].put(row.challenge, of: row.key.player)
    default: try loadKept(table: table, row: row)
    }
  }

  public func loaded() {
    for board in boards.values {
      board.loaded()
      board.keepingLoaded()
      watch(board)
    }
    watched.sort { ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low) }
  }

  /// The board at a key, made when its first row arrives in whatever order.
  func board(at key: RoutingKey) -> Board {
    if let board = boards[key] { return board }
    let board = Board(key: key)
    boards[key] = board
    return board
  }

  /// The board that a call names.
  func board(_ name: String, _ call: Call) throws(Stop) -> Board {
    guard let board = boards[call.key], board.row.definition.board == name,
      board.row.game == call.game
    else {
      if name.isEmpty {
        throw .refuse(.requiredArgument, argument: "board", "The board's name is missing.")
      }
      throw .refuse(.notFound, argument: "board", "The game has no board of that name.")
    }
    return board
  }
}

extension Stop {
  /// Passes on the fault that a message finds in itself.
  static func check(_ fault: Failure?) throws(Stop) {
    if let fault { throw .refused(fault) }
  }
}
