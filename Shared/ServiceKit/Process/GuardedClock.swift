import Locking

/// The wall clock of a process that keeps no time of its own, such as the gateway: it never goes
/// back and is believed as far as the monotonic clock explains it. All loops share one, so that
/// what one of them signs is not from the future for another.
public final class GuardedClock: Sendable {
  private struct State {
    var clock: SteadyClock
    var news = ClockNews()
  }

  private let state: Locked<State>
  private let log: Log
  private let wall: @Sendable () -> Int64
  private let steady: @Sendable () -> UInt64

  /// - Parameters:
  ///   - wall: the machine's clock, in milliseconds since 1970; what it says now is believed.
  ///   - steady: a clock that only goes forward, in microseconds.
  public init(
    log: Log, wall: @escaping @Sendable () -> Int64 = { ProcessShell.clock() },
    steady: @escaping @Sendable () -> UInt64 = { ProcessShell.steadyMicroseconds() }
  ) {
    self.log = log
    (self.wall, self.steady) = (wall, steady)
    state = Locked(State(clock: SteadyClock(time: wall(), microseconds: steady())))
  }

  /// Milliseconds since 1970. Writes a line to the log when the machine's clock is found to be
  /// wrong, or right again.
  public func now() -> Int64 {
    let (time, read, word) = state.withLock { state in
      let (read, microseconds) = (wall(), steady())
      let time = state.clock.now(wall: read, microseconds: microseconds)
      let word = state.news.word(
        ahead: state.clock.refusedMilliseconds, behind: time - read, microseconds: microseconds)
      return (time, read, word)
    }
    if let word { log.tell(word, wall: read, used: time) }
    return time
  }

  /// How often a jump ahead was not believed, and how many seconds the clock is ahead by now.
  public var figures: (refused: UInt64, aheadSeconds: UInt64) {
    state.withLock { state in
      (state.news.refusedCount, UInt64(state.clock.refusedMilliseconds / 1000))
    }
  }
}
