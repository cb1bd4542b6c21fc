/// Counts and durations of one loop, confined to it.
public final class Metrics {
  /// Counts what happens with every call, so it is found by name once and kept.
  public final class Counter {
    public private(set) var value: UInt64 = 0

    public func add(_ amount: UInt64 = 1) { value += amount }

    /// For what is, and not for what happens.
    public func set(_ value: UInt64) { self.value = value }
  }

  /// The durations of one thing.
  public final class Timer {
    fileprivate var histogram = Histogram()

    public func record(microseconds: UInt64) { histogram.record(microseconds) }
  }

  private var counters: [String: Counter] = [:]
  private var timers: [String: Timer] = [:]

  public init() {}

  /// The counter of a name, always the same one.
  public func counter(_ name: String) -> Counter {
    if let known = counters[name] { return known }
    let made = Counter()
    counters[name] = made
    return made
  }

  /// The timer of a name, always the same one.
  public func timer(_ name: String) -> Timer {
    if let known = timers[name] { return known }
    let made = Timer()
    timers[name] = made
    return made
  }

  public func count(_ name: String) { counter(name).add() }

  /// Returns what was measured so far, as a value that may go to another loop.
  public var values: MetricValues {
    MetricValues(
      counters: counters.mapValues(\.value), histograms: timers.mapValues(\.histogram))
  }

  /// Everything as name and value, sorted; a histogram gives its count, p50, p99 and maximum.
  public var snapshot: [(name: String, value: UInt64)] { values.list }
}

/// Counts and durations as values, so that those of several loops can be added up.
public struct MetricValues: Sendable {
  var counters: [String: UInt64] = [:]
  var histograms: [String: Histogram] = [:]

  public init() {}

  init(counters: [String: UInt64], histograms: [String: Histogram]) {
    self.counters = counters
    self.histograms = histograms
  }

  /// Adds what another loop measured, as if one loop had measured all of it.
  public mutating func add(_ other: MetricValues) {
    counters.merge(other.counters) { $0 + $1 }
    for (name, histogram) in other.histograms {
      histograms[name, default: Histogram()].add(histogram)
    }
  }

  /// Everything as name and value, sorted; a histogram gives its count, p50, p99 and maximum.
  public var list: [(name: String, value: UInt64)] {
    var all = counters.map { (name: $0.key, value: $0.value) }
    for (name, histogram) in histograms {
      all.append((name + ".count", histogram.count))
      all.append((name + ".p50_us", histogram.quantile(0.5)))
      all.append((name + ".p99_us", histogram.quantile(0.99)))
      all.append((name + ".max_us", histogram.maximum))
    }
    return all.sorted { $0.name < $1.name }
  }
}

/// Durations in buckets whose bounds grow by an eighth of a power of two: the error of a quantile
/// is at most an eighth, in 4 KiB whatever the count.
public struct Histogram: Sendable {
  private static let stepsPerDoubling = 8
  private var buckets = [UInt64](repeating: 0, count: 64 * stepsPerDoubling)
  public private(set) var count: UInt64 = 0
  public private(set) var maximum: UInt64 = 0

  public init() {}

  public mutating func record(_ value: UInt64) {
    buckets[Self.bucket(of: value)] += 1
    count += 1
    maximum = max(maximum, value)
  }

  /// Adds the durations that another histogram holds.
  public mutating func add(_ other: Histogram) {
    for (index, number) in other.buckets.enumerated() { buckets[index] += number }
    count += other.count
    maximum = max(maximum, other.maximum)
  }

  /// The upper bound of the bucket that holds the quantile.
  public func quantile(_ share: Double) -> UInt64 {
    guard count > 0 else { return 0 }
    let wanted = UInt64((Double(count) * share).rounded(.up))
    var seen: UInt64 = 0
    for (index, number) in buckets.enumerated() {
      seen += number
      if seen >= max(1, wanted) { return min(maximum, Self.upperBound(of: index)) }
    }
    return maximum
  }

  private static func bucket(of value: UInt64) -> Int {
    guard value >= 8 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    let step = Int(value >> UInt64(exponent - 3)) & 7
    return (exponent - 2) * stepsPerDoubling + step
  }

  private static func upperBound(of bucket: Int) -> UInt64 {
    guard bucket >= stepsPerDoubling else { return UInt64(bucket) }
    let exponent = bucket / stepsPerDoubling + 2
    let step = UInt64(bucket % stepsPerDoubling)
    let width = UInt64(1) << UInt64(exponent - 3)
    // The last bound is the greatest number there is, so one is taken away before the shift.
    return (UInt64(1) << UInt64(exponent)) - 1 + (step + 1) * width
  }
}
