import Domain
import Operations
import Testing
import Wire

@testable import LeaderboardCore

/// The opcodes as the gateway sees them.
struct RouteTests {
  @Test("opcodes are this service's own")
  func numbers() {
    let routes = LeaderboardCore().router.routes
    #expect(routes.count == 44)
    #expect(routes.keys.allSatisfy { $0.service == .leaderboard })
  }

  @Test("what crosses keys is for services only, or asks who is a friend")
  func routing() {
    for route in LeaderboardCore().router.routes.values {
      let crosses = route.routing == .firstIdentifier
      #expect(route.access.allows(.service) == (crosses && route.needs.isEmpty), "\(route.name)")
      let hasFriends = route.needs.contains { $0.opcode == FetchFriends.opcode.rawValue }
      #expect(!route.access.allows(.player) || !crosses || hasFriends)
      #expect(!route.access.allows(.anonymous))
    }
  }
}
