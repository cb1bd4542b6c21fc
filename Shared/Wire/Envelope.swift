/// Names one intended effect, so that repeating a call has the effect of one call.
public struct IdempotencyKey: Message, Hashable {
  /// The client process, registered at sign-in; within an outbox, the source.
  public var instance: UInt64 = 0
  /// Counts the client's changing calls from 1; 0 means that the call has no key.
  public var counter: UInt64 = 0
  /// The lowest counter the client still waits for; below it the server forgets.
  public var floor: UInt64 = 0

  @inlinable public init() {}
  @inlinable
  public init(instance: UInt64, counter: UInt64, floor: UInt64) {
    self.instance = instance
    self.counter = counter
    self.floor = floor
  }
  @inlinable public static var isFrozen: Bool { true }
  @inlinable public var isPresent: Bool { counter != 0 }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("instance", &instance)
    visit.field("counter", &counter)
    visit.field("floor", &floor)
  }
}

/// Stands before the body of a client's request.
public struct ClientEnvelope: Message {
  /// Joins the log lines of all processes that one call went through, with its repetitions: the low
  /// half of the trace. Of a call with no trace the gateway draws one.
  public var trace: UInt64 = 0
  /// Time left, so clocks need not agree; 0 takes the server's default.
  public var deadlineMilliseconds: UInt32 = 0
  /// The instance is the session's own, whatever the client writes here.
  public var idempotency = IdempotencyKey()
  /// The high half of the trace, which is 0 in one of 64 bits.
  public var traceHigh: UInt64 = 0

  @inlinable public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("trace", &trace)
    visit.field("deadlineMilliseconds", &deadlineMilliseconds)
    visit.field("idempotency", &idempotency)
    visit.field("traceHigh", &traceHigh)
  }

  @inlinable public var traceID: TraceID {
    get { TraceID(high: traceHigh, low: trace) }
    set { (traceHigh, trace) = (newValue.high, newValue.low) }
  }
}

/// Who calls, as a service sees it.
public struct Principal: Message, Hashable {
  public var kind = PrincipalKind()
  public var game = ""
  public var player = PlayerID()
  public var device = DeviceID()
  /// Which operator; empty for the one without a name, and for all others.
  public var operatorName = ""

  @inlinable public init() {}
  @inlinable
  public init(kind: PrincipalKind, game: String, player: PlayerID, device: DeviceID) {
    self.kind = kind
    self.game = game
    self.player = player
    self.device = device
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("kind", &kind)
    visit.field("game", &game)
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("operatorName", &operatorName)
  }
}

/// Stands before the body of a request from the gateway or from another service.
public struct ServiceEnvelope: Message {
  /// The low half of the trace of what has led to the call: of a client's call, of an effect, or of
  /// a timer. 0 in both halves where nothing is known of it.
  public var trace: UInt64 = 0
  public var deadlineMilliseconds: UInt32 = 0
  public var idempotency = IdempotencyKey()
  public var principal = Principal()
  /// The key whose slot runs the call.
  public var routingKey = RoutingKey()
  /// The gateway's number of the client's session, for pushes; 0 where there is none.
  public var session: UInt64 = 0
  public var facts = Facts()
  /// Present on a call that comes out of an outbox.
  public var source: EffectSource?
  /// The high half of the trace.
  public var traceHigh: UInt64 = 0

  @inlinable public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("trace", &trace)
    visit.field("deadlineMilliseconds", &deadlineMilliseconds)
    visit.field("idempotency", &idempotency)
    visit.field("principal", &principal)
    visit.field("routingKey", &routingKey)
    visit.field("session", &session)
    visit.field("facts", &facts)
    visit.field("source", &source)
    visit.field("traceHigh", &traceHigh)
  }

  @inlinable public var traceID: TraceID {
    get { TraceID(high: traceHigh, low: trace) }
    set { (traceHigh, trace) = (newValue.high, newValue.low) }
  }
}

/// Where an effect comes from: the receiver remembers how far it got per source.
public struct EffectSource: Message, Hashable {
  public var service: UInt8 = 0
  public var slot: UInt16 = 0
  public var store = StoreID()
  public var sequence: UInt64 = 0
  /// The effect before this one between the same two slots, if it is not confirmed yet, else 0: the
  /// receiver applies this one only after that one.
  public var after: UInt64 = 0
  /// The life of the source's store in which the effect was made: lives have growing numbers, and
  /// an effect of a later one comes after all of those before.
  public var incarnation: UInt64 = 0
  /// That of the effect before this one.
  public var afterIncarnation: UInt64 = 0
  /// The life that the source's store is in now; 0 of a source that does not say it.
  public var life: UInt64 = 0
  /// When the source's store was last marked as put back from a backup, as lives are numbered; 0
  /// for never.
  public var restored: UInt64 = 0

  @inlinable public init() {}
  @inlinable
  public init(service: Service, slot: UInt16, store: StoreID, sequence: UInt64, after: UInt64) {
    self.service = service.rawValue
    self.slot = slot
    self.store = store
    self.sequence = sequence
    self.after = after
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("service", &service)
    visit.field("slot", &slot)
    visit.field("store", &store)
    visit.field("sequence", &sequence)
    visit.field("after", &after)
    visit.field("incarnation", &incarnation)
    visit.field("afterIncarnation", &afterIncarnation)
    visit.field("life", &life)
    visit.field("restored", &restored)
  }
}

/// Stands before the body of an event that a service sends to a gateway for its clients.
public struct PushEnvelope: Message {
  /// The most further sessions of one event.
  public static let othersMax = 255

  public var session: UInt64 = 0
  /// The further sessions that get the event, at most `othersMax`.
  public var others: [UInt64] = []
  /// Present on live data: for a client that does not keep up, a newer event with the same number
  /// takes this one's place.
  public var replaces: UInt64?
  /// The trace of what has led to the event; absent on live data.
  public var trace: TraceID?

  @inlinable public init() {}
  @inlinable
  public init(
    session: UInt64, others: [UInt64] = [], replaces: UInt64? = nil, trace: TraceID? = nil
  ) {
    self.session = session
    self.others = others
    self.replaces = replaces
    self.trace = trace
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("session", &session)
    visit.field("others", &others)
    visit.field("replaces", &replaces)
    visit.field("trace", &trace)
  }
}
