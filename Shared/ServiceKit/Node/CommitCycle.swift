/// When calls run, and when what they changed is written: a service commits in cycles.
///
/// What calls change is gathered and written as one batch. While a batch is under way, a call that
/// may change something is held: had it run, every read after it would see what is not durable, and
/// would have to wait for one batch more. Reads run, except behind a held call of the same client
/// on the same slot. When the batch is durable, the calls held run, and what they change is the
/// next.
///
/// The states, and what leads from each to which. Where several lines fit, the first one counts:
///
///     idle         changes ─────────────────────▶ gathering
///     gathering    end of the turn ─────────────▶ ending
///     ending       due calls are left, and room ▶ gathering
///                  changes ─────────────────────▶ committing
///                  held calls ──────────────────▶ gathering
///                  nothing is left ─────────────▶ idle
///     committing   changes ─────────────────────▶ gathering
///                  many reads have waited ──────▶ pausing
///                  held calls ──────────────────▶ gathering
///                  nothing is left ─────────────▶ idle
///     pausing      changes ─────────────────────▶ gathering
///                  its end, and held calls ─────▶ gathering
///                  its end ─────────────────────▶ idle
///
/// A read of what a batch has changed waits until that batch is durable. Where one batch follows
/// the other at once, nearly every read waits for the few changes among them. So a batch that more
/// reads have waited for than calls are held behind it is followed by a pause of the time that it
/// took: reads are answered at once, and the changes that are held meanwhile share a batch.
///
/// What holds after every event, and is checked:
/// - A held call has something that will run it: the end of a turn that was asked for, a batch
///   under way or, in a pause, a wake.
/// - The end of the turn is asked for once for each time that the state becomes `gathering`, so
///   that it comes in that state and in no other.
/// - A batch has changes, and begins only when none is under way.
///
/// The value decides and `EngineRunner` carries out: it tells of an event and does what the action
/// that comes back says. An event that the state does not allow is a mistake of ours and traps. An
/// event costs a few comparisons, allocates nothing, and reads the clock only in a pause or for a
/// batch.
struct CommitCycle: Hashable {
  /// Held calls that run in one turn of the loop, with their effects here: a few milliseconds of
  /// it. The rest runs in the next turns, and all of them make one batch.
  static let callsPerTurnMax = 256
  /// However long the batch before it took: changes wait for the end of a pause.
  static let pauseMicrosecondsMax: UInt64 = 1000

  enum State: Hashable {
    /// Nothing is gathered and no call is held.
    case idle
    /// The end of the turn was asked for. Of the held calls, the first `due` are for this batch.
    case gathering(due: Int)
    /// The turn ends. Of the `due` calls, `left` may still run in it.
    case ending(due: Int, left: Int)
    /// A batch is on its way to the disk, and so many reads have waited for it.
    case committing(since: UInt64, readsWaiting: Int)
    /// Reads run and changes are held until that time; what is gathered ends the pause early.
    case pausing(until: UInt64)
  }

  enum Action {
    case nothing
    /// Ask the world for the end of this turn, which is told by `turnEnds`.
    case scheduleTurnEnd
    /// Ask the world for a wake in a millisecond, which is told by `wakes`.
    case wakeLater
    /// Hand what was gathered to the committer, which is told by `batchIsDurable`.
    case commit
  }

  private(set) var state = State.idle
  /// When the batch under way began, by the clock of the events.
  var batchBegan: UInt64? {
    if case .committing(let since, _) = state { since } else { nil }
  }
  /// Calls that wait in `HeldCalls`.
  private(set) var heldCount = 0
  /// Reads that wait for the batch being gathered.
  private var readsWaiting = 0
  /// A wake cannot be taken back: one that was asked for in a pause may come after it.
  private var awaitsWake = false

  /// True when a call that may change something has to wait.
  var holdsChanges: Bool {
    switch state {
    case .committing, .pausing: true
    case .idle, .gathering, .ending: heldCount > 0
    }
  }

  // MARK: Calls

  /// A call was put behind those that are held.
  mutating func callIsHeld(at now: @autoclosure () -> UInt64) -> Action {
    heldCount += 1
    return pauseGoesOn(at: now())
  }

  /// A call was run as it came.
  mutating func callHasRun(at now: @autoclosure () -> UInt64) -> Action {
    pauseGoesOn(at: now())
  }

  /// A read has to wait for the batch under way, or for the one that is being gathered.
  mutating func readWaits(forBatchUnderWay: Bool) {
    guard forBatchUnderWay else { return readsWaiting += 1 }
    guard case .committing(let since, let count) = state else { illegal("read waits for a batch") }
    state = .committing(since: since, readsWaiting: count + 1)
  }

  /// Something was added to the batch being gathered.
  mutating func changesAreGathered() -> Action {
    switch state {
    case .gathering, .ending, .committing: .nothing
    case .idle, .pausing: gather()
    }
  }

  // MARK: Turns and batches

  /// The end of the turn has come: due calls run while `takeDueCall` says so, then `turnHasEnded`.
  mutating func turnEnds(callsMax: Int = Self.callsPerTurnMax) {
    guard case .gathering(let due) = state else { illegal("end of the turn") }
    state = .ending(due: due, left: callsMax)
  }

  /// True when another held call is to run at this end of the turn: it is held no more.
  mutating func takeDueCall() -> Bool {
    guard case .ending(let due, let left) = state else { illegal("due call") }
    if due == 0 || left == 0 { return false }
    state = .ending(due: due - 1, left: left - 1)
    heldCount -= 1
    return true
  }

  /// A call brought about so many effects, which were applied at once: of the turn they take as
  /// much as calls.
  mutating func effectsHaveRun(_ count: Int) {
    if case .ending(let due, let left) = state {
      state = .ending(due: due, left: max(0, left - count))
    }
  }

  /// - Parameters:
  ///   - hasChanges: something is gathered.
  ///   - isBatchFull: no more calls may run before the batch is written.
  mutating func turnHasEnded(
    hasChanges: Bool, isBatchFull: Bool, at now: @autoclosure () -> UInt64
  ) -> Action {
    guard case .ending(let due, _) = state else { illegal("turn has ended") }
    if due > 0 && !isBatchFull {
      state = .gathering(due: due)
      return .scheduleTurnEnd
    }
    // Calls that changed nothing make no batch to bring the others their turn.
    guard hasChanges else { return goOn(hasChanges: false) }
    state = .committing(since: now(), readsWaiting: readsWaiting)
    readsWaiting = 0
    return .commit
  }

  /// The batch is durable, and what waited for it has left.
  mutating func batchIsDurable(hasChanges: Bool, at now: UInt64) -> Action {
    guard case .committing(let since, let count) = state else { illegal("batch is durable") }
    let pause = min(now - since, Self.pauseMicrosecondsMax)
    guard pause > 0, count > heldCount, !hasChanges else {
      return goOn(hasChanges: hasChanges)
    }
    state = .pausing(until: now + pause)
    return pauseGoesOn(at: now)
  }

  // MARK: Time and room

  mutating func wakes(at now: UInt64) -> Action {
    precondition(awaitsWake, "a wake comes that was not asked for")
    awaitsWake = false
    return pauseGoesOn(at: now)
  }

  /// The disk is full: true while there is a held call, which is to run, or to be refused, now.
  mutating func takeAnyCall() -> Bool {
    if heldCount == 0 { return false }
    heldCount -= 1
    switch state {
    case .gathering(let due): state = .gathering(due: max(0, due - 1))
    case .ending(let due, let left): state = .ending(due: max(0, due - 1), left: left)
    case .idle, .committing, .pausing: break
    }
    return true
  }

  // MARK: Steps

  private mutating func goOn(hasChanges: Bool) -> Action {
    defer { checkHeldCalls() }
    if hasChanges || heldCount > 0 { return gather() }
    state = .idle
    return .nothing
  }

  private mutating func gather() -> Action {
    state = .gathering(due: heldCount)
    return .scheduleTurnEnd
  }

  /// Ends a pause whose time has come; a call that waits for the end of it has a wake.
  private mutating func pauseGoesOn(at now: @autoclosure () -> UInt64) -> Action {
    defer { checkHeldCalls() }
    guard case .pausing(let end) = state else { return .nothing }
    if now() >= end { return goOn(hasChanges: false) }
    if awaitsWake || heldCount == 0 { return .nothing }
    awaitsWake = true
    return .wakeLater
  }

  private func checkHeldCalls() {
    switch state {
    case .gathering, .ending, .committing: break
    case .idle: precondition(heldCount == 0, "a held call has nothing that will run it")
    case .pausing:
      precondition(heldCount == 0 || awaitsWake, "a held call waits for a pause without a wake")
    }
  }

  private func illegal(_ event: String) -> Never {
    fatalError("commit cycle: \(event) while \(state)")
  }
}
