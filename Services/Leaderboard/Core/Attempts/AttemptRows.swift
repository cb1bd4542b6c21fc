import Domain
import Operations
import Wire

struct AttemptKey: RowKey {
  var boardKey = RoutingKey()
  var player = PlayerID()
  var arrival: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
    visit.field("arrival", &arrival)
  }
}

/// One attempt, on a board that keeps attempts. The rows of one player stand side by side, in the
/// order of arrival: looking for the player's next best attempt reads no others.
struct AttemptRow: Row, ScoreHolder {
  static let tableID: UInt16 = 32
  static let tableName = "attempt"
  var key = AttemptKey()
  var value: Int64 = 0
  var tag: UInt64 = 0
  var date: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("value", &value)
    visit.field("context", &tag)
    visit.field("date", &date)
  }
}

extension AttemptRow {
  var arrival: UInt64 {
    get { key.arrival }
    set { key.arrival = newValue }
  }

  var entry: Board.Entry { entry(of: key.player) }
}

/// The arrivals that a board has reserved, where attempts are not in memory. It reserves many at a
/// time and goes on behind them after a restart, so that it gives out none twice.
struct ArrivalRow: Row {
  static let tableID: UInt16 = 33
  static let tableName = "board_arrival"
  static let reservedCount: UInt64 = 1024
  var key = RoutingKey()
  var reservedThrough: UInt64 = 0
  /// Attempts up to this one count as not kept, even while steps are still removing them: the board
  /// has kept none since.
  var removedThrough: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("reservedThrough", &reservedThrough)
    visit.field("removedThrough", &removedThrough)
  }
}
