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
  }

  public struct Metric: Message {
    public var name = ""
    public var value: UInt64 = 0
    public init() {}
    public init(name: String, value: UInt64) {
      self.name = name
      self.value = value
    }
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("name", &name)
      visit.field("value", &value)
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
