import Wire

/// The timers of an engine: which are pending, which fire, and what those apply that are in memory
/// alone.
struct Timers {
  private var heap = TimerHeap()
  /// The take of each timer that fires, until it is served, postponed, set anew or cancelled.
  private var firing: [TimerKey: UInt64] = [:]
  private var takeCount: UInt64 = 0
  /// Transient failures in a row, by timer, except those for lack of room.
  private var failureCounts: [TimerKey: Int] = [:]
  /// What the timers apply that are in memory alone. One of them may have taken the place of a
  /// timer with a row, which then goes when it does.
  private var unkept: [TimerKey: (game: String, body: [UInt8], hasRow: Bool)] = [:]
  /// Operations that refused for good what a timer asked of them, since the start.
  private(set) var refusedCount: UInt64 = 0
  /// Transient failures of timers since the start, except those for lack of room.
  private(set) var retriedCount: UInt64 = 0

  var count: Int { heap.count + firing.count }
  var nextDue: Int64? { heap.nextDue }

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
      unkept[change.key] = nil
      schedule(change.key, due: due)
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
    schedule(key, due: due)
  }

  /// Sets when the timer is due. A take that is under way does not count any more.
  private mutating func schedule(_ key: TimerKey, due: Int64) {
    firing[key] = nil
    failureCounts[key] = nil
    heap.set(key, due: due)
  }

  private func hasRow(_ key: TimerKey) -> Bool {
    if let call = unkept[key] { return call.hasRow }
    return firing[key] != nil || heap.due(of: key) != nil
  }

  private mutating func remove(_ key: TimerKey, _ changes: inout RowChanges) {
    if hasRow(key) { changes.remove(TimerRow.self, key) }
    unkept[key] = nil
    firing[key] = nil
    failureCounts[key] = nil
    heap.remove(key)
  }

  // MARK: Erasure

  /// A timer of the player's key goes; one of another key that is about the player goes on with the
  /// stand-in.
  mutating func erase(
    _ row: TimerRow, _ erasure: Erasure, _ shape: Shape?, _ changes: inout RowChanges
  ) {
    remove(row.key, &changes)
    guard erasure.renamed(row.key.key) == row.key.key else { return }
    var rest = row
    rest.key.item = erasure.renamed(row.key.item)
    rest.body = Bytes(erasure.rest(of: row.body.array, opcode: shape))
    schedule(rest.key, due: rest.due)
    changes.put(rest)
  }

  // MARK: Firing

  /// Takes the next timer whose time has come. What it applies comes along, unless that is in its
  /// row.
  mutating func take(now: Int64) -> (timer: FiringTimer, game: String, body: [UInt8])? {
    guard let key = heap.take(now: now) else { return nil }
    takeCount += 1
    firing[key] = takeCount
    let call = unkept[key]
    let timer = FiringTimer(key: key, take: takeCount, isUnread: call == nil)
    return (timer, call?.game ?? "", call?.body ?? [])
  }

  /// True until the timer is served or postponed, set anew or cancelled.
  func isFiring(_ timer: FiringTimer) -> Bool { firing[timer.key] == timer.take }

  /// Counts a transient failure. Returns how many there were in a row; nil for a timer that was
  /// cancelled or set anew since it was taken.
  mutating func countFailure(of timer: FiringTimer) -> Int? {
    guard isFiring(timer) else { return nil }
    retriedCount += 1
    failureCounts[timer.key, default: 0] += 1
    return failureCounts[timer.key]
  }

  /// A timer that could not be served fires again at `due`. The row is left alone: after a restart
  /// it is due at once.
  mutating func postpone(_ timer: FiringTimer, to due: Int64) {
    guard isFiring(timer) else { return }
    firing[timer.key] = nil
    heap.set(timer.key, due: due)
  }

  /// The timer was served: it goes in the same batch, unless its operation has set it anew.
  mutating func served(_ timer: FiringTimer, isRefused: Bool, _ changes: inout RowChanges) {
    if isRefused { refusedCount += 1 }
    if isFiring(timer) { remove(timer.key, &changes) }
  }
}
