import Wire

// Confirmed effects are kept for stores that are put back from backups: see `RestoreRows`.

extension Engine {
  func registerRestore(_ tables: inout Tables) {
    // Before the effects that it says are to be sent again.
    tables.resident(RestoreRow.self, about: .nobody) { [unowned self] in
      restored = $0
      beginLife()
    }
    tables.cold(RetainedRow.self, about: .playersInBytes) { [unowned self] in loadRetained($0) }
    tables.erases(RetainedRow.self) { [unowned self] (row, erasure, transaction) in
      let rest = self.rest(of: row, erasure)
      transaction.remove(RetainedRow.self, row.key)
      transaction.put(rest)
      if resending.contains(row.key), outbox.remove(row.key) != nil {
        outbox.insert(resentRow(rest.effect))
      }
    }
  }

  private func loadRetained(_ row: RetainedRow) {
    guard row.key.sequence <= restored.resendThrough else {
      return retainedKeys.add(row.key, time: row.time, bytes: row.effect.byteCount)
    }
    resentKeys.add(row.key, time: row.time, bytes: row.effect.byteCount)
    resending.insert(row.key)
    if outbox.rows[row.key] == nil { outbox.insert(resentRow(row.effect)) }
  }

  /// An effect that was confirmed is open again since the store was marked.
  private func resentRow(_ effect: StoredEffect) -> OutboxRow {
    OutboxRow(effect, time: StoreLife.time(restored.life))
  }

  /// The number of effects that are kept although they were confirmed.
  public var retainedEffectCount: Int { resentKeys.count + retainedKeys.count }
  /// About how many bytes their rows have.
  public var retainedEffectBytes: Int { resentKeys.bytes + retainedKeys.bytes }
  /// When the oldest of them was confirmed since which none was dropped, in milliseconds since
  /// 1970; nil for none. Those that are sent again stay although newer ones are dropped.
  public var oldestRetainedTime: Int64? {
    let end = restored.droppedThrough
    return [resentKeys, retainedKeys].compactMap { $0.oldestTime(after: end) }.min()
  }
  /// Of these, the ones that were not confirmed again since the store was marked as put back.
  public var resendingCount: Int { resending.count }

  /// Keeps an effect that has left the outbox since it was confirmed. What is for this process is
  /// in the same backup, and erasures are on a list beside it.
  func retain(_ row: OutboxRow, _ changes: inout RowChanges) {
    if resending.contains(row.key) { return resent(row.key, &changes) }
    let isOwn =
      Opcode(rawValue: row.opcode).service == service && partition.owns(Slot.of(row.routingKey))
    if retainedKeys.keptMillisecondsMax == 0 || isOwn || isErasure(row) { return }
    retainedKeys.add(row.key, time: lastTime, bytes: row.effect.byteCount)
    changes.put(RetainedRow(row.effect, time: lastTime))
    forgetRetained(atMost: EffectLimits.forgottenPerAddition, &changes)
    // A large effect takes the room of many small ones.
    let isOver = areRetainedOver
    scheduleMaintenance(at: lastTime + (isOver ? 0 : retainedKeys.keptMillisecondsMax + 1))
  }

  /// An effect that was sent again was confirmed again, or refused. It is sent no more from the
  /// next start on once all of them were.
  func resent(_ key: OutboxKey, _ changes: inout RowChanges) {
    guard resending.remove(key) != nil, resending.isEmpty else { return }
    restored.resendThrough = 0
    changes.put(restored)
    scheduleMaintenance(at: lastTime)
  }

  /// What is sent again stays until all of it is confirmed: a process that ends before begins anew.
  /// What was confirmed since is forgotten meanwhile: one receiver that is away must not have the
  /// others' effects pile up.
  func forgetRetained(atMost stepMax: Int, _ changes: inout RowChanges) {
    var old: [(key: OutboxKey, time: Int64)] = []
    if resending.isEmpty {
      old = resentKeys.takeOld(now: lastTime, atMost: stepMax, beside: retainedKeys)
    }
    let newer = retainedKeys.takeOld(now: lastTime, atMost: stepMax - old.count)
    if let last = newer.last, !resending.isEmpty {
      restored.droppedThrough = last.time
      changes.put(restored)
    }
    old += newer
    for (key, time) in old {
      if !retainedKeys.isOld(time, at: lastTime) { droppedRetainedCount += 1 }
      changes.remove(RetainedRow.self, key)
    }
  }

  private var areRetainedOver: Bool {
    retainedKeys.isOver() || resending.isEmpty && resentKeys.isOver(beside: retainedKeys)
  }

  /// When the next retained effect is to be forgotten; nil for none.
  var nextRetainedTime: Int64? {
    if areRetainedOver { return lastTime }
    let times = [resending.isEmpty ? resentKeys.nextTime : nil, retainedKeys.nextTime]
    return times.compactMap { $0 }.min()
  }
}
