import ServiceKit
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One run of the gateway's process, from taking the port to its end; on the first of its loops.
final class GatewayLife {
  /// What each loop reports: once, but for that it lives and what it was told to use.
  enum News: Sendable {
    case ready
    case drained
    case usesNewSecrets
    /// The loop turns: it has found the question in its mailbox.
    case alive(number: Int)
  }

  private let loop: Loop
  private let plan: GatewayPlan
  private let configuration: Configuration
  private let log: Log
  private let end: @Sendable (ProcessShell.ExitCode) -> Void
  private let acceptor: Acceptor
  private let reports: ManagerReports
  private let terms: [CertificateTerm]
  private var mailboxes: [Mailbox<GatewayLoop.Message>] = []
  /// The index of the loop that gets the next client.
  private var nextLoop = 0
  private var readyCount = 0
  private var drainedCount = 0
  /// What was last read of them, and how many loops have not begun to use what was read.
  private var secrets: GatewaySecrets
  private var usingCount = 0
  private var isStopping = false

  init(
    loop: Loop, plan: GatewayPlan, _ configuration: Configuration, hosts: any HostGuard,
    terms: [CertificateTerm], log: Log,
    end: @escaping @Sendable (ProcessShell.ExitCode) -> Void
  ) throws {
    self.loop = loop
    self.plan = plan
    self.configuration = configuration
    self.log = log
    self.end = end
    self.terms = terms
    secrets = plan.secrets
    reports = ManagerReports(on: loop, log: log)
    acceptor = try Acceptor(
      on: loop, host: plan.listen.host, port: plan.listen.port,
      connectionCountMax: plan.connectionsMax, hosts: hosts, proxies: plan.proxies)
  }

  /// Where the loops report.
  private(set) lazy var news = loop.mailbox { [unowned self] (news: News) in hear(news) }

  /// Accepts clients, and gives them to the loops in turn.
  ///
  /// In turn rather than to the one with the fewest: connections last long and cost about the same,
  /// so both come to the same, and this needs no count that loops would have to share.
  func serve(with mailboxes: [Mailbox<GatewayLoop.Message>]) {
    self.mailboxes = mailboxes
    for mailbox in mailboxes { mailbox.send(.meet(mailboxes)) }
    keepFiles()
    secrets.tell(log)
    for signal in [SIGTERM, SIGINT] { loop.onSignal(signal) { [unowned self] in stop() } }
    acceptor.onRefusal = { [mailboxes] address, reason in
      mailboxes[0].send(.refused(address, reason))
    }
    acceptor.start { [unowned self] socket in
      mailboxes[nextLoop].send(.serve(socket))
      nextLoop = (nextLoop + 1) % mailboxes.count
    }
    announceWhenReady()
  }

  /// The secrets come first, so that a revocation waits for no certificate, and the contexts that
  /// the certificates make seal tickets with the key that is current by then.
  private func keepFiles() {
    let renewal = FileRenewal(on: loop, log: log, reports: reports)
    renewal.onChange = { [mailboxes] in mailboxes[0].send(.reloaded($0)) }
    if secrets.path != nil {
      renewal.add(.keys) { [unowned self] in
        return { [secrets] in try secrets.readAnew() }
      } use: { [unowned self] new in
        secrets = new
        usingCount += mailboxes.count
        for mailbox in mailboxes { mailbox.send(.use(new)) }
      }
    }
    renewal.addCertificates(terms) { [unowned self] in
      return { [plan = plan.with(secrets)] in try GatewayTLS(plan) }
    } use: { [unowned self] tls in
      for (mailbox, own) in zip(mailboxes, tls.loops) { mailbox.send(.renew(own)) }
    }
    renewal.addConfiguration(plan.configurationFile)
    renewal.start()
  }

  private func hear(_ news: News) {
    switch news {
    case .alive(let number): reports.heard(from: number - 1)
    case .usesNewSecrets:
      usingCount -= 1
      if usingCount == 0 { secrets.tell(log) }
    case .ready:
      readyCount += 1
      announceWhenReady()
    case .drained:
      drainedCount += 1
      guard drainedCount == mailboxes.count else { return }
      log.info("stopped")
      end(.success)
    }
  }

  /// Announces the gateway once every loop is ready and a signal would stop the process; not one
  /// that is stopping already.
  private func announceWhenReady() {
    guard readyCount == plan.loops, !mailboxes.isEmpty, !isStopping else { return }
    do {
      try ProcessShell.announceReady(GatewayMain.program, port: acceptor.port, configuration)
      reports.ready(port: acceptor.port)
      reports.watch(parts: mailboxes.count) { [mailboxes] in
        for mailbox in mailboxes { mailbox.send(.showLife) }
      }
    } catch {
      log.error("the ready file cannot be written", ["reason": "\(error)"])
      end(.unavailable)
    }
  }

  /// Takes no more clients and calls, and closes each connection when its calls are answered.
  private func stop() {
    if isStopping {
      end(.success)
      return
    }
    isStopping = true
    log.info("stopping")
    reports.stopping()
    acceptor.stop()
    for mailbox in mailboxes {
      mailbox.send(.drain(withinMilliseconds: max(1000, plan.stopGraceMilliseconds)))
    }
  }
}
