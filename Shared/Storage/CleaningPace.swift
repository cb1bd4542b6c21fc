/// When files are cleaned: some time after it was asked for, so that erasures that end close
/// together share one cleaning, and after a pause as long as the last one took, so that folding
/// gets at least half of the time.
struct CleaningPace {
  typealias Instant = ContinuousClock.Instant

  private let pause: Duration
  /// When the first of the cleanings was asked for that are not done yet.
  private var asked: Instant?
  private var earliest: Instant?

  init(pauseSeconds: Double) { pause = .seconds(pauseSeconds) }

  /// Whether the time has come for a cleaning that is asked for.
  mutating func isDue(at now: Instant) -> Bool {
    let first = asked ?? now
    asked = first
    return now >= max(first + pause, earliest ?? now)
  }

  /// Runs a cleaning.
  mutating func measure(_ clean: () throws(StoreError) -> Void) -> Result<Void, StoreError> {
    let began = ContinuousClock.now
    let result = Result(catching: clean)
    ended(at: .now, after: ContinuousClock.now - began)
    return result
  }

  mutating func ended(at now: Instant, after duration: Duration) {
    asked = nil
    earliest = now + max(pause, duration)
  }
}
