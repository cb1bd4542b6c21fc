public import Wire

/// What one opcode means to a service: the facts that the gateway and the engine need, and the way
/// into the handler.
public final class Route {
  public let opcode: Opcode
  public let name: String
  public let access: Access
  public let isReadOnly: Bool
  /// True for a call that waits for nothing: see `Operation.isLive`.
  public let isLive: Bool
  public let isIdempotent: Bool
  public let changesSession: Bool
  public let routing: Routing
  /// How a gateway finds the keys of the facts that come with a call.
  public let needs: [FactKeySource]
  public let shape: Shape
  public let replyShape: Shape
  /// True when the calls that change something go to the audit: see `AuditRow`.
  public let isAudited: Bool
  let run: (RawSpan, Call, inout Transaction) throws(Stop) -> [UInt8]

  @usableFromInline
  init<O: Operation>(
    _ type: O.Type,
    run: @escaping (RawSpan, Call, inout Transaction) throws(Stop) -> [UInt8]
  ) {
    opcode = O.opcode
    name = O.name
    access = O.access
    isReadOnly = O.isReadOnly
    isLive = O.isLive
    isIdempotent = O.isIdempotent
    changesSession = O.changesSession
    routing = O.routing
    shape = O.shape
    needs = O.needs.map { [shape] in FactKeySource($0, in: shape) }
    replyShape = O.Reply.shape
    isAudited = !O.isReadOnly && O.access.isForOwnersAlone
    self.run = run
  }
}

/// A service's handlers by opcode, each bound to the core that it is a method of: what runs them
/// need not know the core's type.
public struct Router {
  public private(set) var routes: [Opcode: Route] = [:]
  /// By the opcode's number within the service.
  private var byNumber = [Route?](repeating: nil, count: 256)

  public init() {}

  /// Registers the handler of an operation; twice for one opcode is a mistake of ours and traps.
  ///
  /// Inlinable, so that the module of the handler has code of its own to decode the operation and
  /// to encode the reply: one for all types takes several times as long.
  @inlinable
  public mutating func on<O: Operation>(
    _ type: O.Type, _ handler: @escaping (O, Call, inout Transaction) throws(Stop) -> O.Reply
  ) {
    add(
      Route(type) { (body, call, transaction) throws(Stop) -> [UInt8] in
        try handler(Self.decode(body), call, &transaction).encoded
      })
  }

  @inlinable
  static func decode<O: Operation>(_ body: RawSpan) throws(Stop) -> O {
    let operation: O
    do {
      operation = try O(decoding: body)
    } catch {
      throw .refuse(.malformed, "The body of \(O.name) cannot be read: \(error).")
    }
    if let fault = operation.fault { throw .refused(fault) }
    return operation
  }

  /// Registers the handler of an operation whose reply says only that it is done.
  @inlinable
  public mutating func on<O: Operation>(
    _ type: O.Type, _ handler: @escaping (O, Call, inout Transaction) throws(Stop) -> Void
  ) where O.Reply == Empty {
    add(
      Route(type) { (body, call, transaction) throws(Stop) -> [UInt8] in
        try handler(Self.decode(body), call, &transaction)
        return []
      })
  }

  @usableFromInline
  mutating func add(_ route: Route) {
    let opcode = route.opcode
    precondition(routes[opcode] == nil, "\(opcode) is registered twice")
    // Facts that a handler asks for by `call.fact` show only when it runs.
    precondition(
      route.access != .timersAlone || route.needs.isEmpty,
      "nobody fetches the facts that \(route.name) needs for a timer")
    precondition(
      !route.isLive || route.isReadOnly && route.needs.isEmpty,
      "\(route.name) is live data, and changes something or waits for facts")
    routes[opcode] = route
    let number = Int(opcode.rawValue & 0xff)
    precondition(byNumber[number] == nil, "\(opcode) is of another service")
    byNumber[number] = route
  }

  /// The route of an opcode, found without hashing.
  public subscript(opcode: Opcode) -> Route? {
    let route = byNumber[Int(opcode.rawValue & 0xff)]
    return route?.opcode == opcode ? route : nil
  }
}

/// The rules of one service: tables, handlers and time, without any input or output.
public protocol ServiceCore: AnyObject, SendableMetatype {
  static var service: Service { get }
  /// The numbers in its rules that an operator may change.
  static var declaredSettings: [NumberSetting] { get }
  /// The operation that reads what the service keeps about a player; the engine handles it.
  static var recordsExport: (any RecordsExport.Type)? { get }
  /// The operation by which the service is told of an erased player; the engine handles it.
  static var recordsErasure: (any RecordsErasure.Type)? { get }
  /// - Parameter settings: values of the declared settings and of the engine's.
  init(settings: SettingValues)
  var settings: SettingValues { get }
  /// The handlers, bound to this core. Whoever asks keeps the router; a core that did would keep
  /// itself alive.
  var router: Router { get }
  /// Registers every table, resident ones with what takes their rows into this core.
  func register(_ tables: inout Tables)
  /// Called once after all rows are there. A core sets the timers that its rows ask for again: one
  /// may be missing, as in a store of an earlier version, or be too late for a setting that has
  /// changed. A timer that is pending and due no later stays as it is.
  func loaded(_ transaction: inout Transaction)
  /// The shape of a message that the core's effects are or carry, of whichever service; nil where
  /// it is not known.
  func shape(of opcode: Opcode) -> Shape?
  /// Whether an operation tells a service of an erased player.
  func isErasure(_ opcode: Opcode) -> Bool
  /// Whether an operation of this very process may come for a player who was erased meanwhile: it
  /// only ends what it had begun.
  func mayNameErased(_ opcode: Opcode) -> Bool
  /// A player is erased from now on: the core forgets what only its memory has of the player. Rows
  /// follow one by one: see `Tables.erases`.
  func erased(_ erasure: Erasure, isOwner: Bool, _ transaction: inout Transaction)
  /// Tells services that a player was erased, at each of their slots.
  func tell(
    of erasure: Erasure, to isTold: (Service) -> Bool, _ transaction: inout Transaction)
  /// A client connection is gone, and with it the channel.
  func closed(_ channel: Channel, _ transaction: inout Transaction)
}

extension ServiceCore {
  public static var declaredSettings: [NumberSetting] { [] }
  public static var recordsExport: (any RecordsExport.Type)? { nil }
  public static var recordsErasure: (any RecordsErasure.Type)? { nil }
  /// A core whose settings all have their defaults.
  public init() { self.init(settings: SettingValues(of: Self.self)) }
  public func loaded(_ transaction: inout Transaction) {}
  public func shape(of opcode: Opcode) -> Shape? { nil }
  public func isErasure(_ opcode: Opcode) -> Bool {
    opcode == Self.recordsErasure?.opcode
  }
  public func mayNameErased(_ opcode: Opcode) -> Bool { false }
  public func erased(
    _ erasure: Erasure, isOwner: Bool, _ transaction: inout Transaction
  ) {}
  public func tell(
    of erasure: Erasure, to isTold: (Service) -> Bool, _ transaction: inout Transaction
  ) {}
  public func closed(_ channel: Channel, _ transaction: inout Transaction) {}
}

extension SettingValues {
  /// The values for a core and the engine around it: the defaults, but for `changes`.
  public init(of core: any ServiceCore.Type, _ changes: [NumberSetting: Int] = [:]) {
    self.init(Engine.settings(of: core), changes)
  }
}
