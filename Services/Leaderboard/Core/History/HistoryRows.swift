import Domain
import Operations
import Ranking
import Wire

/// A `RankKey` as it is stored: its encoded bytes sort as the key does.
struct RankPoint: Message, Hashable, Comparable {
  var order: UInt64 = 0
  var tie: UInt64 = 0
  init() {}
  init(_ key: RankKey) {
    order = UInt64(bitPattern: key.order) ^ 1 << 63
    tie = key.tie
  }
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("order", &order)
    visit.field("tie", &tie)
  }
  static func < (left: Self, right: Self) -> Bool {
    (left.order, left.tie) < (right.order, right.tie)
  }
}

/// How far a board's history is sorted: see `BoardHistory`.
struct HistoryRow: Row {
  static let tableID: UInt16 = 39
  static let tableName = "board_history"
  var key = RoutingKey()
  /// The earliest date that can be asked for, in milliseconds since 1970.
  var since: Int64 = 0
  var shape = HistoryShape()
  /// Stretches from which numbers may have been given out.
  var begunCount: UInt64 = 0
  /// No change before this one is still to be sorted.
  var unsortedDate: Int64 = 0
  var unsortedNumber: UInt64 = 0
  var levels: [HistoryLevel] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("since", &since)
    visit.field("shape", &shape)
    visit.field("begunCount", &begunCount)
    visit.field("unsortedDate", &unsortedDate)
    visit.field("unsortedNumber", &unsortedNumber)
    visit.field("levels", &levels)
  }
}

/// The sizes of a board's runs, stored with it: what was written under one choice is read under it.
struct HistoryShape: Message, Hashable {
  /// Changes of a stretch, which one step sorts; a query reads about as many one by one.
  var stretchCount: UInt64 = 512
  /// Runs that make one of the next level. A query reads up to twice as many runs of each level,
  /// less two; twice as many levels would be written with 3 as with 8.
  var fanOut: UInt64 = 8
  /// Points in one row, which is read whole: 4 KiB.
  var rowPointCount: UInt32 = 256
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("stretchCount", &stretchCount)
    visit.field("fanOut", &fanOut)
    visit.field("rowPointCount", &rowPointCount)
  }
}

/// The runs of one size.
struct HistoryLevel: Message, Hashable {
  /// Runs 0 ..< `builtCount` are whole.
  var builtCount: UInt64 = 0
  /// Where the run that is being made continues, and the sum of its weights before that place.
  var from = RankPoint()
  var weight: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("builtCount", &builtCount)
    visit.field("from", &from)
    visit.field("weight", &weight)
  }
}

// MARK: Changes

struct RankChangeKey: RowKey {
  var boardKey = RoutingKey()
  var date: Int64 = 0
  var number: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("date", &date)
    visit.field("number", &number)
  }
}

/// One change of a board's ranking, in the order of time: an entry that came, went or moved.
struct RankChangeRow: Row {
  static let tableID: UInt16 = 40
  static let tableName = "rank_change"
  var key = RankChangeKey()
  var player = PlayerID()
  /// Where the entry stood; nil when there was none.
  var before: RankPoint?
  var after: RankPoint?
  /// Entries on the board before the change.
  var total: UInt32 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("before", &before)
    visit.field("after", &after)
    visit.field("total", &total)
  }
}

struct PastEntryKey: RowKey {
  var boardKey = RoutingKey()
  var player = PlayerID()
  var date: Int64 = 0
  var number: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
    visit.field("date", &date)
    visit.field("number", &number)
  }
}

/// A player's whole entry on a board before a change.
struct PastEntryRow: Row, ScoreHolder {
  static let tableID: UInt16 = 41
  static let tableName = "past_entry"
  var key = PastEntryKey()
  /// False when the player had no entry; the other fields then say nothing.
  var wasRanked = false
  var value: Int64 = 0
  var tag: UInt64 = 0
  var date: Int64 = 0
  var arrival: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("wasRanked", &wasRanked)
    visit.field("value", &value)
    visit.field("context", &tag)
    visit.field("scoreDate", &date)
    visit.field("arrival", &arrival)
  }
}

extension PastEntryRow {
  var entry: Board.Entry? { wasRanked ? entry(of: key.player) : nil }
}

// MARK: Runs

struct RankRunKey: RowKey {
  var boardKey = RoutingKey()
  var level: UInt8 = 0
  var run: UInt64 = 0
  var first = RankPoint()
  init() {}
  init(boardKey: RoutingKey, level: Int, run: UInt64, first: RankPoint = RankPoint()) {
    self.boardKey = boardKey
    self.level = UInt8(level)
    self.run = run
    self.first = first
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("level", &level)
    visit.field("run", &run)
    visit.field("first", &first)
  }
}

/// A place in the ranking that a run's changes took or gave up, after all of them.
struct RankStep: Message, Hashable {
  var point = RankPoint()
  /// True for a place that is taken after the run and was free before it; false for the reverse.
  var isTaken = false
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("point", &point)
    visit.field("isTaken", &isTaken)
  }
  var weight: Int64 { isTaken ? 1 : -1 }
}

/// A part of a run: its steps in the order of the ranking, each point once.
struct RankRunRow: Row {
  static let tableID: UInt16 = 42
  static let tableName = "rank_run"
  var key = RankRunKey()
  /// The sum of the weights in the run's rows before this one.
  var before: Int64 = 0
  var steps: [RankStep] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("before", &before)
    visit.field("steps", &steps)
  }
}
