import Domain
import Storage
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One run of a service's process, from listening to its end.
final class ServiceLife {
  /// Handshakes that may be under way at a time. Muster's own processes are few, but whoever
  /// reaches the port may leave handshakes unfinished. The 48 KB that each keeps are 12 MiB.
  static let unfinishedMax = 256

  private let loop: Loop
  private let log: Log
  private let store: any Store
  private let companion: (any ServiceCompanion)?
  private let measureCore: (Metrics) -> Void
  private let end: @Sendable (ProcessShell.ExitCode) -> Void
  private let reports: ManagerReports
  private var node: ServiceNode?
  private var listener: Listener?
  /// Until when the files are good that are in use.
  private var terms: [CertificateTerm] = []
  private var peers: Peers?
  private var committer: Committer?
  private var metricsFile: MetricsFile?
  private var isStopping = false
  private var refusals = LogPace()

  init(
    loop: Loop, log: Log, store: any Store, companion: (any ServiceCompanion)?,
    measureCore: @escaping (Metrics) -> Void,
    end: @escaping @Sendable (ProcessShell.ExitCode) -> Void
  ) {
    self.loop = loop
    self.log = log
    self.store = store
    self.companion = companion
    self.measureCore = measureCore
    self.end = end
    reports = ManagerReports(on: loop, log: log)
  }

  var port: UInt16 { listener?.port ?? 0 }

  /// - Parameter clock: begun at the reading that was checked at the start.
  func start(
    engine: Engine, clock: SteadyClock, erasures: ErasureKeeper, tls: ServiceTLS,
    plan: ServicePlan
  ) throws {
    let peers = makePeers(plan, tls, of: engine)
    let committer = makeCommitter()
    let node = ServiceNode(
      loop: loop, engine: engine, store: store, committer: committer, peers: peers, log: log,
      clock: ProcessShell.clock, steadyClock: clock, metrics: Metrics(plan.metrics))
    let folder = plan.store.dataDirectory
    node.disk = RepeatedLook(on: loop) { DiskRoom.look(at: folder) }
    self.node = node
    self.peers = peers
    self.committer = committer
    listener = try Listener(
      on: loop, host: plan.listen.host, port: plan.listen.port, tls: tls.server, limits: .server,
      connectionCountMax: Int(plan.numbers[.connectionsMax]), unfinishedMax: Self.unfinishedMax
    ) { connection in node.accept(connection) }
    listener?.onHandshakeFailure = { [unowned self] in refused($0, $1) }
    terms = tls.terms
    measure(node)
    node.start()
    writeMetrics(of: node, plan)
    // After what an earlier life left in the outbox is on its way: effects that are not durable yet
    // would be sent with it.
    erasures.eraseMissing(from: engine, by: node)
    companion?.start(on: node)
    keepCertificates(tls, plan, of: engine.service)
    for signal in [SIGTERM, SIGINT] {
      loop.onSignal(signal) { [unowned self] in stop(within: UInt64(plan.numbers[.stopGrace])) }
    }
  }

  /// The process serves, and whoever has started it was told. The manager is told here.
  func announced() {
    reports.ready(port: port)
    reports.watch(parts: 1) { [reports] in reports.heard(from: 0) }
  }

  private func keepCertificates(
    _ tls: ServiceTLS, _ plan: ServicePlan, of service: Service
  ) {
    let renewal = FileRenewal(on: loop, log: log, reports: reports)
    renewal.onChange = { [unowned self] in node?.metrics.set($0) }
    renewal.addCertificates(tls.terms) {
      return { try ServiceTLS(plan, of: service) }
    } use: { [unowned self] tls in
      terms = tls.terms
      listener?.renew(tls.server)
      peers?.renew(tls.services)
    }
    renewal.addConfiguration(plan.configurationFile)
    renewal.start()
  }

  /// Has the node measure the core, what accepts connections, and how long the certificates are
  /// good.
  private func measure(_ node: ServiceNode) {
    node.measureCore = measureCore
    node.measureListener = { [unowned self, unowned node] in
      guard let listener else { return }
      let counts = listener.counts
      node.network.measure(
        opened: counts.opened, resumed: counts.resumed, failed: counts.handshakesFailed,
        connectionCount: listener.connectionCount, openCount: listener.openCount)
      node.network.measure(terms, at: ProcessShell.clock())
    }
  }

  private func writeMetrics(of node: ServiceNode, _ plan: ServicePlan) {
    metricsFile = plan.metricsFile.map { file in
      MetricsFile(
        file, on: loop, log: log,
        labels: ["service": node.engine.service.name, "partition": plan.partition.description],
        metrics: node.metrics
      ) { [unowned node] done in
        node.measure()
        done(node.metrics.values)
      }
    }
    metricsFile?.start()
  }

  /// Only Muster's own processes connect here, so that a failure is news for the operator; but
  /// whoever reaches the port can cause any number.
  private func refused(_ address: String, _ reason: CloseReason) {
    node?.network.closed(reason)
    guard let keptBack = refusals.admit("\(reason.kind)", now: loop.monotonicMilliseconds) else {
      return
    }
    log[.peers].warning(
      "peer refused",
      ["address": address, "reason": "\(reason)", "kept_back": "\(keptBack)"])
  }

  private func makePeers(_ plan: ServicePlan, _ tls: ServiceTLS, of engine: Engine) -> Peers {
    let watches = ServiceWatches(
      plan.peers.mapValues(\.count), log: log, now: loop.monotonicMilliseconds)
    var links: [Service: [Link]] = [:]
    for (service, tls) in tls.services {
      links[service] = plan.peers[service]?.map {
        Link(on: loop, host: $0.host, port: $0.port, tls: tls, limits: .server)
      }
    }
    let peers = Peers(links: links, here: (engine.service, plan.partition))
    for (address, link) in peers.all {
      link.report(to: watches, address, loop: 1)
      link.onStateChange = { [unowned loop] isUp in
        if isUp { watches.opened(address, loop: 1, now: loop.monotonicMilliseconds) }
      }
    }
    watches.start(on: loop)
    return peers
  }

  /// Handles news from the committer's threads, on the loop.
  private enum News: Sendable {
    case committed(UInt64)
    case storageFull(Bool)
    case cleaned(UInt64)
    case notCleaned(StoreError)
    case failed(StoreError)
  }

  private func makeCommitter() -> Committer {
    let mailbox = loop.mailbox { [unowned self] (news: News) in hear(news) }
    return Committer(
      store: store,
      callbacks: Committer.Callbacks(
        committed: { number, result in
          switch result {
          case .success: mailbox.send(.committed(number))
          // It is given up, as the end of the process says.
          case .failure(.full): break
          case .failure(let error): mailbox.send(.failed(error))
          }
        },
        storageFullChanged: { mailbox.send(.storageFull($0)) },
        cleaned: { number, result in
          switch result {
          case .success: mailbox.send(.cleaned(number))
          case .failure(let error): mailbox.send(.notCleaned(error))
          }
        },
        foldFailed: { mailbox.send(.failed($0)) }))
  }

  private func hear(_ news: News) {
    switch news {
    case .committed(let number): node?.committed(number)
    case .storageFull(let isFull):
      node?.isStorageFull = isFull
      if isFull { log[.store].error("disk full") } else { log[.store].info("disk has room again") }
      reports.trouble(isFull ? "The disk is full: changes are refused." : nil)
    case .cleaned(let number):
      node?.cleaned(number)
      log[.store].info("files cleaned", ["batch": "\(number)"])
    case .notCleaned(let error):
      log[.store].warning("files are not cleaned yet", ["reason": error.text])
    case .failed(let error):
      // Only a restart can tell whether the batch was stored; until then nobody may be told
      // anything.
      log[.store].error("store failed", ["reason": error.text])
      end(.software)
    }
  }

  /// Reads nothing more, lets what was read become durable and be answered, then ends.
  private func stop(within milliseconds: UInt64) {
    if isStopping {
      end(.success)
      return
    }
    isStopping = true
    log.info("stopping")
    reports.stopping()
    node?.quiesce()
    metricsFile?.stop()
    companion?.stop()
    let deadline = loop.monotonicMilliseconds + milliseconds
    listener?.drain(within: milliseconds) { [unowned self] in endWhenIdle(deadline) }
  }

  /// Waits for what was no call of a connection, such as timers, and that effects were delivered.
  private func endWhenIdle(_ deadline: UInt64) {
    guard node?.isIdle ?? true || loop.monotonicMilliseconds >= deadline else {
      _ = loop.after(5) { [unowned self] in endWhenIdle(deadline) }
      return
    }
    node?.end()
    peers?.close()
    let (committer, store) = (committer, store)
    loop.work {
      let abandoned = committer.flatMap { $0.stop() }
      store.close()
      return abandoned
    } then: { [unowned self] in
      stopped(without: $0)
    }
  }

  /// - Parameter abandoned: the batch that the disk had no room for; nil where everything is
  ///   stored.
  private func stopped(without abandoned: UInt64?) {
    if let abandoned {
      // Whoever waited for it was told nothing, and asks again.
      log[.store].warning(
        "changes are given up, since the disk is full: none of them was acknowledged",
        ["batch": "\(abandoned)"])
    }
    log.info("stopped")
    end(.success)
  }
}
