public import Domain
import Storage
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The `main` of a service's executable.
public enum ServiceProcess<Core: ServiceCore> {
  /// - Parameter prepare: gives the core what of the world its rules need, before its rows come.
  public static func run(
    summary: String, prepare: @escaping @Sendable (Core) -> Void = { _ in }
  ) async -> Never {
    await run(summary: summary, prepare: prepare, companion: CompanionPlan())
  }

  /// As above, for a process that does more than to answer calls.
  package static func run(
    summary: String, prepare: @escaping @Sendable (Core) -> Void = { _ in },
    companion: CompanionPlan<Core>
  ) async -> Never {
    let program = "muster-\(Core.service.name)"
    let configuration = ProcessShell.configuration(
      program: program, summary: summary, settings: settings + companion.settings)
    let log = ProcessShell.log(configuration, source: program)
    do {
      let plan = try ServicePlan(configuration, service: Core.service)
      let makeCompanion = try companion.make(configuration)
      let store = try openStore(plan)
      let thread = LoopThread(name: program)
      let (ended, end) = AsyncStream.makeStream(of: ProcessShell.ExitCode.self)
      try await thread.run { loop in
        let core = Core(settings: plan.numbers)
        prepare(core)
        let made = makeCompanion?(core)
        try start(
          core, with: made, on: loop, plan: plan, configuration, store: store, log: log
        ) { code in end.yield(code) }
      }
      var code = ProcessShell.ExitCode.software
      for await first in ended {
        code = first
        break
      }
      exit(code.rawValue)
    } catch {
      ProcessShell.end(program, error)
    }
  }

  static var settings: [Setting] {
    CommonSettings.all(port: CommonSettings.defaultPort(Core.service)) + [
      Setting(
        "data-directory", fallback: ".muster/\(Core.service.name)",
        "Where the store's files are; made when it is not there."),
      Setting(
        "erased-list",
        "The file that lists who was erased, so that a backup brings nobody back; DATA-DIRECTORY.erased "
          + "unless set."),
      Setting(
        "partition", fallback: "1/1", "Which of how many processes of this service this is."),
      Setting(
        "must-exist", .flag, fallback: "false",
        "Refuse to start on an empty data directory, for a process that must have its data."),
    ] + CommonSettings.addresses
      + Engine.settings(of: Core.self).map { Setting($0) }
  }

  private static func openStore(_ plan: ServicePlan) throws -> SQLiteStore {
    do {
      return try SQLiteStore(
        directory: plan.dataDirectory, name: Core.service.name,
        tables: Engine.tables(of: Core.self),
        options: SQLiteOptions(createIfMissing: !plan.mustExist, partition: plan.partition))
    } catch {
      throw ProcessShell.Fatal(.unavailable, error.textAtStart)
    }
  }

  /// Loads, listens, and arranges for the end; all on the loop.
  private static func start(
    _ core: Core, with companion: (any ServiceCompanion)?, on loop: Loop, plan: ServicePlan,
    _ configuration: Configuration, store: SQLiteStore, log: Log,
    end: @escaping @Sendable (ProcessShell.ExitCode) -> Void
  ) throws {
    let engine = Engine(
      core: core, partition: plan.partition, store: store.storeID, lastBatch: store.lastBatch,
      lastTime: store.lastTime, clock: ProcessShell.clock(), random: .system)
    let erasures = ErasureKeeper(ErasedList(path: plan.erasedList), log: log)
    try erasures.begin(engine)
    let began = ContinuousClock.now
    try engine.load(store.load)
    let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
    log.info(
      "loaded", ["milliseconds": "\(Int(milliseconds))", "batch": "\(store.lastBatch)"])
    let life = ServiceLife(loop: loop, log: log, store: store, companion: companion, end: end)
    // It is kept before it starts: if that fails half-way, what it has begun may still call it.
    loop.keep(life)
    try life.start(engine: engine, erasures: erasures, plan: plan)
    try ProcessShell.announceReady(
      "muster-\(Core.service.name)", port: life.port, configuration)
  }
}

/// The configuration of a service's process.
struct ServicePlan: Sendable {
  var listen: NetworkAddress
  var certificate: String
  var key: String
  var authority: String
  var dataDirectory: String
  var erasedList: String
  var mustExist: Bool
  var partition: Partition
  /// The core's settings, and those of every process.
  var numbers: SettingValues
  var peers: [Service: [NetworkAddress]] = [:]

  init(_ configuration: Configuration, service: Service) throws(ConfigurationError) {
    listen = try NetworkAddress(configuration.required("listen"), setting: "listen")
    certificate = try configuration.required("certificate")
    key = try configuration.required("key")
    authority = try configuration.required("authority")
    dataDirectory = try configuration.required("data-directory")
    erasedList = configuration["erased-list"] ?? "\(dataDirectory).erased"
    mustExist = configuration.flag("must-exist")
    guard let partition = Partition(try configuration.required("partition")) else {
      throw ConfigurationError("--partition takes N/M with N from 1 to M, at most \(Slot.count).")
    }
    self.partition = partition
    numbers = configuration.numbers
    peers = try configuration.addresses()
    // A service of several processes reaches its other partitions too.
    if partition.count == 1 {
      peers[service] = nil
    } else if case let count = peers[service]?.count ?? 0, count != partition.count {
      throw ConfigurationError(
        "--\(service.name) names \(count) addresses for \(partition.count) partitions.")
    }
  }
}
