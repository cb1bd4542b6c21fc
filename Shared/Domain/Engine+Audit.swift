public import Wire

// The audit is not in memory, so the engine cannot tell by itself what of it is old: the process
// reads the oldest rows for it now and then.

extension Engine {
  /// Rows that one step looks at and may remove.
  static var auditTrimMax: Int { 64 }
  /// Rows are kept for longer than a year: an hour more is nothing.
  static var auditTrimMilliseconds: Int64 { 3600 * 1000 }

  /// The oldest rows of the audit, when it is time to hand them to `trimAudit`.
  public func auditToTrim(clock: Int64) -> ColdRange? {
    let now = time(clock: clock)
    guard now >= nextAuditTrim else { return nil }
    nextAuditTrim = now + Self.auditTrimMilliseconds
    return ColdRange(
      table: AuditRow.tableID, from: [], through: UInt64.max.keyBytes, limit: Self.auditTrimMax)
  }

  /// Removes those of the oldest rows that were kept for long enough. When that is all of them, the
  /// next ones are due at once.
  public func trimAudit(_ rows: [[UInt8]], clock: Int64) throws(WireError) -> RowChanges {
    let now = time(clock: clock)
    var changes = RowChanges()
    for bytes in rows {
      let row = try AuditRow(decoding: bytes)
      guard row.time + auditKept < now else { return changes }
      changes.remove(AuditRow.self, row.key)
    }
    if rows.count == Self.auditTrimMax { nextAuditTrim = now }
    return changes
  }
}
