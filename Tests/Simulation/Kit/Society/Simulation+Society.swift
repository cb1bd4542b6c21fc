import Domain
import Operations
import RequestCore
import Wire

/// What must hold in a society when nothing is under way.
extension Simulation {
  func checkSociety() throws(Violation) {
    try checkRequests()
    for device in workload.devices where !device.isAway { try checkDevice(device) }
    try checkErasures()
    try checkConsents()
    try checkIdentities()
    happenings.takeSociety(deployment.ledger, deployment.counts)
  }

  /// A device has the same events as its player's first, but for those that it was told to have
  /// missed.
  private func checkDevice(_ device: SimulatedClient) throws(Violation) {
    guard let first = workload.clients.first(where: { $0.player == device.player }) else { return }
    for event in device.feed.events {
      try require(
        rest(of: first.feed.events[Int(event.sequence) - 1]) == rest(of: event),
        "2.8 two devices of \(device.player) have different events \(event.sequence)")
    }
    let count = device.feed.missed.count
    if let fault = device.feed.end(at: first.feed.through) {
      throw Violation(description: "2.8 a device of \(device.player): \(fault): \(device.state)")
    }
    for missed in device.feed.missed.dropFirst(count) {
      if let fault = device.judge(missed) { throw Violation(description: fault) }
    }
  }
}
