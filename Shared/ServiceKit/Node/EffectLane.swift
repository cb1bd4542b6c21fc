import Domain

/// The effects between two slots, from the oldest that is not confirmed.
struct EffectLane {
  private struct Entry {
    var row: OutboxRow
    var after: UInt64
    var isConfirmed = false
  }

  private var entries = Queue<Entry>()
  /// Entries before this index are under way or confirmed.
  private var sent = 0
  /// The newest effect, which the next one follows.
  private var newest: UInt64 = 0
  /// Failures since one was last confirmed.
  private var failures = 0
  /// Changes with every repetition: an answer to an earlier sending must not cause another.
  private(set) var attempt: Int
  /// True while the lane is in the queue's list of turns.
  var isInTurn = false
  /// True when the lane failed and its round has not come.
  var isWaiting = false
  /// True when the lane failed last since the receiver does not know an effect of it.
  private(set) var waitsForUpgrade = false

  init(attempt: Int) { self.attempt = attempt }

  var isEmpty: Bool { entries.isEmpty }
  var maySend: Bool { !isWaiting && sent < min(entries.count, windowMax) }
  /// What follows an effect that the receiver does not know is refused as well, so that the front
  /// alone asks whether a newer one has come.
  private var windowMax: Int { waitsForUpgrade ? 1 : EffectQueue.windowMax }

  mutating func add(_ row: OutboxRow) {
    precondition(newest < row.key.sequence, "an effect comes after one that it has to precede")
    entries.append(Entry(row: row, after: newest))
    newest = row.key.sequence
  }

  mutating func next() -> EffectQueue.Sending? {
    while maySend {
      let entry = entries[sent]
      sent += 1
      if !entry.isConfirmed {
        return EffectQueue.Sending(row: entry.row, after: entry.after, attempt: attempt)
      }
    }
    return nil
  }

  /// Marks an effect as done, and returns how many entries leave at the front because of that.
  mutating func confirm(_ key: OutboxKey) -> Int {
    // Only what was sent is confirmed, so the place is within the window.
    guard
      let index = (0..<min(entries.count, EffectQueue.windowMax))
        .first(where: { entries[$0].row.key == key })
    else {
      assert(!contains(key), "effect \(key) is confirmed, which was not sent")
      return 0
    }
    failures = 0
    waitsForUpgrade = false
    entries[index].isConfirmed = true
    var left = 0
    while entries.first?.isConfirmed == true {
      entries.removeFirst()
      sent = max(0, sent - 1)
      left += 1
    }
    return left
  }

  private func contains(_ key: OutboxKey) -> Bool {
    (0..<entries.count).contains { entries[$0].row.key == key }
  }

  /// Begins again from the front, and returns how many rounds to wait before that.
  mutating func fail(attempt: Int, isUnknown: Bool) -> Int {
    self.attempt = attempt
    sent = 0
    isWaiting = true
    waitsForUpgrade = isUnknown
    failures += 1
    if isUnknown { return EffectQueue.upgradeRounds }
    return min(1 << min(failures - 1, 16), EffectQueue.waitRoundsMax)
  }
}
