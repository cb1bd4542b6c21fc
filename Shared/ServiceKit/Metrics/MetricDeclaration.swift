/// What a metric is told apart by, such as the code of a failure: its values are of a set that no
/// client can make larger.
public struct MetricLabel: Hashable, Sendable {
  public let name: String
  /// Nil where the process knows the set when it starts, such as the operations of its service.
  public let values: [String]?

  public init(_ name: String, _ values: [String]?) {
    (self.name, self.values) = (name, values)
  }

  /// The cases of an enumeration, by their names.
  public init<Value: CaseIterable>(_ name: String, casesOf type: Value.Type) {
    self.init(name, type.allCases.map { "\($0)" })
  }
}

/// Everything that is said about a metric: its place in `muster status`, in the file for Prometheus
/// and in `deploy/metrics.md` follows from it.
public struct MetricDeclaration: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// Something that happens: the number grows until the process ends.
    case counter
    /// Something that is, as of the last look at it.
    case gauge
    /// How long something takes, or how large it is, each time.
    case distribution
  }

  /// Lower-case words; a dot stands between what it is about and what of that is counted.
  public let name: String
  public let kind: Kind
  public let unit: MetricUnit
  public let labels: [MetricLabel]
  /// Whether an operator sees a series with labels at 0, too: of others, 0 is what never happened.
  public let isToldAtZero: Bool
  /// One sentence for whoever looks at the number.
  public let help: String

  fileprivate init(
    _ name: String, _ kind: Kind, _ unit: MetricUnit, _ labels: [MetricLabel],
    isToldAtZero: Bool = false, _ help: String
  ) {
    precondition(
      !name.isEmpty
        && name.utf8.allSatisfy {
          ($0 >= 0x61 && $0 <= 0x7a) || $0 == 0x2e || $0 == 0x5f
        }, "\(name) is no name of a metric")
    precondition(help.hasSuffix("."), "\(name) is not said in a sentence")
    (self.name, self.kind, self.unit, self.labels, self.help) = (name, kind, unit, labels, help)
    self.isToldAtZero = isToldAtZero
  }

  /// The name that Prometheus has for it: of one word with the base unit at its end.
  public var exportedName: String {
    var name = "muster_" + name.replacing(".", with: "_")
    if let base = unit.baseUnit, !name.hasSuffix("_\(base)") { name += "_\(base)" }
    return kind == .counter ? name + "_total" : name
  }
}

/// A metric that counts what happens, declared beside what it is about:
/// `extension CounterMetric { static let lateCalls = ... }`. Every process names those that it has
/// in a `MetricList`, and another one cannot be used.
public struct CounterMetric: Sendable {
  public let declaration: MetricDeclaration

  public init(
    _ name: String, _ unit: MetricUnit = .count, by labels: MetricLabel..., help: String
  ) {
    declaration = MetricDeclaration(name, .counter, unit, labels, help)
  }
}

/// A metric that says what is; see `CounterMetric`.
public struct GaugeMetric: Sendable {
  public let declaration: MetricDeclaration

  /// - Parameter isToldAtZero: whether 0 of a series with labels is news, as with time left.
  public init(
    _ name: String, _ unit: MetricUnit = .count, by labels: MetricLabel...,
    isToldAtZero: Bool = false, help: String
  ) {
    declaration = MetricDeclaration(name, .gauge, unit, labels, isToldAtZero: isToldAtZero, help)
  }
}

/// A metric of times or sizes, of which quantiles are told over the last minute and the last hour;
/// see `CounterMetric`.
public struct DistributionMetric: Sendable {
  public let declaration: MetricDeclaration

  public init(_ name: String, _ unit: MetricUnit, by labels: MetricLabel..., help: String) {
    declaration = MetricDeclaration(name, .distribution, unit, labels, help)
  }
}

/// The metrics of a process: no others can be used in it.
public struct MetricList: Sendable {
  public let declarations: [MetricDeclaration]

  public init(
    counters: [CounterMetric] = [], gauges: [GaugeMetric] = [],
    distributions: [DistributionMetric] = []
  ) {
    self.init(
      counters.map(\.declaration) + gauges.map(\.declaration)
        + distributions.map(\.declaration))
  }

  private init(_ declarations: [MetricDeclaration]) {
    let names = Set(declarations.map(\.exportedName))
    precondition(names.count == declarations.count, "two metrics of a process have one name")
    self.declarations = declarations.sorted { $0.name < $1.name }
  }

  /// The list without those of the names.
  package func removing(_ names: Set<String>) -> MetricList {
    MetricList(declarations.filter { !names.contains($0.name) })
  }

  public static func + (left: MetricList, right: MetricList) -> MetricList {
    MetricList(left.declarations + right.declarations)
  }
}
