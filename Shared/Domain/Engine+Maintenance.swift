import Wire

/// Removes old rows of the engine's own tables, and dates those of older versions. A timer of this
/// process applies it; nobody sends it.
struct MaintainEngine: Operation {
  typealias Reply = Empty
  /// No service has this opcode.
  static let opcode = Opcode(rawValue: 0xffff)
  static var access: Access { .timersAlone }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

extension Engine {
  /// Rows of the audit that one step looks at.
  static var auditStepMax: Int { 64 }

  /// Sets the timer for the next maintenance, unless it is due before.
  func scheduleMaintenance(at due: Int64) {
    guard due < maintenanceDue else { return }
    maintenanceDue = due
    timers.setUnkept(TimerKey(MaintainEngine.opcode, on: maintenanceKey), due: due, "", [])
  }

  func maintain(_ transaction: inout Transaction) throws(Stop) {
    let range = ColdRange(
      table: AuditRow.tableID, from: [], through: UInt64.max.keyBytes, limit: Self.auditStepMax)
    let rows = try transaction.rows(AuditRow.self, in: range)
    let now = transaction.now
    let old = rows.prefix { $0.time + auditKept < now }
    for row in old { transaction.remove(AuditRow.self, row.key) }
    forgetRefused(atMost: EffectLimits.forgottenPerStep, &transaction.gathered)
    forgetParked(atMost: EffectLimits.forgottenPerStep, &transaction.gathered)
    forgetRetained(atMost: EffectLimits.forgottenRetainedPerStep, &transaction.gathered)
    for row in inbox.takeUndated() { transaction.put(row) }
    var next = [refusedKeys.nextTime, parkedKeys.nextTime, nextRetainedTime].compactMap { $0 }
    if inbox.hasUndated { next.append(now) }
    if old.count < rows.count {
      next.append(rows[old.count].time + auditKept + 1)
    } else if old.count == Self.auditStepMax {
      next.append(now)
    }
    maintenanceDue = .max
    // What has waited for this step alone is not late.
    if let due = next.min() { scheduleMaintenance(at: max(due, now)) }
  }
}
