public import Operations

/// Metrics as values, so that those of several loops can be added up.
public struct MetricValues: Sendable {
  struct Key: Hashable, Comparable {
    var name: String
    var labels: [String]

    static func < (left: Self, right: Self) -> Bool {
      left.name == right.name
        ? left.labels.lexicographicallyPrecedes(right.labels) : left.name < right.name
    }
  }

  enum Value: Sendable {
    case number(UInt64)
    case distribution(DistributionValues)
  }

  var series: [Key: Value] = [:]
  private(set) var declared: [String: MetricDeclaration]

  public init() { declared = [:] }

  init(_ declared: [String: MetricDeclaration]) { self.declared = declared }

  /// Adds what another loop measured, as if one loop had measured all of it. What is of the whole
  /// process, such as its memory, is told by one of its loops.
  public mutating func add(_ other: MetricValues) {
    declared.merge(other.declared) { first, _ in first }
    for (key, value) in other.series {
      switch (series[key], value) {
      case (.number(let own), .number(let more)): series[key] = .number(own + more)
      case (.distribution(var own), .distribution(let more)):
        own.add(more)
        series[key] = .distribution(own)
      default: series[key] = value
      }
    }
  }

  /// All series in order, each with its declaration.
  var list: [(declaration: MetricDeclaration, labels: [String], value: Value)] {
    series.sorted { $0.key < $1.key }.compactMap { key, value in
      declared[key.name].map { ($0, key.labels, value) }
    }
  }

  /// As an operator sees them. Of a metric with labels, what never happened is left out.
  public var status: [ServiceStatus.Metric] {
    list.compactMap { declaration, labels, value in
      var metric = ServiceStatus.Metric()
      metric.name = declaration.name
      metric.label = labels.joined(separator: " ")
      metric.unit = declaration.unit.rawValue
      switch value {
      case .number(let number): metric.value = number
      case .distribution(let values):
        metric.value = values.count
        metric.windows = [Self.window(60, values.minute), Self.window(3600, values.hour)]
      }
      let isNews = metric.value > 0 || labels.isEmpty || declaration.isToldAtZero
      return isNews ? metric : nil
    }
  }

  private static func window(_ seconds: UInt32, _ values: PackedHistogram)
    -> ServiceStatus.Window
  {
    var window = ServiceStatus.Window()
    window.seconds = seconds
    window.count = values.count
    window.median = values.quantile(0.5)
    window.p99 = values.quantile(0.99)
    window.maximum = values.maximum
    return window
  }
}
