import Dialogs
import Testing

@MainActor @Suite struct DialogTests {
  private struct Failed: Error {}

  /// Waits until its task is cancelled, and says so.
  private func untilCancelled() async -> Int? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
    return nil
  }

  @Test("1.6 a dialog ends by the answer, by being closed, or by an error")
  func ends() async {
    guard case .answered(7) = await dialogOutcome(within: .seconds(60), { 7 }) else {
      return #expect(Bool(false), "answered")
    }
    let none: Int? = nil
    guard case .cancelled = await dialogOutcome(within: .seconds(60), { none }) else {
      return #expect(Bool(false), "closed")
    }
    let failed: DialogOutcome<Int> = await dialogOutcome(within: .seconds(60)) { throw Failed() }
    guard case .failed(is Failed) = failed else { return #expect(Bool(false), "failed") }
  }

  @Test("1.6 2.5 a presenter that never answers does not keep its dialog open")
  func neverAnswered() async {
    var wasCancelled = false
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let outcome: DialogOutcome<Int> = await dialogOutcome(within: .milliseconds(1)) {
      let answer = await self.untilCancelled()
      wasCancelled = true
      end.finish()
      return answer
    }
    guard case .timedOut = outcome else { return #expect(Bool(false), "\(outcome)") }
    for await _ in ends {}
    #expect(wasCancelled)
  }

  @Test("pages are read until one has items, and no further than the last one")
  func pages() async throws {
    var loads: [[Int]?] = [[1], [], [2, 3], nil, [4]]
    let pages = DialogPages<Int> { loads.removeFirst() }
    #expect(try await pages.next() == [1])
    #expect(try await pages.next() == [2, 3])
    #expect(try await pages.next() == [])
    #expect(try await pages.next() == [])
    #expect(loads == [[4]])
    let known = DialogPages([5])
    #expect(try await known.next() == [5])
    #expect(try await known.next() == [])
  }
}
