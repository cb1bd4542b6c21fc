import Operations
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

  @Test("a service delivers effects of its own alone, and a gateway none")
  func effects() {
    for service in Service.allCases {
      let source = EffectSource(
        service: service, slot: 1, store: StoreID(high: 1, low: 1), sequence: 1, after: 0)
      #expect(!PeerRole.gateway.mayDeliver(source))
      #expect(PeerRole.service(.context).mayDeliver(source) == (service == .context))
    }
  }

  @Test("what is for the gateway alone no service may call")
  func gatewayAlone() {
    #expect(PeerRole.gateway.mayCall(.gateway) && PeerRole.gateway.mayCall(.service))
    #expect(!PeerRole.service(.leaderboard).mayCall(.gateway))
    #expect(PeerRole.service(.leaderboard).mayCall(.service))
    for access in [
      OpenSession.access, RevokeSession.access, RegisterDevice.access, ClaimIdentity.access,
      SettlePair.access,
    ] {
      #expect(PeerRole.gateway.mayCall(access) && access.allows(.service))
      #expect(!PeerRole.service(.context).mayCall(access))
    }
    #expect(Access.gateway.allows(.service) && !Access.gateway.allows(.player))
    for number in 5...UInt8.max {
      #expect(!Access.gateway.allows(PrincipalKind(rawValue: number)))
    }
  }
}
