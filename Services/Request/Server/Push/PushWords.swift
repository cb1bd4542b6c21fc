import Outgoing
import RequestCore
import ServiceKit
import Transport
import Wire

extension CounterMetric {
  static let deliveredPushes = CounterMetric(
    "push.delivered", help: "Push events that the hook's endpoint has taken.")
  static let failedPushes = CounterMetric(
    "push.failed", help: "Attempts to bring a push event that failed.")
  static let givenUpPushes = CounterMetric(
    "push.given_up", help: "Push events that were given up.")
  static let withdrawnPushes = CounterMetric(
    "push.withdrawn", help: "Push events that were acknowledged before they were brought.")
}

extension GaugeMetric {
  static let failingEndpoint = GaugeMetric(
    "push.endpoint_failing", help: "1 while the hook's endpoint takes no events.")
  static let heldPushes = GaugeMetric(
    "push.held", help: "Push events that wait in memory to be brought.")
}

extension MetricList {
  static let push = MetricList(
    counters: [.deliveredPushes, .failedPushes, .givenUpPushes, .withdrawnPushes],
    gauges: [.failingEndpoint, .heldPushes])
}

/// What the push hook tells the operator: counts, and log lines, of each kind no more than one a
/// minute, whatever the endpoint does. At `debug` each call has one.
final class PushWords {
  private let node: ServiceNode
  private let log: Log
  private var pace = LogPace()
  private var lastFailure: (event: EventID?, reason: String) = (nil, "no answer")
  private var wasFailing = false
  private let attemptsFailed: Metrics.Counter
  private let withdrawnCount: Metrics.Counter
  private let endpointFailing: Metrics.Gauge
  private let heldCount: Metrics.Gauge

  init(_ node: ServiceNode) {
    self.node = node
    log = node.log[.push]
    attemptsFailed = node.metrics.counter(.failedPushes)
    withdrawnCount = node.metrics.counter(.withdrawnPushes)
    endpointFailing = node.metrics.gauge(.failingEndpoint)
    heldCount = node.metrics.gauge(.heldPushes)
  }

  private func counter(_ removal: PushDelivery.Removal) -> Metrics.Counter {
    node.metrics.counter(removal == .delivered ? .deliveredPushes : .givenUpPushes)
  }

  func count(_ removal: PushDelivery.Removal, _ row: PushQueueRow, _ reason: String?) {
    counter(removal).add()
    if let reason { warn("push event was given up", reason, row.trace) }
  }

  /// Why an event is given up, at the moment when it is.
  func reason(for event: EventID) -> String {
    lastFailure.event == event ? lastFailure.reason : "it is too old"
  }

  func withdrawn() { withdrawnCount.add() }

  func answered(_ result: Result<HTTPSResponse, HTTPSError>, _ row: PushRow, _ attempt: Int) {
    let words =
      switch result {
      case .success(let response): "status \(response.status)"
      case .failure(let error): "\(error)"
      }
    log.debug(
      "push hook called",
      ["trace": row.trace.description, "attempt": "\(attempt)", "answer": words])
    let outcome = PushOutcome(result)
    if outcome == .accepted { return }
    lastFailure = (row.event, words)
    attemptsFailed.add()
    if outcome == .refused { warn("push event was refused", words, row.trace) }
  }

  /// Tells when the endpoint begins to fail, and when it takes events again.
  func look(at delivery: PushDelivery) {
    heldCount.set(delivery.heldCount)
    let isFailing = delivery.isEndpointFailing
    if isFailing == wasFailing { return }
    wasFailing = isFailing
    endpointFailing.set(isFailing ? 1 : 0)
    if isFailing {
      warn("push endpoint fails", lastFailure.reason)
    } else if let keptBack = admit("push endpoint answers again") {
      log.info("push endpoint answers again", ["kept_back": "\(keptBack)"])
    }
  }

  /// - Parameter trace: nil for what is about no event alone.
  func warn(_ event: String, _ reason: String, _ trace: TraceID? = nil) {
    guard let keptBack = admit(event) else { return }
    let kept = "\(keptBack)"
    if let trace {
      log.warning(event, ["trace": "\(trace)", "reason": reason, "kept_back": kept])
    } else {
      log.warning(event, ["reason": reason, "kept_back": kept])
    }
  }

  private func admit(_ event: String) -> Int? {
    pace.admit(event, now: node.loop.monotonicMilliseconds)
  }
}
