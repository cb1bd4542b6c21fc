import GatewayCore
import ServiceKit
import Transport
import Wire

extension CounterMetric {
  static let calls = CounterMetric("calls", help: "Calls of clients that were admitted.")
  static let connectedClients = CounterMetric(
    "clients.connected", help: "Clients whose connections have opened.")
  static let refusedClients = CounterMetric(
    "clients.refused", help: "Connections of clients that never opened.")
  static let overHostLimit = CounterMetric(
    "clients.over_host_limit", help: "Those among them whose hosts had, or had made, too many.")
  static let heldBackClients = CounterMetric(
    "clients.held_back",
    help: "Times that nothing was read from a client for a while, since it was over its budget.")
  static let clientFailures = CounterMetric(
    "clients.failures",
    by: MetricLabel("of", Service.allCases.map(\.name) + ["none"]),
    .failureCode,
    help: "Calls of clients that were answered with a failure, by the service that they were for.")
  static let droppedClientHints = CounterMetric(
    "clients.hints_dropped", help: "Hints that a client did not get, which took too little.")
  static let lostServices = CounterMetric(
    "services.lost", help: "Connections to processes of services that were lost, for each loop.")
  static let misplacedServices = CounterMetric(
    "services.misplaced", help: "Times that another process than the configured one was found.")
  static let malformedPushes = CounterMetric(
    "pushes.malformed", help: "Pushes of services that could not be read.")
}

extension GaugeMetric {
  static let clients = GaugeMetric("clients", help: "Clients whose connections are open.")
  static let clientsByLoop = GaugeMetric(
    "clients.by_loop", by: MetricLabel("loop", nil), help: "The same for each loop.")
  static let refusedServices = GaugeMetric(
    "services.refused", by: MetricLabel("of", Service.behindGateway.map(\.name)),
    help: "Processes of a service that there is no connection to since its TLS handshake fails, "
      + "for each loop.")
}

extension DistributionMetric {
  static let serviceTime = DistributionMetric(
    "calls.service_time", .milliseconds, by: MetricLabel("of", Service.behindGateway.map(\.name)),
    help: "From passing a call on to a service until its answer, or until it is given up.")
  static let clientTime = DistributionMetric(
    "calls.client_time", .milliseconds,
    by: MetricLabel("of", Service.allCases.map(\.name) + ["none"]),
    help: "From when a client's call came until its answer went, or until it was given up, with "
      + "all that it waited for; by the service that it was for, without live data.")
}

extension MetricList {
  /// Those of a gateway.
  static let gateway =
    process
    + MetricList(
      counters: [
        .calls, .connectedClients, .refusedClients, .overHostLimit, .heldBackClients,
        .clientFailures, .droppedClientHints, .lostServices, .misplacedServices,
        .malformedPushes, .replacedLiveData, .verifiedIdentities, .refusedIdentities,
        .unavailableIdentities, .identityFetches, .refusedClock, .allowedClock,
      ],
      gauges: [.clients, .clientsByLoop, .refusedServices, .clockAhead, .clockLead],
      distributions: [.serviceTime, .clientTime])
}

extension GatewayNode {
  /// Ends a slice of the windows, and says what was refused.
  func turnMetrics() {
    metrics.turn()
    backpressureWords.look(state.failures.causeCounts, at: loop.monotonicMilliseconds, log)
  }

  /// Takes over what others count, and looks at what is.
  func measure() {
    metrics.gauge(.clients).set(clientCount)
    metrics.gauge(.clientsByLoop, "\(number)").set(clientCount)
    for failure in state.failures.all {
      let code = MetricLabel.value(of: failure.code)
      metrics.counter(.clientFailures, failure.service, code).reach(failure.count)
    }
    for (cause, count) in zip(BackpressureCause.allCases, state.failures.causeCounts) {
      metrics.counter(.refusedCalls, "\(cause)").reach(count)
    }
    network.measure(peers)
    let refused = peers.all.filter { $0.link.isRefused }
    for service in Service.behindGateway {
      let count = refused.count { $0.address.service == service }
      metrics.gauge(.refusedServices, service.name).set(count)
    }
    if let figures {
      metrics.set(figures.latest)
      metrics.measure(log)
    }
    measureServer?()
  }

  /// Measures the calls of clients by the service that they are for.
  func measureCalls() {
    let times = Service.allCases.map { metrics.distribution(.clientTime, $0.name) }
    let unknown = metrics.distribution(.clientTime, "none")
    state.tookTime = { service, microseconds in
      let time = service.map { times[Int($0.rawValue)] } ?? unknown
      time.record(microseconds / 1000)
    }
  }

  /// Measures the calls of each link by its service.
  func measureLinks() {
    for (address, link) in peers.all {
      let time = metrics.distribution(.serviceTime, address.service.name)
      link.onCallEnd = { time.record($0) }
    }
  }
}

extension Link {
  /// Whether one of the two ends does not accept the other: a certificate has ended, or is for
  /// another name.
  fileprivate var isRefused: Bool { !isUp && lastFailure?.kind == .handshake }
}
