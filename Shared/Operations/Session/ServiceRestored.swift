public import Wire

/// Pushed by the gateway when it reaches the process of a service again. What that process kept
/// only in memory may be lost, such as who is connected to a match, and clients must announce it
/// again.
public struct ServiceRestored: Event {
  public static let opcode = Opcode(.gateway, 0xE0)
  public var service: UInt8 = 0
  public init() {}
  public init(_ service: Service) { self.service = service.rawValue }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("service", &service)
  }
}
