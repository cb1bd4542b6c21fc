/// The metrics of one loop, confined to it.
///
/// Whoever counts something with every call gets its object once and keeps it: to count is then an
/// addition.
public final class Metrics {
  public final class Counter {
    public private(set) var value: UInt64 = 0

    public func add(_ amount: UInt64 = 1) { value += amount }

    /// For what is counted elsewhere.
    public func reach(_ value: UInt64) { self.value = value }
  }

  public final class Gauge {
    public private(set) var value: UInt64 = 0

    public func set(_ value: UInt64) { self.value = value }
    public func set(_ value: Int) { self.value = UInt64(clamping: value) }
  }

  public final class Distribution {
    fileprivate var histogram = WindowedHistogram()

    /// - Parameter value: in the unit of the metric.
    public func record(_ value: UInt64) { histogram.record(value) }
  }

  /// How often `turn` is to be called.
  public static let turnMilliseconds = UInt64(WindowedHistogram.sliceSeconds) * 1000

  private let declared: [String: MetricDeclaration]
  private var counters: [MetricValues.Key: Counter] = [:]
  private var gauges: [MetricValues.Key: Gauge] = [:]
  private var distributions: [MetricValues.Key: Distribution] = [:]

  /// What has no label, or one of a few values, is there from the start: a number that is not there
  /// yet cannot be told from one that is not looked at.
  public init(_ list: MetricList) {
    declared = Dictionary(uniqueKeysWithValues: list.declarations.map { ($0.name, $0) })
    for declaration in list.declarations {
      for labels in Self.firstLabels(declaration) {
        let key = MetricValues.Key(name: declaration.name, labels: labels)
        switch declaration.kind {
        case .counter: counters[key] = Counter()
        case .gauge: gauges[key] = Gauge()
        case .distribution: distributions[key] = Distribution()
        }
      }
    }
  }

  private static func firstLabels(_ declaration: MetricDeclaration) -> [[String]] {
    switch declaration.labels.count {
    case 0: [[]]
    case 1: declaration.labels[0].values?.map { [$0] } ?? []
    default: []
    }
  }

  /// The counter of a metric, always the same one.
  public func counter(_ metric: CounterMetric, _ labels: String...) -> Counter {
    object(metric.declaration, labels, \.counters) { Counter() }
  }

  /// The gauge of a metric, always the same one.
  public func gauge(_ metric: GaugeMetric, _ labels: String...) -> Gauge {
    object(metric.declaration, labels, \.gauges) { Gauge() }
  }

  /// The distribution of a metric, always the same one.
  public func distribution(_ metric: DistributionMetric, _ labels: String...) -> Distribution {
    object(metric.declaration, labels, \.distributions) { Distribution() }
  }

  /// The counters of a metric whose label is an enumeration, in the order of its cases.
  public func counters<Value: CaseIterable>(_ metric: CounterMetric, _ type: Value.Type)
    -> [Counter]
  {
    type.allCases.map { counter(metric, "\($0)") }
  }

  private func object<Object>(
    _ metric: MetricDeclaration, _ labels: [String],
    _ list: ReferenceWritableKeyPath<Metrics, [MetricValues.Key: Object]>, _ make: () -> Object
  ) -> Object {
    precondition(declared[metric.name] == metric, "\(metric.name) is not among the metrics here")
    precondition(labels.count == metric.labels.count, "\(metric.name) has other labels")
    for (label, value) in zip(metric.labels, labels) {
      precondition(
        label.values?.contains(value) ?? true, "\(metric.name) has no \(label.name) \(value)")
    }
    let key = MetricValues.Key(name: metric.name, labels: labels)
    if let known = self[keyPath: list][key] { return known }
    let made = make()
    self[keyPath: list][key] = made
    return made
  }

  /// Ends a slice of the windows, every `turnMilliseconds`.
  public func turn() {
    for distribution in distributions.values { distribution.histogram.turn() }
  }

  /// What was measured so far, as a value that may go to another loop.
  public var values: MetricValues {
    var values = MetricValues(declared)
    for (key, counter) in counters { values.series[key] = .number(counter.value) }
    for (key, gauge) in gauges { values.series[key] = .number(gauge.value) }
    for (key, distribution) in distributions {
      values.series[key] = .distribution(distribution.histogram.values)
    }
    return values
  }
}
