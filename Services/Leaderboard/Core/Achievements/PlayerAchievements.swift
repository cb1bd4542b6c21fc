import Domain
import Operations
import Wire

/// Players' progress with achievements, at the player's key.
struct PlayerAchievements: CorePart {
  let challenges: AchievementChallenges

  func register(_ router: inout Router) {
    router.on(ReportAchievements.self, reportAchievements)
    router.on(ListAchievements.self, listAchievements)
    router.on(ResetAchievements.self, resetAchievements)
    router.on(FetchReportedAchievements.self, fetchReportedAchievements)
  }

  func register(_ tables: inout Tables) { tables.cold(ProgressRow.self) }

  private func reportAchievements(
    _ operation: ReportAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReportAchievements.Reply {
    let declared = Set(try call.achievementRules().map(\.achievement))
    for report in operation.reports where !declared.contains(report.achievement) {
      throw .notFound("achievement", "The game has no achievement \(report.achievement).")
    }
    var known = try transaction.progress(of: call.player, game: call.game)
    for report in operation.reports {
      known[report.achievement, default: AchievementProgress()].take(report, at: transaction.now)
    }
    var reply = ReportAchievements.Reply()
    reply.achievements = operation.reports.compactMap { known[$0.achievement] }
    for achievement in Set(operation.reports.map(\.achievement)).sorted() {
      guard let progress = known[achievement] else { continue }
      transaction.put(ProgressRow(progress, of: call.player, game: call.game))
    }
    // Each report of 100 counts: a replayable achievement is earned again.
    let earned = operation.reports.filter { $0.percentComplete == 100 }.map(\.achievement)
    reply.completedChallenges = challenges.complete(
      Set(earned), call,
      eligible: operation.eligibility == .listed ? Set(operation.eligibleChallenges) : nil,
      &transaction)
    return reply
  }

  private func listAchievements(
    _ operation: ListAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListAchievements.Reply {
    let list = try transaction.progress(of: call.player, game: call.game).values
      .map { progress in
        let id = RoutingKey(game: call.game, name: progress.achievement)
        return (place: PageCursor(time: -progress.lastReportedDate, id: id), progress: progress)
      }
      .sorted { $0.place < $1.place }
    let page = try Page(
      of: list, PagedList(operation, call), after: operation.cursor, limit: operation.limit
    ) { $0.place }
    var reply = ListAchievements.Reply()
    reply.achievements = page.items.map(\.progress)
    reply.cursor = page.cursor
    return reply
  }

  private func resetAchievements(
    _ operation: ResetAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    for achievement in try transaction.progress(of: call.player, game: call.game).keys.sorted() {
      transaction.remove(
        ProgressRow.self,
        ProgressKey(player: call.player, game: call.game, achievement: achievement))
    }
  }

  private func fetchReportedAchievements(
    _ operation: FetchReportedAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchReportedAchievements.Reply {
    var reply = FetchReportedAchievements.Reply()
    reply.achievements = try transaction.progress(of: operation.player, game: call.game).values
      .sorted { $0.achievement < $1.achievement }
      .map { progress in
        var reported = ReportedAchievement()
        reported.achievement = progress.achievement
        reported.isCompleted = progress.isCompleted
        return reported
      }
    return reply
  }
}

extension AchievementProgress {
  /// Takes a report: progress never goes down, while the date and the banner become the report's.
  mutating func take(_ report: AchievementReport, at now: Int64) {
    achievement = report.achievement
    // Adding 0 makes a plain 0 of a negative one.
    percentComplete = max(percentComplete, report.percentComplete) + 0
    lastReportedDate = now
    showsCompletionBanner = report.showsCompletionBanner
    if isCompleted && completionDate == nil { completionDate = now }
  }
}
