import Domain
import Operations
import Wire

/// What a game declares of its achievements, at the game's key.
extension LeaderboardCore {
  func defineAchievement(
    _ operation: DefineAchievement, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DefineAchievement.Reply {
    let definition = operation.definition
    try Stop.check(definition.fault)
    guard !call.game.isEmpty else {
      throw .refuse(
        .requiredArgument, argument: "game", "An achievement belongs to a game: name it.")
    }
    var row = AchievementRow()
    row.key = AchievementKey(
      game: call.key, achievement: RoutingKey(game: call.game, name: definition.achievement))
    row.game = call.game
    row.definition = definition
    var reply = DefineAchievement.Reply()
    reply.change = try gameAchievements[call.key, default: Declarations()].declare(
      row, countMax: AchievementLimits.perGameMax,
      full: Failure(
        .limitReached, argument: "achievement",
        "A game has at most \(AchievementLimits.perGameMax) achievements."),
      &transaction)
    return reply
  }

  func describeAchievements(
    _ operation: DescribeAchievements, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DescribeAchievements.Reply {
    let isOwner = call.principal.kind != .player
    let reported =
      isOwner
      ? [] : Set(try call.fact(FetchReportedAchievements.self).achievements.map(\.achievement))
    let shown = (gameAchievements[call.key]?.rows ?? []).filter {
      isOwner || !$0.definition.isHidden || reported.contains($0.definition.achievement)
    }
    let page = try AchievementPage(shown, operation.cursor, operation.limit) {
      PageCursor(time: Int64($0.number), id: $0.key.achievement)
    }
    var reply = DescribeAchievements.Reply()
    reply.definitions = page.items.map(\.definition)
    reply.cursor = page.cursor
    return reply
  }

  /// What the call's game declares, as it came with a call to a player's key.
  func achievementRules(_ call: Call) throws(Stop) -> [AchievementRule] {
    try call.fact(FetchAchievementRules.self, at: RoutingKey(game: call.game)).rules
  }

  func fetchAchievementRules(
    _ operation: FetchAchievementRules, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchAchievementRules.Reply {
    var reply = FetchAchievementRules.Reply()
    reply.rules = gameAchievements[operation.key]?.rows.map(\.definition.rule) ?? []
    return reply
  }
}

/// Part of a list that is never longer than what one game declares.
struct AchievementPage<Item> {
  var items: [Item] = []
  var cursor = ""

  /// - Parameter place: an item's place by which the list is sorted, upwards.
  init(
    _ list: [Item], _ cursor: String, _ limit: UInt32,
    place: (Item) -> PageCursor<RoutingKind>
  ) throws(Stop) {
    guard limit >= 1, limit <= AchievementLimits.pageMax else {
      throw .refuse(
        .invalidArgument, argument: "limit",
        "A page has 1 to \(AchievementLimits.pageMax) achievements.")
    }
    var start = 0
    if !cursor.isEmpty {
      guard let last = PageCursor<RoutingKind>(cursor) else {
        throw .refuse(.invalidArgument, argument: "cursor", "The cursor is not one of this list.")
      }
      start =
        list.firstIndex {
          let next = place($0)
          return (last.time, last.id) < (next.time, next.id)
        } ?? list.count
    }
    items = Array(list[start...].prefix(Int(limit)))
    if start + items.count < list.count, let last = items.last {
      self.cursor = place(last).text
    }
  }
}
