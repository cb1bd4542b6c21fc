public import Wire

/// What the gateway must know of an operation to route it. The service that handles it tells it.
public struct RouteDescription: Message {
  public var opcode: UInt16 = 0
  public var name = ""
  public var access: UInt8 = 0
  public var isReadOnly = false
  public var routing: UInt8 = 0
  /// The facts that come with the call.
  public var needs: [FactKeySource] = []
  /// Changes who the calls of its connection come from: calls do not overtake it, nor it them.
  public var changesSession = false
  /// Does not wait for calls of the same client that do.
  public var isLive = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("opcode", &opcode)
    visit.field("name", &name)
    visit.field("access", &access)
    visit.field("isReadOnly", &isReadOnly)
    visit.field("routing", &routing)
    visit.field("needs", &needs)
    visit.field("changesSession", &changesSession)
    visit.field("isLive", &isLive)
  }
}

/// Describes a service's process and the operations that it answers.
public struct ServiceDescription: Message {
  public var service: UInt8 = 0
  public var partition = "1/1"
  public var routes: [RouteDescription] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("service", &service)
    visit.field("partition", &partition)
    visit.field("routes", &routes)
  }
}

/// Calls that the process of every service answers itself, without its core. Their opcodes are the
/// last numbers of each service.
public enum Control {
  /// Asks for the `ServiceDescription`.
  public static let describe: UInt8 = 0xF0
  /// A client's session at the gateway is over: its connection closed, the player signed out, or a
  /// sign-in failed. The envelope names it, and the body is a `ChannelEnd`.
  public static let channelClosed: UInt8 = 0xF1
}

/// Says what ends together with a channel.
public struct ChannelEnd: Message {
  /// The client instance whose session was ended: its calls are not repeated any more. 0 where only
  /// the connection is gone.
  public var endedInstance: UInt64 = 0
  public init() {}
  public init(endedInstance: UInt64) { self.endedInstance = endedInstance }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("endedInstance", &endedInstance)
  }
}

extension Control {
  /// Asks for the `ServiceStatus`.
  public static let status: UInt8 = 0xF2
}
