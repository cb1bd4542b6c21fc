import Domain
import Storage
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ServiceProcess {
  /// Marks a store after stores of the deployment were put back from backups: see `RestoreRow`. To
  /// mark one again, or one that was not put back, does no harm: its receivers are told again of
  /// what they know.
  static func markRestored(_ plan: StorePlan, _ settings: SettingValues) throws {
    let store = try openStore(plan)
    defer { store.close() }
    let (lastTime, clock) = (store.lastTime, ProcessShell.clock())
    try StartClock.check(clock, lastTime: lastTime, settings)
    var previous: RestoreRow?
    let table = TableDescription(RestoreRow.self, .resident)
    try store.load(table) { previous = try RestoreRow(decoding: $0) }
    let time = max(lastTime, clock)
    var changes = RowChanges()
    changes.put(RestoreRow(after: previous, lastBatch: store.lastBatch, time: time))
    try store.commit(Batch(number: store.lastBatch + 1, changes: changes), time: time)
    let last = lastTime == 0 ? "it is empty" : "its last change is of \(Log.time(lastTime))"
    SystemFile.write(
      "muster-\(Core.service.name): marked the store in \(plan.dataDirectory); \(last)\n",
      to: STDOUT_FILENO)
  }
}
