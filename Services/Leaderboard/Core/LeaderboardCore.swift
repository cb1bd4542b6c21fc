public import Domain
import Operations
public import Wire

/// The leaderboard service's parts, each made with those that it uses.
///
/// A board's key owns everything that decides who stands where and which challenges are met, so a
/// submitted score and a declined challenge cannot race; a receiver's key does the same for challenges
/// to earn an achievement. A game's key owns what the game declares as achievements and sets of boards.
/// Other lists and event streams are copies that effects bring up to date.
public final class LeaderboardCore: ServiceCore {
  let boards: Boards
  public let settings: SettingValues
  let sweeps: Sweeps
  let histories: Histories
  let reRanking: ReRanking
  /// Those that a part uses come before it.
  private let parts: [any CorePart]

  public static let declaredSettings: [NumberSetting] = [
    .challengeLifetime, .completedChallengeKept, .runTicketLifetime,
  ]

  public init(settings: SettingValues) {
    self.settings = settings
    boards = Boards(settings)
    sweeps = Sweeps(boards)
    histories = Histories(boards)
    let openChallenges = OpenChallenges(boards)
    let definitions = BoardDefinitions(boards, histories, openChallenges)
    reRanking = ReRanking(boards, definitions)
    let scoreChallenges = ScoreChallenges(boards, openChallenges)
    let compensation = Compensation(boards, openChallenges)
    let preferences = ChallengePreferences()
    let lists = ChallengeLists(preferences)
    let achievementChallenges = AchievementChallenges(lists, settings)
    parts = [
      boards, sweeps, histories, openChallenges, definitions, reRanking, scoreChallenges,
      compensation, preferences, lists, achievementChallenges,
      ChallengeExpiry(boards, openChallenges, achievementChallenges),
      Submissions(boards, scoreChallenges), ScoreQueries(boards),
      OwnerPowers(boards, compensation), AchievementDeclarations(),
      PlayerAchievements(achievementChallenges), BoardSets(),
      BoardMaintenance(boards, sweeps, histories),
    ]
  }

  public static var service: Service { .leaderboard }

  /// For recurring boards; a process gives the system's before rows come.
  public var calendar: any RecurrenceCalendar {
    get { boards.calendar }
    set { boards.calendar = newValue }
  }

  public var router: Router {
    var router = Router()
    for part in parts { part.register(&router) }
    return router
  }

  public func register(_ tables: inout Tables) {
    for part in parts { part.register(&tables) }
  }

  public func loaded(_ transaction: inout Transaction) {
    for part in parts { part.loaded(&transaction) }
    for board in boards.all { boards.scheduleMaintenance(of: board, &transaction) }
  }
}
