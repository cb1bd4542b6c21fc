import Domain
import Operations
import Wire

/// A board's definition.
struct BoardRow: Row {
  static let tableID: UInt16 = 16
  static let tableName = "board"
  var key = RoutingKey()
  var game = ""
  var definition = LeaderboardDefinition()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    definition.fields(&visit)
  }
}

struct EntryKey: RowKey {
  var boardKey = RoutingKey()
  var player = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
  }
}

/// A player's entry on a board.
struct EntryRow: RankingRow {
  static let tableID: UInt16 = 17
  static let tableName = "entry"
  var key = EntryKey()
  var value: Int64 = 0
  var tag: UInt64 = 0
  var date: Int64 = 0
  /// The board's order of arrival, which decides between equal values.
  var arrival: UInt64 = 0
}

// MARK: Rows of scores

/// A row, or a part of one, with the fields of a board's entry except its player.
protocol ScoreHolder {
  var value: Int64 { get set }
  var tag: UInt64 { get set }
  var date: Int64 { get set }
  var arrival: UInt64 { get set }
}

extension ScoreHolder {
  mutating func take(_ entry: Board.Entry) {
    value = entry.value
    tag = entry.tag
    date = entry.date
    arrival = entry.arrival
  }

  func holding(_ entry: Board.Entry) -> Self {
    var holder = self
    holder.take(entry)
    return holder
  }

  func entry(of player: PlayerID) -> Board.Entry {
    Board.Entry(player: player, value: value, tag: tag, date: date, arrival: arrival)
  }
}

/// A row of one entry of a ranking: all such tables have the same columns behind the key.
protocol RankingRow: Row, ScoreHolder {
  var key: Key { get set }
}

extension RankingRow {
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("value", &value)
    visit.field("context", &tag)
    visit.field("date", &date)
    visit.field("arrival", &arrival)
  }
}
