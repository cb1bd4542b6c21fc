import Domain
import Foundation
import ServiceKit
import Transport
import Wire

@main
enum GatewayMain {
  static let program = "muster-gateway"

  static func main() async {
    let configuration = ProcessShell.configuration(
      program: program, summary: "the one door of Muster, the social backend for games",
      settings: GatewaySettings.all)
    let log = ProcessShell.log(configuration, source: program)
    do {
      let plan = try GatewayPlan(configuration)
      let thread = LoopThread(name: program)
      let (ended, end) = AsyncStream.makeStream(of: ProcessShell.ExitCode.self)
      try await thread.run { loop in
        let life = GatewayLife(loop: loop, plan: plan, log: log) { end.yield($0) }
        // Kept before it starts: when it fails half-way, what it began may still call it.
        loop.keep(life)
        try life.start(configuration)
      }
      for await code in ended { exit(code.rawValue) }
    } catch {
      ProcessShell.end(program, error)
    }
  }
}

/// One run of the gateway's process, from listening to its end.
final class GatewayLife {
  private let loop: Loop
  private let plan: GatewayPlan
  private let log: Log
  private let end: @Sendable (ProcessShell.ExitCode) -> Void
  private var node: GatewayNode?
  private var listener: Listener?
  private var isStopping = false

  init(
    loop: Loop, plan: GatewayPlan, log: Log,
    end: @escaping @Sendable (ProcessShell.ExitCode) -> Void
  ) {
    self.loop = loop
    self.plan = plan
    self.log = log
    self.end = end
  }

  func start(_ configuration: Configuration) throws {
    var links: [Service: [Link]] = [:]
    for (service, addresses) in plan.services {
      let tls = try TLSClientContext(
        trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
        serverName: PeerRole.certificateName(of: service))
      links[service] = addresses.map {
        Link(on: loop, host: $0.host, port: $0.port, tls: tls, limits: .server)
      }
    }
    let node = GatewayNode(
      loop: loop, plan: plan, peers: Peers(links: links, here: nil), log: log)
    self.node = node
    // The ticket secret is derived, so that every gateway resumes every gateway's TLS sessions.
    let tls = try TLSServerContext(
      certificate: plan.clientCertificate, key: plan.clientKey, clientCertificates: .none,
      ticketSecret: Crypto.hmacSHA256(key: plan.authSecret, data: Array("tickets".utf8)))
    let listener = try Listener(
      on: loop, host: plan.listen.host, port: plan.listen.port, tls: tls, limits: plan.limits,
      connectionCountMax: plan.connectionsMax
    ) { connection in node.accept(connection) }
    listener.onHandshakeFailure = { node.refused($0, $1) }
    node.onReady = { [unowned self] in
      do {
        try ProcessShell.announceReady(
          GatewayMain.program, port: listener.port, configuration)
      } catch {
        log.error("the ready file cannot be written", ["reason": "\(error)"])
        end(.unavailable)
      }
    }
    self.listener = listener
    for signal in [SIGTERM, SIGINT] { loop.onSignal(signal) { [unowned self] in stop() } }
  }

  /// Accepts nothing new and lets clients have what was already answered.
  private func stop() {
    if isStopping {
      end(.success)
      return
    }
    isStopping = true
    log.info("stopping")
    listener?.stopAccepting()
    listener?.drain(within: UInt64(max(1, plan.graceSeconds)) * 1000) { [unowned self] in
      node?.peers.close()
      log.info("stopped")
      end(.success)
    }
  }
}
