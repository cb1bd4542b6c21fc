public import Operations
public import Wire

/// The operations of the gateway's own, and those that the services said they answer, by opcode.
///
/// Each process of a service describes itself, and while they are replaced one after the other they
/// are of several versions. Offered is what all of them answer at the same key; who may call it and
/// what it promises is what all of them say, and its facts are those that any of them needs.
public struct RouteTable {
  public struct Entry: Equatable, Sendable {
    public var access: Access
    public var isReadOnly: Bool
    public var routing: Routing
    public var needs: [FactKeySource]
    public var changesSession: Bool
    /// Does not wait for calls of the same client that do.
    public var isLive: Bool

    /// Is passed on as it comes: live data of players, at the key that it begins with.
    let isRelayed: Bool

    /// Nil for a route that this gateway cannot carry, or whose facts it cannot find, because the
    /// service is newer.
    init?(_ route: RouteDescription) {
      guard let routing = Routing(rawValue: route.routing), route.needs.allSatisfy(\.isKnown)
      else { return nil }
      access = Access(rawValue: route.access)
      isReadOnly = route.isReadOnly
      self.routing = routing
      needs = route.needs
      changesSession = route.changesSession
      isLive = route.isLive
      isRelayed =
        isLive && isReadOnly && needs.isEmpty && !changesSession && routing == .firstIdentifier
        && access.allows(.player)
    }
  }

  /// By opcode: a call finds its entry without hashing.
  private var entries = [Entry?](repeating: nil, count: Service.allCases.count << 8)
  /// The operations' names, in the same places.
  private var names = [String](repeating: "", count: Service.allCases.count << 8)
  /// What each service's processes said last, by partition.
  private var described: [Service: [String: ServiceDescription]] = [:]
  /// Opcodes that some processes of a service answer, and not all or not alike.
  private var partlyKnown: Set<UInt16> = []

  public init() {
    for own in OwnOperation.all {
      entries[Int(own.route.opcode)] = Entry(own.route)
      names[Int(own.route.opcode)] = own.route.name
    }
  }

  /// Takes a process's description in place of its earlier one.
  ///
  /// A route that this gateway cannot carry is left out: calling it is an unknown operation here.
  /// So is one that changes the session, which is the gateway's alone.
  public mutating func learn(_ description: ServiceDescription) {
    guard let service = Service(rawValue: description.service), service != .gateway else { return }
    described[service, default: [:]][description.partition] = description
    let first = UInt16(service.rawValue) << 8
    for opcode in first...first + 255 {
      entries[Int(opcode)] = nil
      partlyKnown.remove(opcode)
    }
    let processes = described[service, default: [:]].sorted { $0.key < $1.key }.map(\.value)
    var routes: [UInt16: [RouteDescription]] = [:]
    for route in processes.flatMap(\.routes) where route.opcode >> 8 == UInt16(service.rawValue) {
      routes[route.opcode, default: []].append(route)
    }
    for (opcode, routes) in routes {
      names[Int(opcode)] = routes[0].name
      if routes.count == processes.count, let route = RouteDescription(inAll: routes) {
        if !route.changesSession { entries[Int(opcode)] = Entry(route) }
      } else {
        partlyKnown.insert(opcode)
      }
    }
  }

  public subscript(opcode: Opcode) -> Entry? {
    opcode.service == nil ? nil : entries[Int(opcode.rawValue)]
  }

  /// The name of an operation, for logs; its opcode where nobody has told one.
  public func name(of opcode: Opcode) -> String {
    let name = opcode.service == nil ? "" : names[Int(opcode.rawValue)]
    return name.isEmpty ? "\(opcode)" : name
  }

  /// True for live data: see `Operation.isLive`.
  public func isLive(_ opcode: Opcode) -> Bool {
    opcode.service == nil ? false : entries[Int(opcode.rawValue)]?.isLive ?? false
  }

  /// True for live data of players that is passed on as it comes.
  func isRelayed(_ opcode: Opcode) -> Bool {
    opcode.service == nil ? false : entries[Int(opcode.rawValue)]?.isRelayed ?? false
  }

  /// True for an operation whose reply may be a fact: it changes nothing, services may call it, and
  /// it begins with its key.
  func isFact(_ opcode: Opcode) -> Bool {
    guard let entry = self[opcode] else { return false }
    return entry.isReadOnly && entry.access == .service && entry.routing == .firstIdentifier
  }

  /// True once a process of the service has described itself.
  public func knows(_ service: Service) -> Bool { described[service] != nil }

  /// True for an operation that is offered once all processes of its service are of one version.
  public func isPartlyKnown(_ opcode: Opcode) -> Bool { partlyKnown.contains(opcode.rawValue) }
}

extension RouteDescription {
  /// What holds of an operation wherever it is carried out; nil where its key is not at the same
  /// place in all versions.
  fileprivate init?(inAll routes: [RouteDescription]) {
    guard let first = routes.first else { return nil }
    self = first
    for route in routes.dropFirst() {
      if route.routing != routing { return nil }
      access &= route.access
      isReadOnly = isReadOnly && route.isReadOnly
      isLive = isLive && route.isLive
      changesSession = changesSession || route.changesSession
      needs += route.needs.filter { !needs.contains($0) }
    }
  }
}
