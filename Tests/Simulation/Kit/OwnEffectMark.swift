import Domain
import Wire

/// Lets the ledger read from the batches which effects a process has applied to keys of its own:
/// behind the changes of each, its row is put into the outbox and taken out again.
enum OwnEffectMark {
  /// No real effect has a number of this many bits.
  private static let firstSequence: UInt64 = 1 << 63

  static func isMark(_ row: OutboxRow) -> Bool { row.key.sequence >= firstSequence }

  static func makeAll(of engine: Engine) {
    var count: UInt64 = 0
    engine.didApplyOwnEffect = { effect, source, changes in
      let row = OutboxRow(
        effect, OutboxKey(slot: UInt16(source), sequence: firstSequence + count))
      count += 1
      changes.put(row)
      changes.remove(OutboxRow.self, row.key)
    }
  }
}
