public import Wire

/// Who the other end of a connection between Muster's processes is, by its certificate.
public enum PeerRole: Equatable, Sendable {
  case gateway
  case service(Service)

  /// The name in a process's certificate, such as `context.muster.internal`.
  public static func certificateName(of service: Service) -> String {
    "\(service.name).muster.internal"
  }

  public init?(certificateName: String?) {
    guard
      let service = Service.allCases.first(where: {
        Self.certificateName(of: $0) == certificateName
      })
    else { return nil }
    self = service == .gateway ? .gateway : .service(service)
  }

  /// A gateway vouches for its clients; a service speaks only for itself.
  func mayClaim(_ kind: PrincipalKind) -> Bool { self == .gateway || kind == .service }

  /// A service delivers its own effects alone: whoever could name another one would say how far its
  /// effects have come. A gateway has none.
  func mayDeliver(_ source: EffectSource) -> Bool {
    switch self {
    case .gateway: false
    case .service(let service): source.service == service.rawValue
    }
  }

  func mayCall(_ access: Access) -> Bool { self == .gateway || !access.isForGatewayAlone }
}
