internal import Locking

/// The calls of a kind that the server has not answered yet, for whoever must not go on before.
final class OngoingCalls: Sendable {
  private struct State {
    var count = 0
    var ongoing: Set<Int> = []
    var waiters: [(calls: Set<Int>, resume: CheckedContinuation<Void, Never>)] = []
  }

  /// Games report an achievement and challenge others to it without waiting in between, as
  /// GameKit's guide does. The two calls are about different players' keys, so the server may take
  /// the second one first, and then refuses it.
  static let reports = OngoingCalls()
  /// Matches that are being left.
  static let leaves = OngoingCalls()

  private let state = Locked(State())

  /// Makes a call.
  @MainActor
  func run(_ call: () async throws(GKError) -> Void) async throws(GKError) {
    let number = begin()
    defer { end(number) }
    try await call()
  }

  /// Counts what a task does as a call, from now on.
  func follow(_ task: Task<Void, Never>?) {
    let number = begin()
    Task {
      await task?.value
      end(number)
    }
  }

  private func begin() -> Int {
    state.withLock { state in
      state.count += 1
      state.ongoing.insert(state.count)
      return state.count
    }
  }

  private func end(_ number: Int) {
    let done = state.withLock { state in
      state.ongoing.remove(number)
      for index in state.waiters.indices { state.waiters[index].calls.remove(number) }
      let done = state.waiters.filter { $0.calls.isEmpty }
      state.waiters.removeAll { $0.calls.isEmpty }
      return done.map(\.resume)
    }
    for waiter in done { waiter.resume() }
  }

  /// Waits until the calls that are under way now have ended.
  func ended() async {
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        if !state.ongoing.isEmpty { state.waiters.append((state.ongoing, waiter)) }
        return state.ongoing.isEmpty
      }
      if isOver { waiter.resume() }
    }
  }
}
