import Domain
import Operations
import Wire

/// A set of boards as the game declares it.
struct LeaderboardSetRow: DeclaredRow {
  static let tableID: UInt16 = 64
  static let tableName = "leaderboard_set"
  var key = GameListKey()
  var game = ""
  var number: UInt32 = 0
  var definition = LeaderboardSetDefinition()
  var name: String { definition.set }
}

/// A board's title, as the board told it last. The board's own row is at another key.
struct LeaderboardTitleRow: Row {
  static let tableID: UInt16 = 65
  static let tableName = "leaderboard_title"
  var key = GameListKey()
  var game = ""
  var board = ""
  var title = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("board", &board)
    visit.field("title", &title)
  }
}
