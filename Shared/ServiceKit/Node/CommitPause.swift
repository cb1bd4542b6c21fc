/// The time between two batches that belongs to reads.
///
/// A read of what a batch has changed waits until that is durable. Where one batch follows the other
/// at once, nearly every read waits for the few changes among them. So a batch that has held up more
/// reads than there are calls behind it is followed by a pause: as long as those reads had to wait
/// at most, others are answered at once, and the changes that come meanwhile share a flush.
struct CommitPause {
  /// However long the batch took: changes wait too.
  static let microsecondsMax: UInt64 = 1000

  private var began: UInt64 = 0
  private var readsHeldUp = 0
  private var end: UInt64?

  var isUnderWay: Bool { end != nil }

  func isOver(at now: UInt64) -> Bool { now >= end ?? 0 }

  mutating func batchBegins(at now: UInt64) { began = now }

  mutating func readIsHeldUp() { readsHeldUp += 1 }

  mutating func batchEnds(at now: UInt64, callsWaiting: Int) {
    if readsHeldUp > callsWaiting { end = now + min(now - began, Self.microsecondsMax) }
    readsHeldUp = 0
  }

  mutating func finish() { end = nil }
}
