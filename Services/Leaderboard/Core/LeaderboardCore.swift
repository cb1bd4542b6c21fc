public import Domain
import Operations
public import Wire

/// The leaderboard service's parts, each made with those that it uses.
///
/// A board's key owns everything that decides who stands where and which challenges are met, so a
/// submitted score and a declined challenge cannot race; a receiver's key does the same for
/// challenges to earn an achievement. A game's key owns what the game declares as achievements and
/// sets of boards. Other lists and event streams are copies that effects bring up to date.
public final class LeaderboardCore: ServiceCore {
  let boards: Boards
  public let settings: SettingValues
  let histories: Histories
  let reRanking: ReRanking
  /// Those that a part uses come before it.
  private let parts: [any CorePart]

  public static let declaredSettings: [NumberSetting] = [
    .challengeLifetime, .challengeLifetimeMin, .challengeBurst, .challengeRefill,
    .completedChallengeKept, .runTicketLifetime,
  ]

  public init(settings: SettingValues) {
    self.settings = settings
    boards = Boards(settings)
    let sweeps = Sweeps(boards: boards)
    histories = Histories(boards)
    let openChallenges = OpenChallenges(boards)
    let definitions = BoardDefinitions(
      boards: boards, sweeps: sweeps, histories: histories, openChallenges: openChallenges)
    reRanking = ReRanking(boards, definitions)
    let challengeBudgets = ChallengeBudgets(settings)
    let scoreChallenges = ScoreChallenges(
      boards: boards, openChallenges: openChallenges, budgets: challengeBudgets)
    let compensation = Compensation(boards: boards, openChallenges: openChallenges)
    let preferences = ChallengePreferences()
    let lists = ChallengeLists(preferences)
    let achievementChallenges = AchievementChallenges(
      lists: lists, budgets: challengeBudgets, settings: settings)
    parts = [
      boards, sweeps, histories, openChallenges, definitions, reRanking, challengeBudgets,
      scoreChallenges, compensation, preferences, lists, achievementChallenges,
      ChallengeExpiry(
        boards: boards, openChallenges: openChallenges,
        achievementChallenges: achievementChallenges),
      Submissions(
        boards: boards, challenges: scoreChallenges,
        ticketLifetime: settings[.runTicketLifetime]),
      ScoreQueries(boards: boards),
      OwnerPowers(boards: boards, sweeps: sweeps, compensation: compensation),
      AchievementDeclarations(), PlayerAchievements(challenges: achievementChallenges),
      BoardSets(), BoardMaintenance(boards: boards, sweeps: sweeps, histories: histories),
      Erasures(
        boards: boards, openChallenges: openChallenges, lists: lists, preferences: preferences,
        budgets: challengeBudgets),
    ]
  }

  public static var service: Service { .leaderboard }
  public static var recordsExport: (any RecordsExport.Type)? { ExportLeaderboardRecords.self }
  public static var recordsErasure: (any RecordsErasure.Type)? { EraseLeaderboardRecords.self }

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

  public func shape(of opcode: Opcode) -> Shape? {
    router[opcode]?.shape ?? StreamEvents.shape(of: opcode)
  }

  public func register(_ tables: inout Tables) {
    for part in parts { part.register(&tables) }
  }

  public func loaded(_ transaction: inout Transaction) {
    for part in parts { part.loaded(&transaction) }
    for board in boards.all { boards.scheduleMaintenance(of: board, &transaction) }
  }
}
