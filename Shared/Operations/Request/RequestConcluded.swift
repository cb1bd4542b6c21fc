public import Wire

/// An effect of the request service: tells `player`, who sent a request, what became of one
/// recipient's copy. It becomes one event in the sender's stream.
///
/// Errors: none. Cost: two rows.
public struct RequestConcluded: Operation {
  public static let opcode = Opcode(.request, 0x22)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var request = RequestID()
  public var recipient = PlayerID()
  public var conclusion = RequestConclusion()
  /// With `rateLimited`: the time after which sending again may work.
  public var retryAfterMilliseconds: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("request", &request)
    visit.field("recipient", &recipient)
    visit.field("conclusion", &conclusion)
    visit.field("retryAfterMilliseconds", &retryAfterMilliseconds)
  }
}

/// How one recipient's copy of a request ended, or that it has arrived.
public struct RequestConclusion: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let accepted = Self(rawValue: 1)
  public static let declined = Self(rawValue: 2)
  public static let expired = Self(rawValue: 3)
  public static let notReachable = Self(rawValue: 4)
  public static let limitReached = Self(rawValue: 5)
  public static let delivered = Self(rawValue: 6)
  public static let rateLimited = Self(rawValue: 7)

  public static let names = [
    "none", "accepted", "declined", "expired", "notReachable", "limitReached",
    "delivered", "rateLimited",
  ]
}
