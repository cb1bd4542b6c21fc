import Domain
import Operations
import Wire

struct AttemptKey: Message, Hashable {
  var boardKey = RoutingKey()
  var player = PlayerID()
  var arrival: UInt64 = 0
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
    visit.field("arrival", &arrival)
  }
}

/// One attempt, on boards that keep them. A player's are together, in the order in which they came:
/// what takes a player's next best attempt reads only that player's.
struct AttemptRow: Row {
  static let tableID: UInt16 = 32
  static let tableName = "attempt"
  var key = AttemptKey()
  var value: Int64 = 0
  var context: UInt64 = 0
  var date: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("date", &date)
  }
}

extension AttemptRow {
  init(_ attempt: Board.Entry, _ boardKey: RoutingKey) {
    key = AttemptKey(boardKey: boardKey, player: attempt.player, arrival: attempt.arrival)
    take(attempt)
  }

  var arrival: UInt64 {
    get { key.arrival }
    set { key.arrival = newValue }
  }

  var entry: Board.Entry { entry(of: key.player) }
}

/// How far a board has numbered arrivals, on boards whose attempts are not in memory: numbers are
/// reserved many at a time, so that after a restart none is given out twice.
struct ArrivalRow: Row {
  static let tableID: UInt16 = 33
  static let tableName = "board_arrival"
  static let reservedCount: UInt64 = 1024
  var key = RoutingKey()
  var reservedThrough: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("reservedThrough", &reservedThrough)
  }
}
