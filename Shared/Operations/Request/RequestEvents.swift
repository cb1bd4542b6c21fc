public import Wire

/// In the recipient's stream: a new request is on the recipient's list.
public struct RequestReceived: Event {
  public static let opcode = Opcode(.request, 0xA2)
  public static var way: EventWay { .stream }
  public var request = ReceivedRequest()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
  }
}

/// In the sender's stream, once: a recipient accepted or declined the request.
public struct RequestAnswered: Event {
  public static let opcode = Opcode(.request, 0xA3)
  public static var way: EventWay { .stream }
  public var request = RequestID()
  public var recipient = PlayerID()
  public var accepted = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
    visit.field("recipient", &recipient)
    visit.field("accepted", &accepted)
  }
}

/// In the sender's stream: the request expired before a recipient answered it.
public struct RequestExpired: Event {
  public static let opcode = Opcode(.request, 0xA4)
  public static var way: EventWay { .stream }
  public var request = RequestID()
  public var recipient = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
    visit.field("recipient", &recipient)
  }
}

/// In the sender's stream, where the request asked for it: it is on the list of a recipient, who
/// was told if connected.
public struct RequestDelivered: Event {
  public static let opcode = Opcode(.request, 0xAC)
  public static var way: EventWay { .stream }
  public var request = RequestID()
  public var recipient = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
    visit.field("recipient", &recipient)
  }
}

/// In the sender's stream: a recipient whose outcome was `queued` did not get the request after
/// all.
public struct RequestDropped: Event {
  public static let opcode = Opcode(.request, 0xA5)
  public static var way: EventWay { .stream }
  public var request = RequestID()
  /// Nil where the recipient was an invite token that nobody has claimed in time.
  public var recipient = PlayerID()
  public var outcome = DeliveryOutcome()
  /// With `rateLimited`: the time after which sending again may work; otherwise 0.
  public var retryAfterMilliseconds: UInt32 = 0
  /// With `expiredToken`: the invite token.
  public var token = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
    visit.field("recipient", &recipient)
    visit.field("outcome", &outcome)
    visit.field("retryAfterMilliseconds", &retryAfterMilliseconds)
    visit.field("token", &token)
  }
}
