/// One fact: what the owner of `key` replied to a read-only operation about it.
public struct Fact: Message, Hashable {
  /// Of the operation whose reply it is.
  public var opcode: UInt16 = 0
  public var key = RoutingKey()
  public var reply = Bytes()

  @inlinable public init() {}
  @inlinable
  public init(_ opcode: Opcode, at key: RoutingKey, reply: [UInt8]) {
    self.opcode = opcode.rawValue
    self.key = key
    self.reply = Bytes(reply)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("opcode", &opcode)
    visit.field("key", &key)
    visit.field("reply", &reply)
  }
}

/// What the gateway found out for a call. Whoever carries facts knows their opcodes and keys; what
/// a reply says, only the handler reads that asks for it by its type.
public struct Facts: Message, Hashable {
  public var all: [Fact] = []

  @inlinable public init() {}
  @inlinable public init(_ facts: [Fact]) { all = facts }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("facts", &all)
  }

  /// The bytes of a reply; nil when the call came without it.
  public func reply(to opcode: Opcode, at key: RoutingKey) -> [UInt8]? {
    all.first { $0.opcode == opcode.rawValue && $0.key == key }?.reply.array
  }
}

/// In a `factRequired` failure: what the gateway fetches before it makes the call again, from one
/// key or from several side by side. Only the service knows of it: the need depends on a row, or on
/// more of the call than the gateway reads.
public struct FactDemand: Message, Hashable {
  /// Of a read-only operation between services that begins with the key.
  public var opcode: UInt16 = 0
  public var key = RoutingKey()
  /// The bytes of the refused call, which the service gives back: the gateway passes a call on
  /// without keeping a copy, so that only the calls that take this detour pay for one.
  public var operation: Bytes?
  /// Keys at which the same is asked besides. A gateway that is older than this field fetches the
  /// fact at `key` alone, and is then asked for the next one.
  public var furtherKeys: [RoutingKey] = []

  @inlinable public init() {}
  @inlinable
  public init(
    _ opcode: Opcode, at key: RoutingKey, andAt furtherKeys: [RoutingKey] = [],
    operation: Bytes? = nil
  ) {
    self.opcode = opcode.rawValue
    self.key = key
    self.furtherKeys = furtherKeys
    self.operation = operation
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("opcode", &opcode)
    visit.field("key", &key)
    visit.field("operation", &operation)
    visit.field("furtherKeys", &furtherKeys)
  }

  /// All keys at which the fact is asked, in the order in which the service named them.
  public var keys: [RoutingKey] { [key] + furtherKeys }
}

extension Failure {
  /// Refuses a call until it comes with a fact.
  public init(_ demand: FactDemand) {
    self.init(
      .factRequired, "The reply to \(Opcode(rawValue: demand.opcode)) has to come with the call.",
      detail: Bytes(demand.encoded))
  }
}
