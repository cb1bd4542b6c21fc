public import Wire

/// The state of a process, for an operator, a probe or a dashboard.
public struct ServiceStatus: Message {
  public var name = ""
  public var partition = ""
  public var version = ""
  public var isReady = false
  public var uptimeSeconds: UInt64 = 0
  public var metrics: [Metric] = []
  /// The clock of the process's machine when it answered, in milliseconds since 1970; 0 where it
  /// was not told.
  public var time: Int64 = 0
  /// Which build of its version the program is; empty where it was not told. Programs of one name
  /// that say the same are the same bytes.
  public var build = ""
  /// Of a gateway, its keys, games' credentials and operators, a line each, as its file of keys has
  /// them, but for four bytes of a hash in the place of each secret: equal lines are of equal
  /// secrets. Empty where it was not told.
  public var keys: [String] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("name", &name)
    visit.field("partition", &partition)
    visit.field("version", &version)
    visit.field("isReady", &isReady)
    visit.field("uptimeSeconds", &uptimeSeconds)
    visit.field("metrics", &metrics)
    visit.field("time", &time)
    visit.field("build", &build)
    visit.field("keys", &keys)
  }

  public struct Metric: Message {
    public var name = ""
    /// Of a counter or a gauge; for a distribution, how many there were since the start.
    public var value: UInt64 = 0
    /// What the series is about among those of the name; empty where there is one alone.
    public var label = ""
    /// `count`, `bytes`, `permille`, or what a time is counted in.
    public var unit = ""
    /// Of a distribution: the last minute and the last hour.
    public var windows: [Window] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("name", &name)
      visit.field("value", &value)
      visit.field("label", &label)
      visit.field("unit", &unit)
      visit.field("windows", &windows)
    }
  }

  /// The times or sizes of so many seconds, in the unit of the metric.
  public struct Window: Message {
    public var seconds: UInt32 = 0
    public var count: UInt64 = 0
    public var median: UInt64 = 0
    public var p99: UInt64 = 0
    public var maximum: UInt64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("seconds", &seconds)
      visit.field("count", &count)
      visit.field("median", &median)
      visit.field("p99", &p99)
      visit.field("maximum", &maximum)
    }
  }
}

/// Sent by an operator: returns the state of the gateway and of the process of every service.
public struct DeploymentStatus: Operation {
  public static let opcode = Opcode(.gateway, 0x09)
  public static var access: Access { .deploymentOperator }
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    /// The processes, the gateway first. A process that did not answer has an empty version.
    public var processes: [ServiceStatus] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("processes", &processes)
    }
  }
}
