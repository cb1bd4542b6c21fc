import GatewayCore
import ServiceKit
import Transport

/// One of the gateway's loops: the clients that it was given, and links of its own to the services.
///
/// To the services each loop is a gateway of its own. Loops send each other messages through their
/// mailboxes, and none waits for another.
final class GatewayLoop {
  enum Message: Sendable {
    /// The mailboxes of all loops, this one's included. It is the first message that a loop gets.
    case meet([Mailbox<Message>])
    case serve(AcceptedSocket)
    /// A client that the acceptor had no room for.
    case refused(String, CloseReason)
    case report(Mailbox<LoopReport>)
    /// To be answered by `GatewayLife.News.alive`.
    case showLife
    /// What credentials are derived from, and who the operators are, from now on. To be answered by
    /// `GatewayLife.News.usesNewSecrets`.
    case use(GatewaySecrets)
    /// What is shown and trusted from now on.
    case renew(LoopTLS)
    /// What the process does not use of its files, for the first loop to tell.
    case reloaded(ReloadState)
    case drain(withinMilliseconds: UInt64)
  }

  private let loop: Loop
  private let number: Int
  private let node: GatewayNode
  private let server: ConnectionServer
  /// Until when the files are good that are in use.
  private var terms: [CertificateTerm]
  /// The first loop writes it for all.
  private let metricsFile: MetricsFile?
  private let life: Mailbox<GatewayLife.News>

  init(
    loop: Loop, number: Int, plan: GatewayPlan, _ tls: LoopTLS,
    _ limits: SharedLimits, proofs: SharedProofDesk?, clock: GuardedClock, watches: ServiceWatches,
    life: Mailbox<GatewayLife.News>, log: Log
  ) {
    self.loop = loop
    self.number = number
    self.life = life
    let node = GatewayNode(
      loop: loop, number: number, plan: plan, peers: tls.connect(plan, on: loop),
      limits: limits, proofs: proofs, clock: clock, watches: watches, log: log)
    self.node = node
    server = ConnectionServer(
      on: loop, tls: tls.clients, limits: plan.limits,
      queuedBytesMax: GatewayLimits.queuedBytesMax(loops: plan.loops)
    ) { node.accept($0) }
    server.onHandshakeFailure = { node.refused($0, $1) }
    terms = tls.terms
    metricsFile =
      number > 1
      ? nil
      : plan.metricsFile.map { file in
        MetricsFile(
          file, on: loop, log: log, labels: ["service": "gateway", "partition": "1/1"],
          metrics: node.metrics
        ) { [unowned node] in node.collectMetrics($0) }
      }
    node.measureServer = { [unowned self, unowned server, unowned node] in
      let counts = server.counts
      node.network.measure(
        opened: counts.opened, resumed: counts.resumed, failed: counts.handshakesFailed,
        connectionCount: server.connectionCount, openCount: server.openCount)
      // The loops have the same.
      if node.isFirst { node.network.measure(terms, at: ProcessShell.clock()) }
    }
    node.onReady = { life.send(.ready) }
  }

  private(set) lazy var mailbox = loop.mailbox { [unowned self] (message: Message) in
    hear(message)
  }

  private func hear(_ message: Message) {
    switch message {
    case .meet(let mailboxes):
      node.mailboxes = mailboxes
      metricsFile?.start()
    case .serve(let socket): server.serve(socket)
    case .refused(let address, let reason): node.refused(address, reason)
    case .report(let answer): answer.send(node.report)
    case .showLife: life.send(.alive(number: number))
    case .use(let secrets):
      node.use(secrets)
      server.sealTickets(with: secrets.keyring.ticketSecret)
      life.send(.usesNewSecrets)
    case .renew(let tls):
      terms = tls.terms
      server.renew(tls.clients)
      node.peers.renew(tls.services)
    case .reloaded(let state): node.metrics.set(state)
    case .drain(let milliseconds):
      metricsFile?.stop()
      server.drain(within: milliseconds) { [node, life] in
        node.peers.close()
        life.send(.drained)
      }
    }
  }
}
