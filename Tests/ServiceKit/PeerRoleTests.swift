import Testing
import Wire

@testable import ServiceKit

@Suite struct PeerRoleTests {
  @Test("each service has its certificate's name", arguments: Service.allCases)
  func names(service: Service) {
    let name = PeerRole.certificateName(of: service)
    #expect(
      PeerRole(certificateName: name) == (service == .gateway ? .gateway : .service(service)))
  }

  @Test(
    "no other name is a peer's",
    arguments: [
      nil, "", "gateway", "muster.internal", ".muster.internal", "Gateway.muster.internal",
      "gateway.muster.internal.evil", "x.gateway.muster.internal", "gateway.muster.internal\0",
    ] as [String?])
  func strangers(name: String?) {
    #expect(PeerRole(certificateName: name) == nil)
  }

  @Test("a gateway vouches for its clients, a service speaks for itself alone")
  func claims() {
    let kinds: [PrincipalKind] = [
      .anonymous, .player, .gameServer, .deploymentOperator, .service, PrincipalKind(rawValue: 99),
    ]
    for kind in kinds {
      #expect(PeerRole.gateway.mayClaim(kind))
      #expect(PeerRole.service(.context).mayClaim(kind) == (kind == .service))
    }
  }
}
