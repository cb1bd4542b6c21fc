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
    #expect(routes.count == 45)
    #expect(routes.keys.allSatisfy { $0.service == .leaderboard })
  }

  @Test("what crosses keys is for services only, or asks who is a friend")
  func routing() {
    for route in LeaderboardCore().router.routes.values {
      let crosses = route.routing == .firstIdentifier
      #expect(route.access.allows(.service) == (crosses && route.needs.isEmpty), "\(route.name)")
      // The one that a client calls for each of its friends asks at the friend; it only reads.
      let isCheck = route.opcode == CheckAchievementChallenge.opcode && route.isReadOnly
      let asked = isCheck ? FetchPlayer.opcode : FetchFriends.opcode
      let asksFriend = route.needs.contains { $0.opcode == asked.rawValue }
      #expect(!route.access.allows(.player) || !crosses || asksFriend, "\(route.name)")
      #expect(!route.access.allows(.anonymous))
    }
  }
}
