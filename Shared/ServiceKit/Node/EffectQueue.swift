package import Domain
import Wire

/// The effects for one process: which are to be sent, which are under way. `EffectDispatcher` does
/// what this decides.
///
/// Effects go out in the order in which they were added, up to `windowMax` at a time. When one fails
/// for a passing reason, all unconfirmed ones go again from the front: the receiver knows which it
/// has. Each names the one before it between the same two slots, so that the receiver keeps their
/// order whatever happens on the way.
package struct EffectQueue {
  /// Effects under way: enough to fill the pipe, few enough to repeat.
  package static let windowMax = 256

  package struct Sending: Equatable {
    package var row: OutboxRow
    /// The sequence of the effect before it between the same two slots; 0 for none.
    package var after: UInt64
    /// Which repetition it belongs to, for `failed`.
    package var epoch: Int
  }

  private struct Entry {
    var row: OutboxRow
    var after: UInt64
    var isConfirmed = false
  }

  private var entries = Queue<Entry>()
  /// Entries before this index are under way or confirmed.
  private var sent = 0
  /// Grows with every repetition: an answer to an earlier sending must not cause another.
  private var epoch = 0
  private var isWaiting = false
  /// The newest open effect of each pair of slots, which the next one follows.
  private var newest: [UInt32: UInt64] = [:]

  package init() {}

  package var count: Int { entries.count }

  package mutating func add(_ row: OutboxRow) {
    let pair = UInt32(row.key.slot) << 16 | UInt32(Slot.of(row.routingKey))
    let after = newest.updateValue(row.key.sequence, forKey: pair) ?? 0
    entries.append(Entry(row: row, after: after))
  }

  /// The next effect to send; nil when all are under way, the window is full, or a repetition waits
  /// for `resume`.
  package mutating func next() -> Sending? {
    while !isWaiting && sent < min(entries.count, Self.windowMax) {
      let entry = entries[sent]
      sent += 1
      if !entry.isConfirmed { return Sending(row: entry.row, after: entry.after, epoch: epoch) }
    }
    return nil
  }

  /// The effect was applied or refused: it is done. Harmless when it was done already.
  package mutating func confirm(_ key: OutboxKey) {
    // Only what was sent is confirmed, so the place is within the window.
    guard
      let index = (0..<min(entries.count, Self.windowMax))
        .first(where: { entries[$0].row.key == key })
    else { return }
    entries[index].isConfirmed = true
    while entries.first?.isConfirmed == true {
      entries.removeFirst()
      sent = max(0, sent - 1)
    }
    if entries.isEmpty { newest.removeAll(keepingCapacity: true) }
  }

  /// A sending failed for a passing reason. True when everything is now held back and goes again
  /// after `resume`; false when an earlier failure saw to that.
  package mutating func failed(_ sending: Sending) -> Bool {
    guard sending.epoch == epoch else { return false }
    epoch += 1
    sent = 0
    isWaiting = true
    return true
  }

  package mutating func resume() { isWaiting = false }
}
