import Locking

/// The wall clock of a process that keeps no time of its own, such as the gateway: it never goes
/// back and is believed as far as the monotonic clock explains it. All loops share one, so that
/// what one of them signs is not from the future for another.
///
/// No store tells it whether the clock is behind at the start. A late clock is put right soon after
/// its machine was booted, once there is a network. So until an hour after the boot one jump of up
/// to a day is believed. Later, a jump is more likely a fault than a clock that is put right.
public final class GuardedClock: Sendable {
  private static let lateMillisecondsMax: Int64 = 24 * 3_600_000
  private static let bootMicrosecondsMax: UInt64 = 3_600_000_000

  private struct State {
    var clock: SteadyClock
    var news = ClockNews()
    /// How far the time of the last reading was ahead of the machine's clock, in milliseconds.
    var lead: Int64 = 0
  }

  private let state: Locked<State>
  private let log: Log
  private let wall: @Sendable () -> Int64
  private let steady: @Sendable () -> UInt64

  /// - Parameters:
  ///   - wall: the machine's clock, in milliseconds since 1970; what it says now is believed.
  ///   - steady: a clock that only goes forward, in microseconds since the machine was booted.
  public init(
    log: Log, wall: @escaping @Sendable () -> Int64 = { ProcessShell.clock() },
    steady: @escaping @Sendable () -> UInt64 = { ProcessShell.steadyMicroseconds() }
  ) {
    self.log = log
    (self.wall, self.steady) = (wall, steady)
    state = Locked(
      State(
        clock: SteadyClock(
          time: wall(), microseconds: steady(),
          allowance: .unknown(
            millisecondsMax: Self.lateMillisecondsMax,
            untilMicroseconds: Self.bootMicrosecondsMax))))
  }

  /// Milliseconds since 1970. Writes a line to the log when the machine's clock is found to be
  /// wrong, or right again, and when a jump is believed.
  public func now() -> Int64 {
    let (time, read, word) = state.withLock { state in
      let (read, microseconds) = (wall(), steady())
      let time = state.clock.now(wall: read, microseconds: microseconds)
      state.lead = max(0, time - read)
      let word = state.news.word(
        ahead: state.clock.refusedMilliseconds, behind: time - read,
        allowed: state.clock.allowedMilliseconds, microseconds: microseconds)
      return (time, read, word)
    }
    if let word { log.tell(word, wall: read, used: time) }
    return time
  }

  public struct Figures: Equatable, Sendable {
    /// How often a jump ahead was not believed.
    public var refused: UInt64
    /// How often one was believed because of the boot: once at most.
    public var allowed: UInt64
    /// How far the machine's clock is ahead, while it is not believed.
    public var aheadSeconds: UInt64
    /// How far the time that is used is ahead of the machine's clock, which was set back.
    public var leadMilliseconds: UInt64
  }

  /// As of the last reading.
  public var figures: Figures {
    state.withLock { state in
      Figures(
        refused: state.news.refusedCount, allowed: state.news.allowedCount,
        aheadSeconds: UInt64(state.clock.refusedMilliseconds / 1000),
        leadMilliseconds: UInt64(state.lead))
    }
  }
}
