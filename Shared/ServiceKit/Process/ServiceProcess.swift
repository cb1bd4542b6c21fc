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
    let (configuration, task, faults) = ProcessShell.request(
      program: program, summary: summary, settings: settings + companion.settings)
    let log = ProcessShell.log(configuration, source: source(configuration))
    do {
      if task == StartCheck.task { check(configuration, faults, companion) }
      if let task {
        let plan = try StorePlan(configuration)
        if task == restoredTask.name {
          try markRestored(plan, configuration.numbers)
        } else {
          try createStore(plan)
        }
        exit(ProcessShell.ExitCode.success.rawValue)
      }
      var plan = try ServicePlan(configuration, service: Core.service)
      ProcessShell.logStart(log)
      plan.metrics = .service + companion.metrics
      let makeCompanion = try companion.make(configuration)
      let store = try openStore(plan.store)
      let thread = LoopThread(name: program)
      let (ended, end) = AsyncStream.makeStream(of: ProcessShell.ExitCode.self)
      try await thread.run { [plan] loop in
        let core = Core(settings: plan.numbers)
        prepare(core)
        let made = makeCompanion?(core)
        try start(
          core, with: made, on: loop, plan: plan, configuration, store: store, log: log
        ) {
          companion.measure(core, $0)
        } end: { code in
          end.yield(code)
        }
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

  static var program: String { "muster-\(Core.service.name)" }

  /// How the process is called in its lines: of several of one service each says which it is.
  private static func source(_ configuration: Configuration) -> String {
    let partition = Partition(configuration["partition"] ?? "") ?? .whole
    return partition == .whole ? program : "\(program) \(partition)"
  }

  static var settings: [Setting] {
    CommonSettings.all(port: CommonSettings.defaultPort(Core.service)) + [
      Setting(
        "data-directory", fallback: ".muster/\(Core.service.name)",
        "Where the store's files are."),
      Setting(
        "erased-list",
        "The file that lists who was erased, so that a backup brings nobody back; DATA-DIRECTORY.erased "
          + "unless set."),
      Setting(
        "partition", fallback: "1/1", "Which of how many processes of this service this is."),
      .task(
        "create-store",
        "Makes an empty store in the data directory, unless there is one, and ends. No start makes one, so "
          + "that a lost disk is no empty service."),
      restoredTask,
    ] + CommonSettings.addresses
      + (StartClock.settings + Engine.settings(of: Core.self)).map { Setting($0) }
  }

  private static var restoredTask: Setting {
    .task(
      "restored",
      "Marks the store in the data directory, and ends: stores of the deployment were put back from "
        + "backups. Mark those of all services while all are stopped, and then start them.")
  }

  static func openStore(_ plan: StorePlan) throws(ProcessShell.Fatal) -> SQLiteStore {
    do {
      return try store(plan, createIfMissing: false)
    } catch { throw noStart(error, plan) }
  }

  /// Says what keeps a store from being opened.
  ///
  /// - Parameter user: whom a new store has to belong to; nil for root.
  static func noStart(
    _ error: StoreError, _ plan: StorePlan, user: String? = SystemUser.unprivileged
  ) -> ProcessShell.Fatal {
    guard case .missing = error else { return ProcessShell.Fatal(.unavailable, error.textAtStart) }
    // The folder that was configured, and not the names of its files.
    let text = StoreError.missing(plan.dataDirectory).textAtStart
    let owner = user.map { ", as the user \($0)," } ?? ""
    return ProcessShell.Fatal(
      .unavailable,
      "\(text) Is its disk mounted? Where none was ever made, make one\(owner) by: \(program) "
        + "--data-directory \(plan.dataDirectory) --partition \(plan.partition) --create-store")
  }

  private static func store(_ plan: StorePlan, createIfMissing: Bool) throws(StoreError)
    -> SQLiteStore
  {
    try SQLiteStore(
      directory: plan.dataDirectory, name: Core.service.name, tables: Engine.tables(of: Core.self),
      options: SQLiteOptions(createIfMissing: createIfMissing, partition: plan.partition))
  }

  /// Makes an empty store, or one whose making was cut short, and says so. A store that is there is
  /// left as it is.
  private static func createStore(_ plan: StorePlan) throws(ProcessShell.Fatal) {
    var isThere = true
    do {
      do {
        try store(plan, createIfMissing: false).close()
      } catch .missing {
        isThere = false
        try store(plan, createIfMissing: true).close()
      }
    } catch {
      throw ProcessShell.Fatal(.unavailable, error.textAtStart)
    }
    let text =
      isThere
      ? "there is a store in \(plan.dataDirectory) already"
      : "made a store in \(plan.dataDirectory)"
    SystemFile.write("\(program): \(text)\n", to: STDOUT_FILENO)
  }

  /// Loads, listens, and arranges for the end; all on the loop.
  private static func start(
    _ core: Core, with companion: (any ServiceCompanion)?, on loop: Loop, plan: ServicePlan,
    _ configuration: Configuration, store: SQLiteStore, log: Log,
    measureCore: @escaping (Metrics) -> Void,
    end: @escaping @Sendable (ProcessShell.ExitCode) -> Void
  ) throws {
    let clock = ProcessShell.clock()
    let steadyClock = try StartClock.begin(
      wall: clock, microseconds: ProcessShell.steadyMicroseconds(), lastTime: store.lastTime,
      plan.numbers)
    let engine = Engine(
      core: core, partition: plan.partition, store: store.storeID, lastBatch: store.lastBatch,
      lastTime: store.lastTime, clock: clock, random: .system)
    let erasures = ErasureKeeper(ErasedList(path: plan.erasedList), log: log)
    try erasures.begin(engine)
    let began = ContinuousClock.now
    try engine.load(store.load)
    let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
    log[.store].info(
      "loaded", ["milliseconds": "\(Int(milliseconds))", "batch": "\(store.lastBatch)"])
    let tls = try ServiceTLS(plan, of: Core.service)
    do {
      _ = try tls.checkOwnCertificates()
    } catch { log.error("other processes will not take the certificate", ["reason": error.text]) }
    let life = ServiceLife(
      loop: loop, log: log, store: store, companion: companion, measureCore: measureCore, end: end)
    // It is kept before it starts: if that fails half-way, what it has begun may still call it.
    loop.keep(life)
    try life.start(engine: engine, clock: steadyClock, erasures: erasures, tls: tls, plan: plan)
    try ProcessShell.announceReady(
      "muster-\(Core.service.name)", port: life.port, configuration)
    life.announced()
  }
}

/// Where a service's process has its store, and of which slots.
struct StorePlan: Sendable {
  var dataDirectory: String
  var erasedList: String
  var partition: Partition

  init(_ configuration: Configuration) throws(ConfigurationError) {
    dataDirectory = try configuration.required("data-directory")
    erasedList = configuration["erased-list"] ?? "\(dataDirectory).erased"
    guard let partition = Partition(try configuration.required("partition")) else {
      throw ConfigurationError("--partition takes N/M with N from 1 to M, at most \(Slot.count).")
    }
    self.partition = partition
  }
}

/// The configuration of a service's process: that of every process, and its own.
@dynamicMemberLookup
struct ServicePlan: Sendable {
  private let common: CommonPlan
  var store: StorePlan
  var erasedList: String { store.erasedList }
  var partition: Partition { store.partition }
  /// The processes that it tells something.
  var peers: [Service: [NetworkAddress]]
  /// What the process measures; its companion may have more to measure.
  var metrics = MetricList.service

  subscript<Value>(dynamicMember member: KeyPath<CommonPlan, Value>) -> Value {
    common[keyPath: member]
  }

  init(_ configuration: Configuration, service: Service) throws(ConfigurationError) {
    var faults = ConfigurationFaults()
    let common = CommonPlan(configuration, &faults)
    let store = faults.attempt { try StorePlan(configuration) }
    guard let common, let store else {
      throw faults.error ?? ConfigurationError("The settings do not suffice.")
    }
    (self.common, self.store, peers) = (common, store, common.services)
    // A service of several processes reaches its other partitions too.
    if partition.count == 1 {
      self.peers[service] = nil
    } else if case let count = peers[service]?.count ?? 0, count != partition.count {
      throw ConfigurationError(
        "--\(service.name) names \(count) addresses for \(partition.count) partitions.")
    }
  }
}
