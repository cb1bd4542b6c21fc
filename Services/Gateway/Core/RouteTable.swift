public import Operations
public import Wire

/// What the services said of the operations they answer, by opcode.
public struct RouteTable {
  public struct Entry: Equatable, Sendable {
    public var access: Access
    public var isReadOnly: Bool
    public var routing: Routing
    public var needs: [FactRoute]
  }

  /// By opcode: a call finds its entry without hashing.
  private var entries = [Entry?](repeating: nil, count: Service.allCases.count << 8)
  private var described: Set<Service> = []

  public init() {}

  /// Takes a service's description in place of its earlier one.
  ///
  /// A route that this gateway cannot carry, or whose facts it cannot find, because the service is
  /// newer, is left out: calling it is an unknown operation here.
  public mutating func learn(_ description: ServiceDescription) {
    guard let service = Service(rawValue: description.service) else { return }
    described.insert(service)
    let first = Int(service.rawValue) << 8
    for opcode in first..<first + 256 { entries[opcode] = nil }
    for route in description.routes where route.opcode >> 8 == UInt16(service.rawValue) {
      guard let routing = Routing(rawValue: route.routing), route.needs.allSatisfy(\.isKnown)
      else { continue }
      entries[Int(route.opcode)] = Entry(
        access: Access(rawValue: route.access), isReadOnly: route.isReadOnly, routing: routing,
        needs: route.needs)
    }
  }

  public subscript(opcode: Opcode) -> Entry? {
    opcode.service == nil ? nil : entries[Int(opcode.rawValue)]
  }

  /// True for an operation whose reply may be a fact: it changes nothing, services may call it, and
  /// it begins with its key.
  func isFact(_ opcode: Opcode) -> Bool {
    guard let entry = self[opcode] else { return false }
    return entry.isReadOnly && entry.access == .service && entry.routing == .firstIdentifier
  }

  /// True once a process of the service was heard.
  public func knows(_ service: Service) -> Bool { described.contains(service) }
}
