public import Domain
import Operations
public import Wire

/// What all clients of one of the gateway's loops share: keys, routes, budgets, the time of the
/// event that is being handled, and what it led to.
public struct GatewayState {
  public private(set) var keyring: Keyring
  public var routes = RouteTable()
  /// Milliseconds of a clock that only goes forward, as of the event that is being handled.
  public var now: UInt64 = 0
  /// The same in microseconds, for how long calls take; as fine as its user needs it.
  public var microseconds: UInt64 = 0
  /// Whether anything is to be told of a call that ends so, after so many microseconds.
  public var tellsEnd: (Failure?, _ microseconds: UInt64) -> Bool = { _, _ in false }
  /// Is told how many microseconds each call has taken that was let in, but of live data.
  public var tookTime: (Service?, _ microseconds: UInt64) -> Void = { _, _ in }
  /// Draws the traces of what comes without one; made when that happens first.
  private var traces: TraceSource?
  /// What is to be done, in this order.
  public private(set) var actions: [ClientAction] = []
  /// What clients were answered in place of a reply.
  public internal(set) var failures = FailureCounts()

  /// Milliseconds since 1970.
  let wallClock: () -> Int64
  /// A random number that nobody can guess, never 0.
  let random: () -> UInt64
  /// Compares in a time that does not depend on where the bytes differ.
  let equals: ([UInt8], [UInt8]) -> Bool
  private(set) var operators: Operators
  /// Whose proofs of identity are taken.
  let providers: IdentityProviders
  let hosts: HostCalls
  /// How many calls a player, or a connection without one, may make.
  let callRate: TokenBucket.Rate
  let tokenLifetimeMilliseconds: Int64
  /// The deadline of a call that names none.
  public let deadlineMilliseconds: UInt32
  /// How long a connection may stay on which nobody signs in.
  let signInMilliseconds: UInt64
  /// What each client is told at sign-in.
  let clientLimits: ClientLimits
  /// Processes of each service, by its number.
  private let partitions: [Int]
  var nameKeys = NameKeys()
  var declaredGames = DeclaredGames()
  /// This loop's own: a lock that all calls take would tie the loops together.
  private var callBudgets: KeyedBudgets<PlayerID>

  /// The settings that sessions read.
  public static let settings: [NumberSetting] = [
    .callsPerSecond, .sessionTokenLifetime, .callDeadline, .clientIdle, .partialFrame,
    .signInTime,
  ]

  /// - Parameters:
  ///   - operatorSecret: that of the operator without a name; nil where there is none.
  ///   - operators: the others by name, each with the SHA-256 of the secret.
  public init(
    keyring: Keyring, partitions: (Service) -> Int, settings: SettingValues,
    operatorSecret: [UInt8]?, operators: [String: [UInt8]] = [:],
    providers: IdentityProviders = IdentityProviders(),
    wallClock: @escaping () -> Int64, random: @escaping () -> UInt64,
    equals: @escaping ([UInt8], [UInt8]) -> Bool,
    hosts: HostCalls
  ) {
    self.keyring = keyring
    self.partitions = Service.allCases.sorted { $0.rawValue < $1.rawValue }.map(partitions)
    callRate = TokenBucket.Rate(perSecond: Double(settings[.callsPerSecond]))
    tokenLifetimeMilliseconds = settings[.sessionTokenLifetime]
    deadlineMilliseconds = UInt32(settings[.callDeadline])
    signInMilliseconds = UInt64(settings[.signInTime])
    clientLimits = ClientLimits(settings)
    self.operators = Operators(secret: operatorSecret, named: operators)
    self.providers = providers
    self.wallClock = wallClock
    self.random = random
    self.equals = equals
    self.hosts = hosts
    callBudgets = KeyedBudgets(callRate)
  }

  /// How old a token is when a connected client gets a new one: half of its life is then left to
  /// come back with.
  public var tokenRenewalMilliseconds: Int64 { tokenLifetimeMilliseconds / 2 }

  var tokenSeconds: UInt32 { UInt32(tokenLifetimeMilliseconds / 1000) }

  /// False for a service that the deployment leaves out.
  func has(_ service: Service) -> Bool { partitions[Int(service.rawValue)] > 0 }

  /// The process that owns a key; with no process of the service, one that nobody reaches.
  func address(_ service: Service, _ key: RoutingKey) -> ProcessAddress {
    let count = max(1, partitions[Int(service.rawValue)])
    return ProcessAddress(
      service: service, partition: Partition.owner(of: Slot.of(key), count: count))
  }

  /// The time that a call gets which asks for so much of it.
  func deadline(_ milliseconds: UInt32) -> UInt32 {
    min(
      milliseconds == 0 ? deadlineMilliseconds : milliseconds,
      GatewayLimits.deadlineMillisecondsMax)
  }

  /// - Parameter place: see `KeyedBudgets`.
  mutating func takeCalls(_ count: Int, of player: PlayerID, at place: inout Int) -> UInt32? {
    callBudgets.take(player, count, now: now, at: &place)
  }

  /// Takes calls also where there are not enough; see `KeyedBudgets`.
  mutating func chargeCalls(_ count: Int, of player: PlayerID, at place: inout Int) -> UInt32? {
    callBudgets.charge(player, count, now: now, at: &place)
  }

  /// The trace of a call whose client has sent one, and a new trace for any other.
  mutating func trace(_ sent: TraceID = TraceID()) -> TraceID {
    if !sent.isNil { return sent }
    var source = traces ?? TraceSource(high: random(), low: random())
    defer { traces = source }
    return source.next()
  }

  /// From now on there are these keys, and these operators with a name.
  public mutating func use(_ keyring: Keyring, operators: [String: [UInt8]]) {
    self.keyring = keyring
    self.operators.named = operators
  }

  mutating func act(_ action: ClientAction) { actions.append(action) }

  /// Hands out what is to be done, and takes an empty array in its place, whose memory is used
  /// again.
  public mutating func exchangeActions(_ emptied: inout [ClientAction]) {
    precondition(emptied.isEmpty, "actions would be lost")
    swap(&actions, &emptied)
  }
}
