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
        _ = try ServiceTLS(plan, of: Core.service)
        return try ServiceTLS.check(plan, of: Core.service)
      } says: {
        "\(plan.certificate) is good for \($0) days"
      }
      check.part("store") {
        try look(at: plan.store)
      } says: { _ in
        "there is one in \(plan.store.dataDirectory)"
      }
      check.part("erased list") {
        try ErasureKeeper.keeping { try ErasedList(path: plan.erasedList).look() }
      } says: { _ in
        "\(plan.erasedList) can be kept"
      }
    }
    check.end()
  }

  private static func look(at plan: StorePlan) throws(ProcessShell.Fatal) {
    do {
      try SQLiteStore.look(
        directory: plan.dataDirectory, name: Core.service.name, partition: plan.partition)
    } catch { throw noStart(error, plan) }
  }
}
