import Domain
import Operations
import Wire

struct AchievementKey: RowKey {
  /// `RoutingKey(game:)`
  var game = RoutingKey()
  /// `RoutingKey(game:name:)`
  var achievement = RoutingKey()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("gameKey", &game)
    visit.field("achievementKey", &achievement)
  }
}

/// An achievement as the game declares it.
struct AchievementRow: DeclaredRow {
  static let tableID: UInt16 = 48
  static let tableName = "achievement"
  var key = AchievementKey()
  var game = ""
  var number: UInt32 = 0
  var definition = AchievementDefinition()
  var name: String { definition.achievement }
}

/// Keys of a fixed size, so that those of a player in a game stand side by side in every store.
struct ProgressKey: RowKey {
  var player = PlayerID()
  var achievement = AchievementKey()
  init() {}
  init(player: PlayerID, game: String, achievement: String) {
    self.player = player
    self.achievement = AchievementKey(
      game: RoutingKey(game: game), achievement: RoutingKey(game: game, name: achievement))
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    achievement.fields(&visit)
  }
}

/// A player's progress with an achievement. The table is cold: a player reports or looks now and
/// then, while all players' progress would fill memory (some 200 bytes a row). The price is one
/// read from the store with each such call.
struct ProgressRow: Row {
  static let tableID: UInt16 = 49
  static let tableName = "achievement_progress"
  var key = ProgressKey()
  var game = ""
  var progress = AchievementProgress()
  init() {}
  init(_ progress: AchievementProgress, of player: PlayerID, game: String) {
    key = ProgressKey(player: player, game: game, achievement: progress.achievement)
    self.game = game
    self.progress = progress
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    progress.fields(&visit)
  }

  /// The rows of everything that a player has reported in a game: no more than a game may declare.
  static func range(of player: PlayerID, game: String) -> ColdRange {
    let front = player.keyBytes + RoutingKey(game: game).keyBytes
    return ColdRange(
      table: tableID, from: front, through: front, limit: AchievementLimits.perGameMax)
  }
}

extension Call {
  /// Returns the rules of the achievements of the call's game, which came with the call.
  func achievementRules() throws(Stop) -> [AchievementRule] {
    try fact(FetchAchievementRules.self, at: RoutingKey(game: game)).rules
  }
}

extension Transaction {
  /// A player's achievements in a game, by name.
  func progress(of player: PlayerID, game: String) throws(Stop) -> [String: AchievementProgress] {
    let rows = try rows(ProgressRow.self, in: ProgressRow.range(of: player, game: game))
    return Dictionary(
      rows.map { ($0.progress.achievement, $0.progress) }, uniquingKeysWith: { first, _ in first })
  }
}
