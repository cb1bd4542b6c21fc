import Testing

@testable import ServiceKit

@Suite struct CommitCycleTests {
  private var cycle = CommitCycle()

  /// One turn's end in which all due calls run.
  private mutating func endTurn(changing: Bool, at now: UInt64 = 0) -> CommitCycle.Action {
    cycle.turnEnds()
    while cycle.takeDueCall() {}
    return cycle.turnHasEnded(hasChanges: changing, isBatchFull: false, at: now)
  }

  /// A batch that was under way for 300 µs, for which so many reads have waited.
  private mutating func commit(readsWaiting: Int, held: Int = 0) -> CommitCycle.Action {
    #expect(cycle.changesAreGathered() == .scheduleTurnEnd)
    #expect(endTurn(changing: true, at: 1_000) == .commit)
    for _ in 0..<readsWaiting { cycle.readWaits(forBatchUnderWay: true) }
    for _ in 0..<held { #expect(cycle.callIsHeld(at: 1_100) == .nothing) }
    return cycle.batchIsDurable(hasChanges: false, at: 1_300)
  }

  @Test("what is gathered asks once for the end of the turn, and becomes a batch there")
  mutating func gathers() {
    #expect(!cycle.holdsChanges)
    #expect(cycle.changesAreGathered() == .scheduleTurnEnd)
    #expect(cycle.changesAreGathered() == .nothing)
    #expect(cycle.state == .gathering(due: 0) && !cycle.holdsChanges)
    #expect(endTurn(changing: true, at: 5) == .commit)
    #expect(cycle.state == .committing(since: 5, readsWaiting: 0) && cycle.holdsChanges)
    #expect(cycle.changesAreGathered() == .nothing)
    #expect(cycle.batchIsDurable(hasChanges: true, at: 6) == .scheduleTurnEnd)
  }

  @Test("calls that were held during a batch are due after it; those that come later are not")
  mutating func due() {
    #expect(commit(readsWaiting: 0, held: 2) == .scheduleTurnEnd)
    #expect(cycle.holdsChanges)
    #expect(cycle.callIsHeld(at: 0) == .nothing)
    #expect(cycle.state == .gathering(due: 2) && cycle.heldCount == 3)
    #expect(endTurn(changing: true) == .commit)
    #expect(cycle.heldCount == 1)
  }

  @Test("due calls beyond a turn's measure run in the next, unless the batch is full")
  mutating func measure() {
    _ = commit(readsWaiting: 0, held: 3)
    cycle.turnEnds(callsMax: 1)
    #expect(cycle.takeDueCall() && !cycle.takeDueCall())
    let next = cycle.turnHasEnded(hasChanges: true, isBatchFull: false, at: 0)
    #expect(next == .scheduleTurnEnd && cycle.state == .gathering(due: 2))
    cycle.turnEnds(callsMax: 1)
    #expect(cycle.takeDueCall() == true)
    #expect(cycle.turnHasEnded(hasChanges: true, isBatchFull: true, at: 0) == .commit)
    #expect(cycle.heldCount == 1)
  }

  @Test("due calls that changed nothing leave the others their turn")
  mutating func withoutChanges() {
    _ = commit(readsWaiting: 0, held: 1)
    #expect(cycle.callIsHeld(at: 0) == .nothing)
    #expect(endTurn(changing: false) == .scheduleTurnEnd)
    #expect(endTurn(changing: false) == .nothing && cycle.state == .idle)
  }

  @Test("a pause is as long as the batch took, at most its bound, and no pause of no time")
  mutating func pause() {
    #expect(commit(readsWaiting: 1) == .nothing)
    #expect(cycle.state == .pausing(until: 1_600) && cycle.holdsChanges)
    #expect(cycle.callHasRun(at: 1_599) == .nothing && cycle.state != .idle)
    #expect(cycle.callHasRun(at: 1_600) == .nothing && cycle.state == .idle)
    for (took, length) in [(UInt64(9_999), CommitCycle.pauseMicrosecondsMax), (0, 0)] {
      _ = cycle.changesAreGathered()
      _ = endTurn(changing: true, at: 1)
      cycle.readWaits(forBatchUnderWay: true)
      _ = cycle.batchIsDurable(hasChanges: false, at: 1 + took)
      #expect(cycle.state == (length == 0 ? .idle : .pausing(until: 1 + took + length)))
      _ = cycle.callHasRun(at: .max)
    }
  }

  @Test("a call held in a pause has one wake, which finds the end of it or is asked for again")
  mutating func wake() {
    _ = commit(readsWaiting: 1)
    #expect(cycle.callIsHeld(at: 1_400) == .wakeLater)
    #expect(cycle.callIsHeld(at: 1_400) == .nothing)
    #expect(cycle.wakes(at: 1_599) == .wakeLater)
    #expect(cycle.wakes(at: 1_600) == .scheduleTurnEnd)
    #expect(cycle.state == .gathering(due: 2))
  }

  @Test("a wake that outlives its pause does nothing, and serves the next one")
  mutating func oldWake() {
    _ = commit(readsWaiting: 1)
    #expect(cycle.callIsHeld(at: 1_400) == .wakeLater)
    #expect(cycle.changesAreGathered() == .scheduleTurnEnd)
    #expect(endTurn(changing: true, at: 1_400) == .commit)
    cycle.readWaits(forBatchUnderWay: true)
    #expect(cycle.batchIsDurable(hasChanges: false, at: 1_500) == .nothing)
    #expect(cycle.callIsHeld(at: 1_500) == .nothing)
    #expect(cycle.wakes(at: 1_600) == .scheduleTurnEnd)
  }

  @Test("reads that wait for the batch being gathered count when it is under way")
  mutating func readsOfTheNext() {
    _ = cycle.changesAreGathered()
    cycle.readWaits(forBatchUnderWay: false)
    _ = endTurn(changing: true, at: 7)
    #expect(cycle.state == .committing(since: 7, readsWaiting: 1))
    _ = cycle.changesAreGathered()
    cycle.readWaits(forBatchUnderWay: false)
    _ = cycle.batchIsDurable(hasChanges: true, at: 8)
    _ = endTurn(changing: true, at: 9)
    #expect(cycle.state == .committing(since: 9, readsWaiting: 1))
  }

  @Test("a full disk takes all that is held, wherever the cycle is")
  mutating func fullDisk() {
    _ = commit(readsWaiting: 0, held: 2)
    #expect(cycle.takeAnyCall() && cycle.takeAnyCall() && !cycle.takeAnyCall())
    #expect(cycle.state == .gathering(due: 0))
    #expect(endTurn(changing: false) == .nothing && cycle.state == .idle)
  }

  @Test("an event that cannot be traps and names the state")
  func illegal() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var cycle = CommitCycle()
      cycle.turnEnds()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("end of the turn while idle"))
    await #expect(processExitsWith: .failure) {
      var cycle = CommitCycle()
      // Nothing would ever run it.
      _ = cycle.callIsHeld(at: 0)
    }
    await #expect(processExitsWith: .failure) {
      var cycle = CommitCycle()
      _ = cycle.batchIsDurable(hasChanges: false, at: 0)
    }
  }
}
