import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

@testable import muster_gateway

/// A gateway on a loop, between one client and a process of each service: all in memory, and the
/// processes say what a test wants.
final class GatewayBetween {
  let node: GatewayNode
  /// An event has reached the client.
  var onEvent: (Opcode) -> Void = { _ in }
  /// The client's connection has ended.
  var onClosed: () -> Void = {}
  /// The process at the place of a service has sent its description.
  var onDescribed: (Service) -> Void = { _ in }
  /// A process was told that a client is gone.
  var onChannelClosed: (ServiceEnvelope, ChannelEnd) -> Void = { _, _ in }
  private var processes: [Service: FakeProcess] = [:]
  private var session: UInt64 = 0

  /// - Parameter saying: what processes say that they are, where that is not the service at whose
  ///   place they stand.
  init(
    on loop: Loop, services: [Service], saying: [Service: Service] = [:],
    linkLimits: ConnectionLimits = .server
  ) throws {
    let plan = try GatewayPlan(GatewayPlan.configuration())
    let log = Log(source: "gateway between")
    var links: [Service: [Link]] = [:]
    for service in services {
      var description = ServiceDescription()
      description.service = (saying[service] ?? service).rawValue
      let process = FakeProcess(description)
      processes[service] = process
      let port = LocalPort(on: loop) { _ in process }
      links[service] = [Link(on: loop, to: port, limits: linkLimits)]
    }
    node = GatewayNode(
      loop: loop, number: 1, plan: plan, peers: Peers(links: links, here: nil),
      limits: SharedLimits(plan), proofs: nil, clock: GuardedClock(log: log),
      watches: ServiceWatches([:], log: log, now: 0), log: log)
    for (service, process) in processes {
      process.onDescribed = { [unowned self] in onDescribed(service) }
      process.onChannelClosed = { [unowned self] in onChannelClosed($0, $1) }
    }
    let ends = LocalTransport.pair(on: loop)
    let client = node.accept(ends.server)
    ends.server.delegate = client
    ends.client.delegate = self
    session = (client as? ClientConnection)?.session.number.rawValue ?? 0
  }

  /// Has the process of a service send an event to the client.
  func push(_ opcode: Opcode, _ body: [UInt8] = [], from service: Service) {
    processes[service]?.push(opcode, Enveloped.join(PushEnvelope(session: session), body))
  }
}

extension GatewayBetween: ConnectionDelegate {
  func connectionReady(_ connection: Connection) {}
  func connectionClosed(_ connection: Connection, reason: CloseReason) { onClosed() }
  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    if header.kind == .event { onEvent(Opcode(rawValue: header.opcode)) }
  }
}

/// A process of a service that only describes itself, and sends events.
private final class FakeProcess: ConnectionDelegate {
  var onDescribed: () -> Void = {}
  var onChannelClosed: (ServiceEnvelope, ChannelEnd) -> Void = { _, _ in }
  private let description: ServiceDescription
  private var connection: Connection?

  init(_ description: ServiceDescription) { self.description = description }

  func push(_ opcode: Opcode, _ body: [UInt8]) {
    connection?.send(
      FrameHeader(kind: .event, opcode: opcode.rawValue, correlation: 0), body: body)
  }

  func connectionReady(_ connection: Connection) { self.connection = connection }
  func connectionClosed(_ connection: Connection, reason: CloseReason) { self.connection = nil }
  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    if header.kind != .request { return }
    switch UInt8(truncatingIfNeeded: header.opcode) {
    case Control.describe:
      connection.send(
        FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
        body: description.encoded)
      onDescribed()
    case Control.channelClosed:
      guard let (envelope, operation) = try? Enveloped.split(ServiceEnvelope.self, body),
        let end = try? ChannelEnd(decoding: operation)
      else { return }
      onChannelClosed(envelope, end)
    default: break
    }
  }
}

/// Runs a test with a gateway on a loop; what the test tells first is what came of it.
func withGateway<Found: Sendable>(
  _ services: [Service], saying: [Service: Service] = [:],
  linkLimits: ConnectionLimits = .server,
  _ body: @escaping @Sendable (GatewayBetween, @escaping (Found) -> Void) -> Void
) async throws -> Found? {
  let (found, tell) = AsyncStream.makeStream(of: Found.self)
  let thread = LoopThread(name: "between")
  try await thread.run { loop in
    let gateway = try GatewayBetween(
      on: loop, services: services, saying: saying, linkLimits: linkLimits)
    loop.keep(gateway)
    body(gateway) { tell.yield($0) }
  }
  let first = await found.first { _ in true }
  thread.stop()
  await thread.stopped()
  return first
}
