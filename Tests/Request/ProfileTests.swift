import Domain
import Operations
import RequestCore
import TestKit
import Testing
import Wire

/// Profiles of many players in one call, which the gateway puts together from each player's key.
@Suite struct ProfileTests {
  /// Worlds that share the slots, as the processes of a deployment do.
  struct Deployment {
    let worlds: [World]

    init(partitions: Int) { worlds = (0..<partitions).map { _ in World() } }

    func world(of player: PlayerID) -> World {
      let slot = Slot.of(RoutingKey(reinterpreting: player))
      return worlds[Partition.owner(of: slot, count: worlds.count)]
    }

    func sample(_ number: UInt64) -> PlayerID {
      // The slot is a part of the id: spread them as the random ids of a deployment are.
      var random = SplitMix(number)
      return PlayerID(high: random.next(), low: random.next())
    }

    func register(_ number: UInt64) throws -> PlayerID {
      let player = sample(number)
      let world = world(of: player)
      var registration = world.registration(player)
      registration.displayName = "Player \(number)"
      try world.driver.call(registration, as: player, kind: .service)
      try world.open(player)
      return player
    }

    /// Makes the call as the gateway does.
    func profiles(of players: [PlayerID], for caller: PlayerID) throws -> [Profile] {
      var facts: [PlayerID: Fact] = [:]
      for player in players where !player.isNil && facts[player] == nil {
        let reply = try world(of: player).driver.call(
          FetchProfile(of: player), as: caller, kind: .service)
        facts[player] = Fact(FetchProfile.self, at: player, reply)
      }
      return try world(of: caller).driver.call(
        GetProfiles(of: players), as: caller, facts: Facts(Array(facts.values))
      ).profiles
    }
  }

  struct SplitMix {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = state
      word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
      return word ^ word >> 31
    }
  }

  @Test(
    "2.9 profiles of many players come in the order asked, wherever the players live",
    arguments: [1, 4])
  func order(partitions: Int) throws {
    let deployment = Deployment(partitions: partitions)
    let players = try (1...UInt64(ProfileLimits.profilesMax)).map { try deployment.register($0) }
    for (place, world) in deployment.worlds.enumerated() {
      #expect(players.contains { deployment.world(of: $0) === world }, "partition \(place)")
    }
    let asked = Array(players.reversed())
    let profiles = try deployment.profiles(of: asked, for: players[0])
    #expect(profiles.map(\.player) == asked)
    #expect(profiles.map(\.displayName) == (1...100).reversed().map { "Player \($0)" })
    #expect(profiles.allSatisfy { $0.isReachable && $0.isAppUser })
  }

  @Test("2.9 one call for profiles tells blocked, unknown and nil players alike")
  func unreachable() throws {
    let deployment = Deployment(partitions: 3)
    let (anna, ben) = (try deployment.register(1), try deployment.register(2))
    let cleo = try deployment.register(3)
    try deployment.world(of: ben).driver.call(BlockPlayer(anna), as: ben)
    let nobody = deployment.sample(99)
    let asked = [ben, cleo, nobody, PlayerID(), cleo, anna]
    let profiles = try deployment.profiles(of: asked, for: anna)
    #expect(profiles.map(\.player) == asked)
    #expect(profiles.map(\.isReachable) == [false, true, false, false, true, true])
    for profile in profiles where !profile.isReachable {
      var nothing = Profile()
      nothing.player = profile.player
      #expect(profile == nothing)
    }
    // Who blocks goes on seeing the other.
    #expect(try deployment.profiles(of: [anna], for: ben).map(\.displayName) == ["Player 1"])
  }

  @Test("2.9 one call for profiles asks for the facts of all players, and is about 100 at most")
  func bounds() throws {
    let world = World()
    let anna = try world.player(1)
    let many = (1...101).map { PlayerID.sample($0) }
    #expect(GetProfiles.needs == [.fact(FetchProfile.self, at: .each("players"))])
    let failure = try failure { try world.driver.call(GetProfiles(of: many), as: anna) }
    #expect(failure?.code == .invalidArgument && failure?.argument == "players")
    #expect(try world.driver.call(GetProfiles(), as: anna).profiles.isEmpty)

    let calls = GetProfiles.calls(about: many + many.reversed())
    #expect(calls.map(\.players.count) == [100, 1] && calls.flatMap(\.players) == many)
    #expect(calls.allSatisfy { $0.fault == nil })
  }
}
