import MusterKit

/// One player of the tour's counter. A message with the first byte 0 sets the number; with 1 it
/// adds to it.
actor CounterPlayer {
  private let match: Match
  private var value: Int64 = 0
  private var isConnected = false
  private var isEnded = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ match: Match) {
    self.match = match
    isConnected = match.players.contains { match.state(of: $0) == .connected }
    Task { await self.listen() }
  }

  private func listen() async {
    for await event in match.events {
      switch event {
      case .data(_, let bytes, _): take(bytes)
      case .playerChanged(_, let state, _): if state == .connected { isConnected = true }
      case .ended: isEnded = true
      case .messageLost: break
      }
      wake()
    }
  }

  private func take(_ bytes: [UInt8]) {
    guard let number = CounterCoding.decode(Array(bytes.dropFirst())) else { return }
    value = bytes.first == 0 ? number : value &+ number
  }

  private func wake() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  private func wait(until isDone: () -> Bool) async {
    while !isDone() { await withCheckedContinuation { waiters.append($0) } }
  }

  func set(_ number: Int64) async throws {
    value = number
    try await match.sendReliable([0] + CounterCoding.encode(number))
  }

  func add(_ difference: Int64) async throws {
    value &+= difference
    try await match.sendReliable([1] + CounterCoding.encode(difference))
  }

  func leave() async throws { try await match.leave() }
  func until(_ number: Int64) async { await wait { value == number } }
  func untilConnected() async { await wait { isConnected } }
  func untilBegun() async { await wait { match.hasBegun } }
  func untilEnded() async { await wait { isEnded } }
}
