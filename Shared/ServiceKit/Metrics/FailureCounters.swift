public import Wire

extension CounterMetric {
  static let failures = CounterMetric(
    "failures", by: .failureCode,
    help: "Calls of gateways and other services that were answered with a failure.")
}

extension MetricLabel {
  private static let unknownCode = "unknown"

  /// The code of a failure.
  public static let failureCode = MetricLabel("code", FailureCode.names + [unknownCode])

  /// As `failureCode` has it; all codes that only a newer version knows are one value.
  public static func value(of code: FailureCode) -> String {
    code.isKnown ? code.description : unknownCode
  }
}

/// Counts failures by their codes; each counter is found once.
final class FailureCounters {
  /// By the codes' places.
  private let counters: [Metrics.Counter]

  init(_ metrics: Metrics) {
    counters = (MetricLabel.failureCode.values ?? []).map { metrics.counter(.failures, $0) }
  }

  func count(_ code: FailureCode) {
    counters[code.place].add()
  }
}
