import Domain
import Operations
import Wire

/// The achievements that games declare, at the game's key.
final class AchievementDeclarations: CorePart {
  /// By the game's key.
  private var games: [RoutingKey: Declarations<AchievementRow>] = [:]

  func register(_ router: inout Router) {
    router.on(DefineAchievement.self, defineAchievement)
    router.on(DescribeAchievements.self, describeAchievements)
    router.on(FetchAchievementRules.self, fetchAchievementRules)
  }

  func register(_ tables: inout Tables) {
    tables.resident(AchievementRow.self, about: .nobody) {
      self.games[$0.key.game, default: Declarations()].put($0)
    }
  }

  private func defineAchievement(
    _ operation: DefineAchievement, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DefineAchievement.Reply {
    let definition = operation.definition
    try call.checkNamesGame(for: "An achievement")
    let key = AchievementKey(
      game: call.key, achievement: RoutingKey(game: call.game, name: definition.achievement))
    let row = AchievementRow(key: key, game: call.game, definition: definition)
    var reply = DefineAchievement.Reply()
    reply.change = try games[call.key, default: Declarations()].declare(
      row, countMax: AchievementLimits.perGameMax,
      full: Failure(
        .limitReached, argument: "achievement",
        "A game has at most \(AchievementLimits.perGameMax) achievements."),
      &transaction)
    return reply
  }

  private func describeAchievements(
    _ operation: DescribeAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DescribeAchievements.Reply {
    let isOwner = call.principal.kind != .player
    let reported =
      isOwner
      ? [] : Set(try call.fact(FetchReportedAchievements.self).achievements.map(\.achievement))
    let shown = (games[call.key]?.rows ?? []).filter {
      isOwner || !$0.definition.isHidden || reported.contains($0.definition.achievement)
    }
    let page = try Page(
      of: shown, PagedList(operation, call), after: operation.cursor, limit: operation.limit
    ) {
      PageCursor(time: Int64($0.number), id: $0.key.achievement)
    }
    var reply = DescribeAchievements.Reply()
    reply.definitions = page.items.map(\.definition)
    reply.cursor = page.cursor
    return reply
  }

  private func fetchAchievementRules(
    _ operation: FetchAchievementRules, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchAchievementRules.Reply {
    var reply = FetchAchievementRules.Reply()
    reply.rules = games[operation.key]?.rows.map(\.definition.rule) ?? []
    return reply
  }
}
