/// The calls of a kind that the server has not answered yet, for whoever must not go on before.
@MainActor
final class OngoingCalls {
  private typealias Waiter = (calls: Set<Int>, resume: CheckedContinuation<Void, Never>)

  /// Games report an achievement and challenge others to it without waiting in between, as
  /// GameKit's guide does. The two calls are about different players' keys, so the server may take
  /// the second one first, and then refuses it.
  static let reports = OngoingCalls()
  /// Matches that are being left.
  static let leaves = OngoingCalls()

  private var count = 0
  private var ongoing: Set<Int> = []
  private var waiters: [Waiter] = []

  /// Makes a call.
  func run(_ call: () async throws(GKError) -> Void) async throws(GKError) {
    let number = begin()
    defer { end(number) }
    try await call()
  }

  /// Returns what `end` is to be called with.
  func begin() -> Int {
    count += 1
    ongoing.insert(count)
    return count
  }

  func end(_ number: Int) {
    ongoing.remove(number)
    for index in waiters.indices { waiters[index].calls.remove(number) }
    for waiter in waiters where waiter.calls.isEmpty { waiter.resume.resume() }
    waiters.removeAll { $0.calls.isEmpty }
  }

  /// Waits until the calls that are under way now have ended.
  func ended() async {
    if ongoing.isEmpty { return }
    await withCheckedContinuation { waiters.append((ongoing, $0)) }
  }
}
