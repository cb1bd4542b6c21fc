import Domain
import Operations
import Wire

struct RecentAttemptKey: RowKey {
  var boardKey = RoutingKey()
  var arrival: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("arrival", &arrival)
  }
}

/// An attempt of the last 7 days on a board with windows, from which they are made at the start. A
/// table beside `attempt`, which is in order of players and not in memory.
struct RecentAttemptRow: Row, ScoreHolder {
  static let tableID: UInt16 = 36
  static let tableName = "recent_attempt"
  var key = RecentAttemptKey()
  var player = PlayerID()
  var value: Int64 = 0
  var tag: UInt64 = 0
  var date: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("value", &value)
    visit.field("context", &tag)
    visit.field("date", &date)
  }
}

extension RecentAttemptRow {
  var arrival: UInt64 {
    get { key.arrival }
    set { key.arrival = newValue }
  }
}

extension ScoreWindows {
  func load(_ row: RecentAttemptRow) {
    attempts.append(row.entry(of: row.player))
  }

  /// All rows are there: plays the attempts again.
  func loaded(floors: [PlayerID: UInt64]) {
    self.floors = floors.filter { $0.value > 0 }
    let loaded = (0..<attempts.count).map { attempts[$0] }.sorted { $0.arrival < $1.arrival }
    attempts = Queue()
    for attempt in loaded { add(attempt) }
  }

  /// Adds an attempt and removes at most two that are outside of both windows, so that the queue
  /// cannot grow faster than it shrinks.
  func record(_ attempt: Board.Entry, _ boardKey: RoutingKey, _ transaction: inout Transaction) {
    let key = RecentAttemptKey(boardKey: boardKey, arrival: attempt.arrival)
    transaction.put(RecentAttemptRow(key: key, player: attempt.player).holding(attempt))
    add(attempt)
    _ = slide(to: transaction.now, atMost: 4)
    _ = trim(boardKey, atMost: 2, &transaction)
  }

  /// The first place that a window has not left behind.
  private var leftBehindEnd: Int { allRankings.flatMap(\.windows).map(\.beginPlace).min() ?? 0 }

  var hasLeftBehind: Bool { firstPlace < leftBehindEnd }

  /// When the next attempt leaves a window.
  var nextLeave: Int64? {
    var next: Int64?
    for window in allRankings.flatMap(\.windows) where window.beginPlace < endPlace {
      let leave = attempts[window.beginPlace - firstPlace].date + window.length
      next = min(next ?? leave, leave)
    }
    return next
  }

  /// Removes at most so many attempts that both windows have left behind.
  func trim(_ boardKey: RoutingKey, atMost stepMax: Int, _ transaction: inout Transaction) -> Int {
    let end = leftBehindEnd
    var removed = 0
    while removed < stepMax && firstPlace < end {
      let attempt = attempts.removeFirst()
      firstPlace += 1
      removed += 1
      voided.remove(attempt.arrival)
      transaction.remove(
        RecentAttemptRow.self, RecentAttemptKey(boardKey: boardKey, arrival: attempt.arrival))
    }
    return removed
  }
}
