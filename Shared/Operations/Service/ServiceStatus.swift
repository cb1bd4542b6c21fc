public import Wire

/// How a process is: what an operator, a probe or a dashboard asks for.
public struct ServiceStatus: Message {
  public var name = ""
  public var partition = ""
  public var version = ""
  public var isReady = false
  public var uptimeSeconds: UInt64 = 0
  public var metrics: [Metric] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("name", &name)
    visit.field("partition", &partition)
    visit.field("version", &version)
    visit.field("isReady", &isReady)
    visit.field("uptimeSeconds", &uptimeSeconds)
    visit.field("metrics", &metrics)
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

/// Asks the gateway how it and every service's process are.
public struct DeploymentStatus: Operation {
  public static let opcode = Opcode(.gateway, 0x09)
  public static var access: Access { .deploymentOperator }
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    /// The gateway first; a process that did not answer has an empty version.
    public var processes: [ServiceStatus] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("processes", &processes)
    }
  }
}
