/// When files may be cleaned again: after a pause as long as the last cleaning took, so that folding
/// gets at least half of the time.
struct CleaningPace {
  private let pause: Duration
  private var next = ContinuousClock.now

  init(pauseSeconds: Double) { pause = .seconds(pauseSeconds) }

  var isDue: Bool { ContinuousClock.now >= next }

  /// Runs a cleaning.
  mutating func measure(_ clean: () throws(StoreError) -> Void) -> Result<Void, StoreError> {
    let began = ContinuousClock.now
    let result = Result(catching: clean)
    let end = ContinuousClock.now
    next = end + max(pause, end - began)
    return result
  }
}
