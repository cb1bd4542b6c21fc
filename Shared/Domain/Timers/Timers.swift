import Wire

/// The timers of an engine: which are pending, and what those apply that are in memory alone.
struct Timers {
  private var heap = TimerHeap()
  /// What the timers apply that are in memory alone. One of them may have taken the place of a timer
  /// with a row, which then goes when it does.
  private var unkept: [TimerKey: (game: String, body: [UInt8], hasRow: Bool)] = [:]
  /// Operations that refused for good what a timer asked of them, since the start.
  private(set) var refusedCount: UInt64 = 0

  var count: Int { heap.count }
  var nextDue: Int64? { heap.nextDue }

  func isFiring(_ key: TimerKey) -> Bool { heap.isFiring(key) }

  func isPending(_ key: TimerKey, by time: Int64) -> Bool {
    heap.due(of: key).map { $0 <= time } ?? false
  }

  /// Takes a stored row at the start.
  mutating func load(_ row: TimerRow) { heap.load(row.key, due: row.due) }
  mutating func loaded() { heap.loaded() }

  mutating func apply(_ change: TimerChange, _ changes: inout RowChanges) {
    switch change.kind {
    case .set(let due, let game, let body, isKept: false):
      setUnkept(change.key, due: due, game, body)
    case .set(let due, let game, let body, isKept: true):
      heap.set(change.key, due: due)
      unkept[change.key] = nil
      var row = TimerRow()
      row.key = change.key
      row.due = due
      row.game = game
      row.body = Bytes(body)
      changes.put(row)
    case .cancel: remove(change.key, &changes)
    }
  }

  mutating func setUnkept(_ key: TimerKey, due: Int64, _ game: String, _ body: [UInt8]) {
    unkept[key] = (game, body, hasRow: hasRow(key))
    heap.set(key, due: due)
  }

  private func hasRow(_ key: TimerKey) -> Bool {
    heap.contains(key) && unkept[key]?.hasRow ?? true
  }

  private mutating func remove(_ key: TimerKey, _ changes: inout RowChanges) {
    if hasRow(key) { changes.remove(TimerRow.self, key) }
    unkept[key] = nil
    heap.remove(key)
  }

  // MARK: Firing

  mutating func take(now: Int64) -> TimerKey? { heap.take(now: now) }

  /// A timer that fires and could not be served fires again at `due`; one that has been set anew or
  /// removed since stays as it is. The row is left alone: after a restart it is due at once.
  mutating func postpone(_ key: TimerKey, to due: Int64) {
    if heap.isFiring(key) { heap.set(key, due: due) }
  }

  /// What a timer applies, or a stop that reads its row; nil when the row is not there.
  func call(of key: TimerKey, _ coldRows: [ColdRange: [[UInt8]]]) throws(Stop) -> (
    game: String, body: [UInt8]
  )? {
    if let call = unkept[key] { return (call.game, call.body) }
    let bytes = key.keyBytes
    let range = ColdRange(table: TimerRow.tableID, from: bytes, through: bytes, limit: 1)
    guard let rows = coldRows[range] else { throw .needs([range]) }
    guard let first = rows.first, let row = try? TimerRow(decoding: first) else { return nil }
    return (row.game, row.body.array)
  }

  /// The timer was served: it goes in the same batch, unless its operation has set it anew.
  mutating func served(_ key: TimerKey, isRefused: Bool, _ changes: inout RowChanges) {
    if isRefused { refusedCount += 1 }
    if heap.isFiring(key) { remove(key, &changes) }
  }
}
