public struct Opcode: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public var rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  @inlinable
  public init(_ service: Service, _ number: UInt8) {
    rawValue = UInt16(service.rawValue) << 8 | UInt16(number)
  }

  /// Nil for an opcode of a service that this build does not know.
  @inlinable public var service: Service? { Service(rawValue: UInt8(rawValue >> 8)) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// Who makes a call.
public struct PrincipalKind: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Nobody yet: only sign-in and its kin.
  public static let anonymous = Self(rawValue: 0)
  public static let player = Self(rawValue: 1)
  /// A game's own server.
  public static let gameServer = Self(rawValue: 2)
  /// Whoever runs this deployment.
  public static let deploymentOperator = Self(rawValue: 3)
  /// Another of Muster's own processes, known by its certificate.
  public static let service = Self(rawValue: 4)

  public static let names = ["anonymous", "player", "gameServer", "operator", "service"]
}

/// A set of principal kinds.
public struct Access: OptionSet, Sendable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let anonymous = Access(rawValue: 1 << 0)
  public static let player = Access(rawValue: 1 << 1)
  public static let gameServer = Access(rawValue: 1 << 2)
  public static let deploymentOperator = Access(rawValue: 1 << 3)
  public static let service = Access(rawValue: 1 << 4)
  /// Of Muster's own processes the gateway alone, which has seen who its clients are. As a
  /// principal it is a `service`; a process looks at the certificate, and a gateway passes on no
  /// such call of a client.
  public static let gateway: Access = [.service, Access(rawValue: gatewayAlone)]
  /// The gateway alone, for an operator whose call it carries out in several steps: the audit has
  /// those that change something, with the operator.
  public static let gatewayForOperator: Access = [
    .deploymentOperator, Access(rawValue: gatewayAlone),
  ]
  /// Nobody calls it: timers apply it.
  public static let timersAlone: Access = []

  /// Stands for no principal kind.
  private static let gatewayAlone: UInt8 = 1 << 7

  public var isForGatewayAlone: Bool { rawValue & Self.gatewayAlone != 0 }

  @inlinable
  public func allows(_ kind: PrincipalKind) -> Bool {
    kind.rawValue < 7 && rawValue & (1 << kind.rawValue) != 0
  }
}

/// How the gateway finds the key, and by it the slot, that a call belongs to. It never decodes more
/// of the body than this needs.
public enum Routing: UInt8, Sendable {
  /// The caller's own player id.
  case principal = 0
  /// The body's first field, sixteen bytes.
  case firstIdentifier = 1
  /// The body's first field, a string that names something within the game, such as a board.
  case firstName = 2
  /// The pair of the caller and the player in the body's first field, within the game. The key is
  /// a keyed hash, so a pair's context cannot be guessed.
  case pair = 3
  /// A new key, made by a keyed hash of the idempotency key so that a retry finds it again.
  case fresh = 4
  /// What belongs to the game as a whole; every call of a game's players may ask for it.
  case game = 5
}

/// A message that asks for something, with what every process must know to carry it.
///
/// Adding one touches this message, its handler in a service's core, and its test. The gateway
/// learns the routing facts from the service that registers the handler.
public protocol Operation: Message {
  associatedtype Reply: Message
  static var opcode: Opcode { get }
  static var access: Access { get }
  /// True when the call changes nothing that is kept; it then needs no idempotency key.
  static var isReadOnly: Bool { get }
  /// True for the live data of a match, which waits for nothing: neither for the disk, nor for
  /// calls of the same client that do. Its handler reads what is in memory and pushes.
  static var isLive: Bool { get }
  /// True when running the call twice does what running it once does. Its answer is then not
  /// remembered: a repeated call runs again, on the connection that repeats it.
  static var isIdempotent: Bool { get }
  /// True when the call changes who the calls of its connection come from, as a sign-in does. It is
  /// made after all calls that came before it, and those that come after it wait until it is done.
  static var changesSession: Bool { get }
  static var routing: Routing { get }
  /// The facts that the handler relies on and that other keys' owners know.
  static var needs: [FactNeed] { get }
  /// Why nobody may make this call, whatever is stored; nil for a call that may be right. It is
  /// refused before its handler runs, and a client looks here first, to answer fast.
  var fault: Failure? { get }
}

extension Operation {
  @inlinable public static var access: Access { .player }
  @inlinable public static var isReadOnly: Bool { false }
  @inlinable public static var isLive: Bool { false }
  @inlinable public static var isIdempotent: Bool { false }
  @inlinable public static var changesSession: Bool { false }
  @inlinable public static var routing: Routing { .principal }
  @inlinable public static var needs: [FactNeed] { [] }
  @inlinable public var fault: Failure? { nil }
}

/// How an event comes to a client.
public enum EventWay: String, Sendable {
  /// As it is, to one connection.
  case push
  /// Inside a `StreamEvent`: it is kept, and comes again until it was acknowledged.
  case stream
  /// Inside a `HintEvent`: told once, to whoever is connected.
  case hint
}

/// Something that a client is told without having asked.
public protocol Event: Message {
  static var opcode: Opcode { get }
  static var way: EventWay { get }
}

extension Event {
  @inlinable public static var way: EventWay { .push }
}

/// A reply that says only "done".
public struct Empty: Message, Hashable {
  @inlinable public init() {}
  @inlinable public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
