import Domain
import Operations
import Wire

/// What a player has reached, at the player's key.
extension LeaderboardCore {
  func reportAchievements(
    _ operation: ReportAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReportAchievements.Reply {
    try Stop.check(operation.fault)
    let declared = Set(try achievementRules(call).map(\.achievement))
    for report in operation.reports where !declared.contains(report.achievement) {
      throw .refuse(
        .notFound, argument: "achievement",
        "The game has no achievement \(report.achievement).")
    }
    var known = try progress(of: call.player, call, transaction)
    for report in operation.reports {
      known[report.achievement, default: AchievementProgress()].take(report, at: transaction.now)
    }
    var reply = ReportAchievements.Reply()
    reply.achievements = operation.reports.compactMap { known[$0.achievement] }
    for achievement in Set(operation.reports.map(\.achievement)).sorted() {
      guard let progress = known[achievement] else { continue }
      transaction.put(ProgressRow(progress, of: call.player, game: call.game))
    }
    // A report of 100 counts, not that it was reached once: a replayable one is earned again.
    let earned = operation.reports.filter { $0.percentComplete == 100 }.map(\.achievement)
    reply.completedChallenges = completeChallenges(
      Set(earned), call,
      eligible: operation.eligibility == .listed ? Set(operation.eligibleChallenges) : nil,
      &transaction)
    return reply
  }

  func listAchievements(
    _ operation: ListAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListAchievements.Reply {
    func place(_ progress: AchievementProgress) -> PageCursor<RoutingKind> {
      PageCursor(
        time: -progress.lastReportedDate,
        id: RoutingKey(game: call.game, name: progress.achievement))
    }
    let list = try progress(of: call.player, call, transaction).values
      .map { (place: place($0), progress: $0) }
      .sorted { ($0.place.time, $0.place.id) < ($1.place.time, $1.place.id) }
    let page = try AchievementPage(list, operation.cursor, operation.limit) { $0.place }
    var reply = ListAchievements.Reply()
    reply.achievements = page.items.map(\.progress)
    reply.cursor = page.cursor
    return reply
  }

  func resetAchievements(
    _ operation: ResetAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    for achievement in try progress(of: call.player, call, transaction).keys.sorted() {
      transaction.remove(
        ProgressRow.self,
        ProgressKey(player: call.player, game: call.game, achievement: achievement))
    }
    return Empty()
  }

  func fetchReportedAchievements(
    _ operation: FetchReportedAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchReportedAchievements.Reply {
    var reply = FetchReportedAchievements.Reply()
    reply.achievements = try progress(of: operation.player, call, transaction).values
      .sorted { $0.achievement < $1.achievement }
      .map { progress in
        var reported = ReportedAchievement()
        reported.achievement = progress.achievement
        reported.isCompleted = progress.isCompleted
        return reported
      }
    return reply
  }

  /// A player's achievements in the call's game, by name.
  func progress(of player: PlayerID, _ call: Call, _ transaction: Transaction) throws(Stop)
    -> [String: AchievementProgress]
  {
    let rows = try transaction.rows(
      ProgressRow.self, in: ProgressRow.range(of: player, game: call.game))
    return Dictionary(
      rows.map { ($0.progress.achievement, $0.progress) }, uniquingKeysWith: { first, _ in first })
  }
}

extension AchievementProgress {
  /// Progress never goes down, whatever is reported; the date and the banner are the report's.
  mutating func take(_ report: AchievementReport, at now: Int64) {
    achievement = report.achievement
    // Adding 0 makes a plain 0 of a negative one.
    percentComplete = max(percentComplete, report.percentComplete) + 0
    lastReportedDate = now
    showsCompletionBanner = report.showsCompletionBanner
    if isCompleted && completionDate == nil { completionDate = now }
  }
}
