public import Operations
public import Wire

/// The operations of the gateway's own, and those that the services said they answer, by opcode.
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
  private var described: Set<Service> = []

  public init() {
    for own in OwnOperation.all { entries[Int(own.route.opcode)] = Entry(own.route) }
  }

  /// Takes a service's description in place of its earlier one.
  ///
  /// A route that this gateway cannot carry is left out: calling it is an unknown operation here.
  /// So is one that changes the session, which is the gateway's alone.
  public mutating func learn(_ description: ServiceDescription) {
    guard let service = Service(rawValue: description.service), service != .gateway else { return }
    described.insert(service)
    let first = Int(service.rawValue) << 8
    for opcode in first..<first + 256 { entries[opcode] = nil }
    for route in description.routes where route.opcode >> 8 == UInt16(service.rawValue) {
      if !route.changesSession { entries[Int(route.opcode)] = Entry(route) }
    }
  }

  public subscript(opcode: Opcode) -> Entry? {
    opcode.service == nil ? nil : entries[Int(opcode.rawValue)]
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
  public func knows(_ service: Service) -> Bool { described.contains(service) }
}
