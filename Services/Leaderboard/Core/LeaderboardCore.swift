public import Domain
import Operations
public import Wire

/// Boards, their entries and their open score challenges, by board; what games declare as
/// achievements and sets of boards, by game; achievements and the lists of challenges received and issued, by player.
///
/// A board's key owns everything that decides who stands where and which challenges are met, so a
/// submitted score and a declined challenge cannot race; a receiver's key does the same for challenges
/// to earn an achievement. Other lists and event streams are copies that effects bring up to date.
public final class LeaderboardCore: ServiceCore {
  var boards: [RoutingKey: Board] = [:]
  /// By the game's key.
  var gameAchievements: [RoutingKey: Declarations<AchievementRow>] = [:]
  /// By the game's key.
  var gameSets: [RoutingKey: Declarations<LeaderboardSetRow>] = [:]
  /// Of the games' boards, whose own keys may be in other processes.
  var boardTitles: [GameListKey: String] = [:]
  /// Players who want beaten challenges issued back, and since when.
  var issuingBackSince: [ChallengeListKey: Int64] = [:]
  /// Of all challenges here that have a date.
  var expiries = ExpiryQueue()
  var challengeLists: [ChallengeListKey: ChallengeLists] = [:]
  /// For recurring boards; a process gives the system's before rows come.
  public var calendar: any RecurrenceCalendar = UTCCalendar()
  /// For the histories that begin from now on; tests make theirs small.
  var historyShape = HistoryShape()
  /// Boards that time does something to, and which of them is next.
  var watched: [Board] = []
  var nextWatched = 0
  /// A test makes it smaller.
  var reRankStep = ReRankStep()

  public init() {}

  public static var service: Service { .leaderboard }

  public var router: Router {
    var router = Router()
    router.on(DefineLeaderboard.self, define)
    router.on(DescribeLeaderboard.self, describe)
    router.on(RemoveScore.self, removeScore)
    router.on(SubmitScore.self, submit)
    router.on(TopScores.self, topScores)
    router.on(FriendScores.self, friendScores)
    router.on(ScoresAroundPlayer.self, scoresAroundPlayer)
    router.on(RankOfPlayer.self, rankOfPlayer)
    router.on(RankOfValue.self, rankOfValue)
    router.on(LesserScores.self, lesserScores)
    router.on(StartRun.self, startRun)
    router.on(RestrictPlayer.self, restrictPlayer)
    router.on(SweepAttempts.self, sweepAttempts)
    router.on(ReRankLeaderboard.self, reRank)
    router.on(ContinueReRank.self, continueReRank)
    router.on(SortHistory.self, sortHistory)
    router.on(TrimHistory.self, trimHistory)
    addChallenges(to: &router)
    addAchievements(to: &router)
    addSets(to: &router)
    return router
  }

  private func addChallenges(to router: inout Router) {
    router.on(IssueScoreChallenge.self, issueScoreChallenge)
    router.on(AcceptChallenge.self, acceptChallenge)
    router.on(DeclineChallenge.self, declineChallenge)
    router.on(ReceivedChallenges.self, receivedChallenges)
    router.on(IssuedChallenges.self, issuedChallenges)
    router.on(ChallengeChanged.self, challengeChanged)
    router.on(ExpireChallenge.self, expireChallenge)
    router.on(IssueAchievementChallenge.self, issueAchievementChallenge)
    router.on(CheckAchievementChallenge.self, checkAchievementChallenge)
    router.on(AnswerAchievementChallenge.self, answerAchievementChallenge)
    router.on(SetChallengePreferences.self, setChallengePreferences)
    router.on(GetChallengePreferences.self, getChallengePreferences)
    router.on(ReturnScoreChallenge.self, returnScoreChallenge)
    router.on(CompensateRemoval.self, compensateRemoval)
  }

  private func addAchievements(to router: inout Router) {
    router.on(DefineAchievement.self, defineAchievement)
    router.on(DescribeAchievements.self, describeAchievements)
    router.on(ReportAchievements.self, reportAchievements)
    router.on(ListAchievements.self, listAchievements)
    router.on(ResetAchievements.self, resetAchievements)
    router.on(FetchAchievementRules.self, fetchAchievementRules)
    router.on(FetchReportedAchievements.self, fetchReportedAchievements)
  }

  private func addSets(to router: inout Router) {
    router.on(DefineLeaderboardSet.self, defineSet)
    router.on(ListLeaderboardSets.self, listSets)
    router.on(DescribeLeaderboardSet.self, describeSet)
    router.on(RecordLeaderboard.self, recordLeaderboard)
    router.on(TellLeaderboardTitle.self, tellTitle)
  }

  public func loaded() {
    for board in boards.values {
      board.loaded()
      board.keepingLoaded()
      if board.isReRanking { board.beginReRank() }
      watch(board)
    }
    watched.sort { ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low) }
    loadExpiries()
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
