public import Transport

/// How a handshake ended.
enum HandshakeOutcome: CaseIterable {
  /// With a certificate shown; with a ticket of an earlier connection; not at all.
  case full, resumed, failed
}

enum ConnectionState: CaseIterable {
  case handshaking, open
}

extension CounterMetric {
  static let handshakes = CounterMetric(
    "handshakes", by: MetricLabel("outcome", casesOf: HandshakeOutcome.self),
    help: "TLS handshakes of connections that were accepted: whole ones, resumptions, failures.")
  static let closedConnections = CounterMetric(
    "connections.closed", by: MetricLabel("reason", casesOf: CloseReason.Kind.self),
    help: "Connections that were accepted and have ended, by the reason.")
  static let readBytes = CounterMetric(
    "network.read", .bytes, help: "Bytes of frames that were read from all connections.")
  static let sentBytes = CounterMetric(
    "network.sent", .bytes, help: "Bytes of frames that were sent to all connections.")
  static let busyTime = CounterMetric(
    "loop.busy", .microseconds, help: "Time in which event loops had something to do.")
}

extension GaugeMetric {
  static let connections = GaugeMetric(
    "connections", by: MetricLabel("state", casesOf: ConnectionState.self),
    help: "Connections that were accepted and have not ended.")
  static let loops = GaugeMetric("loops", help: "Event loops of the process.")
  static let certificateLeft = GaugeMetric(
    "certificate.left", .seconds, by: MetricLabel("setting", nil), isToldAtZero: true,
    help: "How long what the setting names can be used yet: a certificate, or the last authority.")
  static let unreachable = GaugeMetric(
    "services.unreachable",
    help: "Processes of services that there is no connection to, for each loop.")
}

extension MetricList {
  /// Those of every process of Muster.
  public static let process = MetricList(
    counters: [
      .processorTime, .handshakes, .closedConnections, .readBytes, .sentBytes, .busyTime,
      .metricsFileFailures, .refusedCalls, .lostLines,
    ],
    gauges: [
      .memory, .descriptors, .descriptorsFree, .connections, .loops, .certificateLeft,
      .unreachable, .refusedReload, .changedConfiguration,
    ])
}

/// What a loop and its connections count by themselves, as metrics; confined to the loop.
public final class NetworkMeasures {
  private let metrics: Metrics
  private let loop: Loop
  private let closed: [CloseReason.Kind: Metrics.Counter]
  private let began: (microseconds: UInt64, idle: UInt64)

  public init(_ metrics: Metrics, _ loop: Loop) {
    (self.metrics, self.loop) = (metrics, loop)
    closed = Dictionary(
      uniqueKeysWithValues: zip(
        CloseReason.Kind.allCases, metrics.counters(.closedConnections, CloseReason.Kind.self)))
    began = (loop.monotonicMicroseconds, loop.idleMicroseconds)
  }

  /// Counts a connection that has ended, opened or not.
  public func closed(_ reason: CloseReason) { closed[reason.kind]?.add() }

  /// Microseconds in which the loop had something to do, since this was made.
  var busyMicroseconds: UInt64 {
    let passed = loop.monotonicMicroseconds - began.microseconds
    return passed - min(passed, loop.idleMicroseconds - began.idle)
  }

  /// Takes over the loop's numbers, and those of what accepts connections.
  public func measure(
    opened: UInt64, resumed: UInt64, failed: UInt64, connectionCount: Int, openCount: Int
  ) {
    let outcomes = [opened - resumed, resumed, failed]
    for (outcome, count) in zip(HandshakeOutcome.allCases, outcomes) {
      metrics.counter(.handshakes, "\(outcome)").reach(count)
    }
    metrics.gauge(.connections, "\(ConnectionState.handshaking)").set(connectionCount - openCount)
    metrics.gauge(.connections, "\(ConnectionState.open)").set(openCount)
    metrics.counter(.readBytes).reach(loop.traffic.readBytes)
    metrics.counter(.sentBytes).reach(loop.traffic.sentBytes)
    metrics.counter(.busyTime).reach(busyMicroseconds)
    metrics.gauge(.loops).set(1)
  }

  /// - Parameters:
  ///   - terms: those of what the process uses now. One of its loops tells them.
  ///   - now: milliseconds since 1970.
  public func measure(_ terms: [CertificateTerm], at now: Int64) {
    for term in terms {
      metrics.gauge(.certificateLeft, term.setting).set(term.secondsLeft(at: now))
    }
  }

  public func measure(_ peers: Peers) {
    metrics.gauge(.unreachable).set(peers.all.count { !$0.link.isUp })
  }
}
