import Outgoing
import ServiceKit
import Transport

/// What the push hook tells the operator: counts, and log lines, of each kind no more than one a
/// minute, whatever the endpoint does.
final class PushWords {
  static let quietMilliseconds: UInt64 = 60_000

  private let node: ServiceNode
  /// By the line, until when it is not written again.
  private var quiet: [String: UInt64] = [:]
  private var lastReason = ""
  private var wasFailing = false
  private let attemptsFailed: Metrics.Counter
  private let withdrawnCount: Metrics.Counter
  private let endpointFailing: Metrics.Counter
  private let heldCount: Metrics.Counter

  init(_ node: ServiceNode) {
    self.node = node
    attemptsFailed = node.metrics.counter("push.failed")
    withdrawnCount = node.metrics.counter("push.withdrawn")
    endpointFailing = node.metrics.counter("push.endpoint_failing")
    heldCount = node.metrics.counter("push.held")
    // They are there from the start.
    for removal in [PushDelivery.Removal.delivered, .givenUp] { counter(removal).add(0) }
  }

  private func counter(_ removal: PushDelivery.Removal) -> Metrics.Counter {
    node.metrics.counter(removal == .delivered ? "push.delivered" : "push.given_up")
  }

  func count(_ removal: PushDelivery.Removal) {
    counter(removal).add()
    if removal == .givenUp { warn("push event was given up", lastReason) }
  }

  func withdrawn() { withdrawnCount.add() }

  func answered(_ result: Result<HTTPSResponse, HTTPSError>) {
    switch result {
    case .success(let response) where response.isSuccess: return
    case .success(let response): lastReason = "status \(response.status)"
    case .failure(let error): lastReason = "\(error)"
    }
    attemptsFailed.add()
    if PushOutcome(result) == .refused { warn("push event was refused", lastReason) }
  }

  /// Tells when the endpoint begins to fail, and when it takes events again.
  func look(at delivery: PushDelivery) {
    heldCount.set(UInt64(delivery.heldCount))
    let isFailing = delivery.isEndpointFailing
    if isFailing == wasFailing { return }
    wasFailing = isFailing
    endpointFailing.set(isFailing ? 1 : 0)
    if isFailing {
      warn("push endpoint fails", lastReason)
    } else if mayWrite("push endpoint answers again") {
      node.log.info("push endpoint answers again")
    }
  }

  func warn(_ event: String, _ reason: String) {
    if mayWrite(event) { node.log.warning(event, ["reason": reason]) }
  }

  private func mayWrite(_ event: String) -> Bool {
    let now = node.loop.monotonicMilliseconds
    if let until = quiet[event], now < until { return false }
    quiet[event] = now + Self.quietMilliseconds
    return true
  }
}
