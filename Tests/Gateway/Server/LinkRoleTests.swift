import GatewayCore
import Operations
import ServiceKit
import TestKit
import Testing
import Transport
import Wire

@testable import muster_gateway

/// What a gateway takes from the process at the other end of a link: its own service's, and nothing
/// of another one's.
@Suite("Roles of links", .endsAtLast)
struct LinkRoleTests {
  private static func ownEvent(_ service: Service) -> Opcode { Opcode(service, 0xE9) }

  @Test("a service's events reach clients, and another service's events do not come from it")
  func events() async throws {
    let own = Self.ownEvent(.leaderboard)
    let found: ([Opcode], UInt64)? = try await withGateway([.leaderboard, .request]) {
      gateway, tell in
      let revoked = SessionRevoked(.signedOut, "The session was ended.").encoded
      var opcodes: [Opcode] = []
      gateway.node.onReady = { [unowned gateway] in
        gateway.push(SessionRevoked.opcode, revoked, from: .leaderboard)
        gateway.push(own, from: .leaderboard)
      }
      gateway.onEvent = { [unowned gateway] opcode in
        opcodes.append(opcode)
        // The client's end comes from its own service now.
        if opcode == own { gateway.push(SessionRevoked.opcode, revoked, from: .request) }
      }
      gateway.onClosed = { [unowned gateway] in
        tell((opcodes, gateway.node.metrics.counter(.malformedPushes).value))
      }
    }
    #expect(found?.0 == [own, SessionRevoked.opcode])
    #expect(found?.1 == 1)
  }

  private struct Known: Equatable, Sendable {
    var services: [Service]
    var isReady: Bool
    var misplacedCount: UInt64
  }

  /// What a gateway knows once the processes of context and leaderboard have described themselves.
  private func known(saying: [Service: Service] = [:]) async throws -> Known? {
    try await withGateway([.context, .leaderboard], saying: saying) { gateway, tell in
      // It arrives behind the description.
      gateway.onDescribed = { [unowned gateway] in gateway.push(Self.ownEvent($0), from: $0) }
      var eventCount = 0
      gateway.onEvent = { [unowned gateway] _ in
        eventCount += 1
        if eventCount < 2 { return }
        let (node, routes) = (gateway.node, gateway.node.state.routes)
        tell(
          Known(
            services: Service.behindGateway.filter { routes.knows($0) },
            isReady: node.report.isReady,
            misplacedCount: node.metrics.counter(.misplacedServices).value))
      }
    }
  }

  @Test("a service's routes are taken from its process, and another service's are not")
  func routes() async throws {
    #expect(
      try await known()
        == Known(services: [.context, .leaderboard], isReady: true, misplacedCount: 0))
    #expect(
      try await known(saying: [.leaderboard: .request])
        == Known(services: [.context], isReady: false, misplacedCount: 1))
  }
}
