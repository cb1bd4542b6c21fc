public import Wire

/// Says in the log why calls were refused with `backpressure`: a line for each cause, and no more
/// than one a minute of each, with how many there were since the last one.
public struct BackpressureWords {
  private var told = [UInt64](repeating: 0, count: BackpressureCause.allCases.count)
  private var pace = LogPace()

  public init() {}

  /// - Parameter counts: since the start, in the order of the causes.
  public mutating func look(
    _ counts: [UInt64], at now: UInt64, _ tell: (BackpressureCause, _ count: UInt64) -> Void
  ) {
    for (index, cause) in BackpressureCause.allCases.enumerated() {
      guard counts[index] > told[index], pace.admit(cause.rawValue, now: now) != nil else {
        continue
      }
      tell(cause, counts[index] - told[index])
      told[index] = counts[index]
    }
  }

  public mutating func look(_ counts: [UInt64], at now: UInt64, _ log: Log) {
    look(counts, at: now) { cause, count in
      log.warning(
        "calls refused", ["cause": cause.rawValue, "count": "\(count)", "reason": cause.text])
    }
  }
}
