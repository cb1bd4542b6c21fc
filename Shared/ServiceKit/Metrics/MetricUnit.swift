/// What a metric's numbers are. They are whole: a time is counted in the unit of its clock.
public enum MetricUnit: String, Sendable {
  case count, bytes, microseconds, milliseconds, seconds
  /// Thousandths of a whole.
  case permille

  /// The unit that Prometheus has for it, at the end of a name; nil for what is counted.
  var baseUnit: String? {
    switch self {
    case .count: nil
    case .bytes: "bytes"
    case .microseconds, .milliseconds, .seconds: "seconds"
    case .permille: "ratio"
    }
  }

  /// How many make one of the base unit.
  var perBaseUnit: Double {
    switch self {
    case .count, .bytes, .seconds: 1
    case .milliseconds, .permille: 1_000
    case .microseconds: 1_000_000
    }
  }
}
