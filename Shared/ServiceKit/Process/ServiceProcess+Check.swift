import Domain
import Storage
import Transport
import Wire

extension ServiceProcess {
  /// Tries all that a start does before it binds a port or writes to its store. Each part reads its
  /// settings by itself, so that a fault of one hides no other.
  ///
  /// - Parameter faults: what is wrong with values of settings.
  static func check(
    _ configuration: Configuration, _ faults: ConfigurationFaults,
    _ companion: CompanionPlan<Core>
  ) -> Never {
    var check = StartCheck(program, faults)
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
    check.certificateFiles(configuration)
    check.part("certificates") {
      let files = try CertificateFiles(configuration)
      let peers = plan.map { Array($0.peers.keys) } ?? []
      let tls = try ServiceTLS(files, to: peers, of: Core.service)
      return (files.certificate, try tls.checkOwnCertificates())
    } says: {
      "\($0.0) is good for \($0.1) days"
    }
    check.part("store") {
      let store = try StorePlan(configuration)
      return (store.dataDirectory, try look(at: store, configuration.numbers))
    } says: {
      "there is one in \($0.0)" + $0.1
    }
    check.part("erased list") {
      let store = try StorePlan(configuration)
      let look = try ErasureKeeper.keeping { try ErasedList(path: store.erasedList).look() }
      return (store.erasedList, isThere: look)
    } says: {
      $0.isThere
        ? "\($0.0) can be kept"
        : "\($0.0) is not there, and a start makes an empty one; where players were "
          + "erased, put its newest copy there first"
    }
    check.folders(configuration)
    check.end()
  }

  /// Returns what is to be said of the store beside that it is there.
  private static func look(at plan: StorePlan, _ numbers: SettingValues)
    throws(ProcessShell.Fatal) -> String
  {
    let look: StoreLook
    do {
      look = try SQLiteStore.look(
        directory: plan.dataDirectory, name: Core.service.name, partition: plan.partition,
        tables: Engine.tables(of: Core.self))
    } catch { throw noStart(error, plan) }
    switch look {
    case .whole(let lastTime):
      try StartClock.check(ProcessShell.clock(), lastTime: lastTime, numbers)
      return ""
    case .hidden:
      return "; its last change is in a write-ahead log, so the check cannot tell whether the "
        + "clock and all of its tables and batches suit the start"
    }
  }
}
