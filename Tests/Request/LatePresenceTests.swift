import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// What a player hears of very many friends who come and go at once.
@Suite struct LatePresenceTests {
  let world = World(settings: [.invitationBurst: 1_000_000])
  let burst = Int(HintLimits.burst)

  private func befriended(_ count: UInt64) throws -> (PlayerID, [PlayerID]) {
    let anna = try world.player(1)
    let friends = try (2...count + 1).map { number in
      let friend = try world.player(number)
      try world.befriend(anna, friend)
      return friend
    }
    world.driver.pass(PresenceLimits.newFriendMilliseconds)
    try world.open(anna, session: 1)
    world.driver.pass(10_000)
    _ = try told()
    return (anna, friends)
  }

  private func tell(_ player: PlayerID, of friends: some Sequence<PlayerID>, _ presence: Presence)
    throws
  {
    for friend in friends {
      var (event, hint) = (PresenceChanged(), DeliverHint())
      (event.player, event.presence) = (friend, presence)
      (hint.player, hint.kind) = (player, PresenceChanged.opcode.rawValue)
      hint.body = Bytes(event.encoded)
      try world.call(hint, as: PlayerID(), game: "", kind: .service)
    }
  }

  private func told() throws -> [PresenceChanged] {
    try world.driver.takePushes(HintEvent.self).map {
      try PresenceChanged(decoding: $0.event.body.array)
    }
  }

  @Test("2.9 when hundreds of friends come at once, a player hears of each, of some later")
  func allAreTold() throws {
    let (anna, friends) = try befriended(200)
    try tell(anna, of: friends, .online)
    #expect(try told().map(\.player) == Array(friends.prefix(burst)))
    var late: [PresenceChanged] = []
    for _ in 0..<20 {
      world.driver.pass(1_000)
      let more = try told()
      #expect(more.count <= 1_000 / Int(HintLimits.refillMilliseconds) + 1)
      late += more
    }
    #expect(late.map(\.player) == Array(friends.dropFirst(burst)))
    #expect(late.allSatisfy { $0.presence == .online })
    try tell(anna, of: friends.prefix(1), .offline)
    #expect(try told().count == 1, "nothing waits any more")
  }

  @Test("2.9 of a friend who waits to be told of, the last state is told, once; of others nothing")
  func lastState() throws {
    let (anna, friends) = try befriended(80)
    try tell(anna, of: friends, .online)
    let late = friends.dropFirst(burst)
    try tell(anna, of: late, .offline)
    try world.driver.call(BlockPlayer(late[late.startIndex]), as: anna)
    _ = try told()
    world.driver.pass(10_000)
    let events = try told()
    #expect(events.map(\.player) == Array(late.dropFirst()))
    #expect(events.allSatisfy { $0.presence == .offline })
  }

  @Test("2.9 what waits ends with the player's last connection")
  func disconnected() throws {
    let (anna, friends) = try befriended(80)
    try tell(anna, of: friends, .online)
    #expect(try told().count == burst)
    world.driver.close(session: 1)
    world.driver.pass(2_000)
    try world.open(anna, session: 2)
    world.driver.pass(20_000)
    #expect(try told().isEmpty)
    try tell(anna, of: friends.suffix(1), .online)
    #expect(try told().map(\.player) == [friends[friends.count - 1]])
  }
}
