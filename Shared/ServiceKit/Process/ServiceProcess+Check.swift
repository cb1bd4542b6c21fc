import Domain
import Storage
import Transport
import Wire

extension ServiceProcess {
  /// Tries all that a start does before it binds a port or writes to its store.
  static func check(_ configuration: Configuration, _ companion: CompanionPlan<Core>)
    -> Never
  {
    var check = StartCheck(program)
    let plan = check.part("settings") {
      try ServicePlan(configuration, service: Core.service)
    } says: {
      "partition \($0.partition) listens on \($0.listen.host), port \($0.listen.port)"
    }
    check.part("files that settings name") {
      _ = try companion.make(configuration)
    } says: { _ in
      "can be used"
    }
    if let plan {
      check.part("certificates") {
        try ServiceTLS(plan, of: Core.service).checkOwnCertificates()
      } says: {
        "\(plan.certificate) is good for \($0) days"
      }
      check.part("store") {
        try look(at: plan)
      } says: {
        "there is one in \(plan.store.dataDirectory)" + $0
      }
      check.part("erased list") {
        try ErasureKeeper.keeping { try ErasedList(path: plan.erasedList).look() }
      } says: { isThere in
        isThere
          ? "\(plan.erasedList) can be kept"
          : "\(plan.erasedList) is not there, and a start makes an empty one; where players were "
            + "erased, put its newest copy there first"
      }
    }
    check.folders(configuration)
    check.end()
  }

  /// Returns what is to be said of the store beside that it is there.
  private static func look(at plan: ServicePlan) throws(ProcessShell.Fatal) -> String {
    let look: StoreLook
    do {
      look = try SQLiteStore.look(
        directory: plan.store.dataDirectory, name: Core.service.name, partition: plan.partition,
        tables: Engine.tables(of: Core.self))
    } catch { throw noStart(error, plan.store) }
    switch look {
    case .whole(let lastTime):
      try StartClock.check(ProcessShell.clock(), lastTime: lastTime, plan.numbers)
      return ""
    case .hidden:
      return "; its last change is in a write-ahead log, so the check cannot tell whether the "
        + "clock and all of its tables and batches suit the start"
    }
  }
}
