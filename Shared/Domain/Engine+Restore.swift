import Wire

// Confirmed effects are kept for stores that are put back from backups: see `RestoreRows`.

extension Engine {
  func registerRestore(_ tables: inout Tables) {
    // Before the effects that it says are to be sent again.
    tables.resident(RestoreRow.self, about: .nobody) { [unowned self] in
      restored = $0
      beginLife()
    }
    tables.cold(HeldRow.self, about: .playersInBytes) { [unowned self] in loadHeld($0) }
    tables.erases(HeldRow.self) { [unowned self] (row, erasure, transaction) in
      let rest = self.rest(of: row, erasure)
      transaction.remove(HeldRow.self, row.key)
      transaction.put(rest)
      if resending.contains(row.key), outbox.remove(row.key) != nil {
        outbox.insert(OutboxRow(rest.effect))
      }
    }
  }

  private func loadHeld(_ row: HeldRow) {
    guard row.key.sequence <= restored.resendThrough else {
      return heldKeys.add(row.key, time: row.time)
    }
    resentKeys.add(row.key, time: row.time)
    resending.insert(row.key)
    if outbox.rows[row.key] == nil { outbox.insert(OutboxRow(row.effect)) }
  }

  /// The number of effects that are kept although they were confirmed.
  public var heldEffectCount: Int { resentKeys.count + heldKeys.count }
  /// Of these, the ones that were not confirmed again since the store was marked as put back.
  public var resendingCount: Int { resending.count }

  /// Keeps an effect that has left the outbox since it was confirmed. What is for this process is
  /// in the same backup, and erasures are on a list beside it.
  func hold(_ row: OutboxRow, _ changes: inout RowChanges) {
    if resending.contains(row.key) { return resent(row.key, &changes) }
    let isOwn =
      Opcode(rawValue: row.opcode).service == service && partition.owns(Slot.of(row.routingKey))
    if heldKeys.keptMillisecondsMax == 0 || isOwn || isErasure(row) { return }
    heldKeys.add(row.key, time: lastTime)
    changes.put(HeldRow(row.effect, time: lastTime))
    forgetHeld(atMost: EffectLimits.forgottenPerAddition, &changes)
    scheduleMaintenance(at: lastTime + heldKeys.keptMillisecondsMax + 1)
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
  func forgetHeld(atMost stepMax: Int, _ changes: inout RowChanges) {
    var old: [(key: OutboxKey, time: Int64)] = []
    if resending.isEmpty {
      old = resentKeys.takeOld(now: lastTime, atMost: stepMax, beside: heldKeys.count)
    }
    old += heldKeys.takeOld(now: lastTime, atMost: stepMax - old.count)
    for (key, _) in old { changes.remove(HeldRow.self, key) }
  }

  /// When the next held effect is to be forgotten; nil for none.
  var nextHeldTime: Int64? {
    let times = [resending.isEmpty ? resentKeys.nextTime : nil, heldKeys.nextTime]
    return times.compactMap { $0 }.min()
  }
}
