#if canImport(Testing)
  public import Testing

  /// One after the other, over all suites that say so: for tests that compute for seconds.
  ///
  /// All tests share as many threads as there are processors. Two simulations side by side take
  /// both, and tests that wait for processes and sockets, each for another, stand still meanwhile.
  public struct InTurn: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      await Turn.only.take()
      defer { Task { await Turn.only.giveBack() } }
      try await function()
    }
  }

  extension Trait where Self == InTurn {
    public static var inTurn: Self { Self() }
  }

  private actor Turn {
    static let only = Turn()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      guard isTaken else {
        isTaken = true
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }
#endif
