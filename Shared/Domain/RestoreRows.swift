public import Wire

// What a service keeps so that stores which are put back from backups of different moments fit
// together again. A store that goes back has forgotten three things:
//
// - How far it had numbered its effects. What it makes now would bear numbers that its receivers
//   have had, and they would take it for applied. So a store is marked, by `--restored`, before
//   its first start: the numbers of its lives are then greater than all that the lost ones can
//   have had (`StoreLife`). A receiver that hears a store count again where it has been, unmarked,
//   applies nothing of it and says so.
// - Which of its effects were confirmed since. They are sent again, under the numbers that they
//   have, and their receivers know these.
// - What it was told since by others, who have it confirmed. So each keeps what was confirmed for
//   a while (`RetainedRow`), and sends it again once its own store was marked. For that reason all
//   services are marked, those whose stores were not put back as well.
//
// What a service did because of an effect that its source has lost stays done.

/// The last time that the store was marked as put back from a backup; there is one row at most.
public struct RestoreRow: Row {
  public static let tableID: UInt16 = 11
  public static let tableName = "restore"
  public var key: UInt64 = 0
  /// Less than the numbers of all lives from here on, and greater than those before.
  public var life: UInt64 = 0
  /// Confirmed effects through this sequence are to be sent again; 0 once all of them were.
  public var resendThrough: UInt64 = 0
  /// When the last one was confirmed that was dropped while older ones were sent again; 0 for none.
  /// No backup from before can be made whole by those that are kept.
  public var droppedThrough: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("life", &life)
    visit.field("resendThrough", &resendThrough)
    visit.field("droppedThrough", &droppedThrough)
  }

  /// - Parameters:
  ///   - previous: the row that the store has.
  ///   - lastBatch: the last one in the store.
  ///   - time: no earlier than any that the store has.
  public init(after previous: RestoreRow?, lastBatch: UInt64, time: Int64) {
    life = StoreLife.number(restores: StoreLife.restores(previous?.life ?? 0) + 1, time: time)
    resendThrough = (lastBatch + 1) * Engine.numberedPerBatchMax - 1
    droppedThrough = previous?.droppedThrough ?? 0
  }
}

/// Numbers the lives of a store, each of which is a start of the process on it: first by how often
/// the store was marked as put back, then by the time. So no life after the mark has a number of
/// one before, even if the clock stood years ahead when that began. Only among marks of one backup,
/// which is put back again, the time decides: where it went back between them, a receiver says how
/// often the store is to be marked (`ReachedEffect`).
enum StoreLife {
  /// For times until the year 3084.
  private static let timeBits: UInt64 = 45

  static func number(restores: UInt64, time: Int64) -> UInt64 {
    let timeMax = UInt64(1) << timeBits - 1
    return restores << timeBits | min(UInt64(max(0, time)) + 1, timeMax)
  }

  static func restores(_ life: UInt64) -> UInt64 { life >> timeBits }

  /// When it began, or when the store was marked.
  static func time(_ life: UInt64) -> Int64 { max(0, Int64(life & (1 << timeBits - 1)) - 1) }
}

extension NumberSetting {
  /// A nightly backup is a day old when the next one is due, and hours or a weekend pass from the
  /// death of a disk until the other services are stopped.
  public static let effectRetained = NumberSetting(
    "retained-effect-hours", .hours, default: 72, 0...720,
    "How long an effect is kept after its receiver, another process, has confirmed it, so that a "
      + "store which is put back from a backup of up to this age gets it again.")
}
