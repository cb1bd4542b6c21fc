import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// What one sender or one game does costs nobody else's events, and whatever is dropped is told.
@Suite struct StreamBoundTests {
  private func world(perSender: Int = 20, perGame: Int = 1000) -> World {
    World(settings: [.streamEventsPerSender: perSender, .streamEventsMax: perGame])
  }

  /// What the player's client in a game sees: how many events it gets, and how many it is told are
  /// missing.
  private func told(_ world: World, _ player: PlayerID, game: String = "game") throws
    -> (events: Int, dropped: UInt64)
  {
    let events = try world.stream(of: player, game: game)
    let dropped = try events.filter { $0.kind == EventsDropped.opcode.rawValue }
      .map { try EventsDropped(decoding: $0.body.array).count }
    return (events.count - dropped.count, dropped.reduce(0, +))
  }

  @Test("2.11 a sender's flood pushes out nobody's unread events, and its gap is told in place")
  func flood() throws {
    let world = world()
    let anna = try world.player(1)
    try world.append(1, to: anna, from: 2)
    try world.append(1200, to: anna, from: 3)
    try world.append(1, to: anna, from: 2)
    let stream = try world.stream(of: anna)
    #expect(stream.first?.sequence == 1 && stream.first?.kind == 0x0177)
    #expect(stream.dropLast(2).dropFirst().allSatisfy { $0.kind == 0x0177 })
    let taken = stream.count - 3
    #expect((20...30).contains(taken))
    let gap = try EventsDropped(decoding: stream[stream.count - 2].body.array)
    #expect(stream[stream.count - 2].kind == EventsDropped.opcode.rawValue && gap.count == 1)
    #expect(stream.last?.kind == 0x0177, "there is room for others")
    try world.restart()
    // The rest is told when the first gap was read, and then there is room again.
    let end = try #require(stream.last).sequence
    try world.driver.call(Acknowledge(through: end), as: anna)
    try world.append(1, to: anna, from: 3)
    let rest = try world.stream(of: anna).filter { $0.sequence > end }
    #expect(rest.map(\.kind) == [EventsDropped.opcode.rawValue, 0x0177])
    let more = try EventsDropped(decoding: rest[0].body.array)
    #expect(Int(more.count) == 1200 - taken - 1)
  }

  /// The numbers that `protocol.md` tells: when the first event is dropped, and how much has to be
  /// acknowledged until there is room again.
  @Test("2.11 a sender's share is full at its bound and a half, and open an eighth below the bound")
  func numbers() throws {
    let bound = UnreadBound(countedMax: UInt64(NumberSetting.streamEventsPerSender.fallback))
    #expect(bound.unreadMax == 300 && bound.roomAgain == 175)
    let world = World()
    let anna = try world.player(1)
    func kept(_ count: Int) throws -> UInt64 {
      let newest = world.driver.core.stream(of: anna).newest
      try world.append(count, to: anna, from: 3)
      return world.driver.core.stream(of: anna).newest - newest
    }
    #expect(try kept(Int(bound.unreadMax)) == bound.unreadMax)
    // The first that is dropped is told in its place, and those behind it are not.
    #expect(try kept(10) == 1)
    #expect(try told(world, anna) == (Int(bound.unreadMax), 1))
    try world.driver.call(Acknowledge(through: bound.unreadMax - bound.roomAgain - 1), as: anna)
    #expect(try kept(1) == 0)
    // They are told before the next that has room.
    try world.driver.call(Acknowledge(through: bound.unreadMax - bound.roomAgain), as: anna)
    #expect(try kept(1) == 2)
    #expect(try told(world, anna).dropped == 11)
  }

  @Test("2.11 what was dropped behind an EventsDropped is told when that is acknowledged")
  func toldAtOnce() throws {
    let world = world()
    let anna = try world.player(1)
    try world.append(100, to: anna, from: 3)
    let marker = world.driver.core.stream(of: anna).newest
    try world.driver.call(Acknowledge(through: marker - 1), as: anna)
    #expect(world.driver.core.stream(of: anna).newest == marker)
    try world.driver.call(Acknowledge(through: marker), as: anna)
    #expect(try world.stream(of: anna).last?.sequence == marker + 1)
    #expect(try told(world, anna) == (Int(marker) - 1, 100 - marker + 1))
  }

  @Test("2.11 a sender has half of a game's room at most, whatever the settings are")
  func senderAboveGame() throws {
    let world = world(perSender: 200, perGame: 100)
    let anna = try world.player(1)
    try world.append(240, to: anna, from: 2)
    try world.append(1, to: anna, from: 3)
    let told = try told(world, anna)
    #expect((51...76).contains(told.events) && told.dropped == 1)
    #expect(try world.stream(of: anna).last?.kind == 0x0177, "there is room for others")
  }

  @Test("2.11 whoever keeps up is counted nowhere and loses nothing")
  func keepsUp() throws {
    let world = world()
    let anna = try world.player(1)
    for _ in 0..<100 {
      try world.append(9, to: anna, from: 3)
      try world.driver.call(
        Acknowledge(through: world.driver.core.stream(of: anna).newest), as: anna)
      #expect(world.driver.rows[25, default: [:]].isEmpty)
    }
    #expect(world.driver.core.stream(of: anna).newest == 900)
  }

  @Test("2.11 a game's flood costs no other game's events")
  func games() throws {
    let world = world(perGame: 50)
    let anna = try world.player(1)
    try world.open(anna, game: "other")
    try world.append(10, to: anna, from: 2)
    for sender in 10..<40 as Range<UInt64> {
      try world.append(10, to: anna, game: "other", from: sender)
    }
    try world.append(10, to: anna, from: 4)
    #expect(try told(world, anna) == (20, 0))
    let other = try told(world, anna, game: "other")
    #expect((50...62).contains(other.events) && other.dropped == 1)
    try world.call(
      Acknowledge(through: world.driver.core.stream(of: anna).newest), as: anna, game: "other")
    let all = try told(world, anna, game: "other")
    #expect(all.events + Int(all.dropped) == 300)
    #expect(world.driver.rows[25, default: [:]].count <= 32)
  }

  @Test("2.11 games that a player never signed in to share the room of one")
  func strangersGames() throws {
    let world = world(perSender: 10, perGame: 40)
    let anna = try world.player(1)
    for game in 0..<60 { try world.append(2, to: anna, game: "stranger \(game)", from: 3) }
    for sender in 10..<60 as Range<UInt64> {
      try world.append(1, to: anna, game: "more \(sender)", from: sender)
    }
    try world.append(5, to: anna, from: 2)
    #expect(world.driver.rows[23, default: [:]].count < 70)
    #expect(world.driver.rows[25, default: [:]].count < 60)
    let own = try told(world, anna)
    #expect(own.events == 5 && own.dropped > 0)
    // Who begins to play hears what was kept for the game.
    try world.open(anna, game: "stranger 0")
    #expect(try told(world, anna, game: "stranger 0").events == 2)
  }

  @Test("2.11 a game that was left for good holds no other game's events, and none of no game")
  func abandonedGame() throws {
    let world = world()
    let anna = try world.player(1, session: 4)
    try world.open(anna, game: "left")
    try world.append(5, to: anna, game: "left")
    world.driver.pass(31 * World.day)
    for round in 0..<100 {
      try world.append(5, to: anna, from: 3)
      try world.append(5, to: anna, game: "", from: 3)
      try world.driver.call(
        Acknowledge(through: world.driver.core.stream(of: anna).newest), as: anna)
      world.driver.runTimers()
      #expect(world.driver.rows[23, default: [:]].count <= 325, "round \(round)")
    }
    #expect(world.driver.core.stream(of: anna).newest == 1005, "none was dropped")
    #expect(try world.stream(of: anna, game: "left").count { $0.game == "left" } == 5)
  }

  @Test("2.11 one acknowledgement settles what all senders are owed, the gaps first")
  func manySenders() throws {
    let world = world()
    let anna = try world.player(1)
    try world.append(20, to: anna)
    for sender in 10..<50 as Range<UInt64> { try world.append(1, to: anna, from: sender) }
    try world.append(60, to: anna, from: 99)
    let read = world.driver.core.stream(of: anna).newest
    try world.driver.call(Acknowledge(through: read), as: anna)
    let gap = try #require(try world.stream(of: anna).last)
    #expect(gap.sequence > read && gap.kind == EventsDropped.opcode.rawValue)
    try world.driver.call(Acknowledge(through: gap.sequence), as: anna)
    world.driver.runTimers()
    #expect(world.driver.rows[25, default: [:]].isEmpty)
  }

  @Test("2.11 the end of the session that alone has not read an event settles it")
  func endedSession() throws {
    let world = world()
    let anna = try world.player(1)
    let other = try world.open(anna, game: "other")
    try world.append(60, to: anna, game: "", from: 3)
    try world.driver.call(
      Acknowledge(through: world.driver.core.stream(of: anna).newest), as: anna)
    #expect(world.driver.rows[25, default: [:]].isEmpty == false)
    var revoke = RevokeSession()
    (revoke.player, revoke.instance) = (anna, other.instance)
    try world.driver.call(revoke, as: anna, kind: .service)
    world.driver.runTimers()
    let gap = try #require(try world.stream(of: anna).last)
    #expect(gap.kind == EventsDropped.opcode.rawValue)
    try world.driver.call(Acknowledge(through: gap.sequence), as: anna)
    #expect(world.driver.rows[25, default: [:]].isEmpty)
  }

  @Test("2.11 a session whose sign-in settles a share is told what was dropped")
  func settledBySignIn() throws {
    let world = world()
    let anna = try world.player(1)
    try world.append(10, to: anna, game: "", from: 3)
    try world.driver.call(Acknowledge(through: 10), as: anna)
    try world.open(anna, game: "other")
    try world.append(60, to: anna, game: "", from: 3)
    let newest = world.driver.core.stream(of: anna).newest
    try world.call(Acknowledge(through: newest), as: anna, game: "other")
    // No session is left, so that the game counts that has read least; then the other alone.
    world.driver.pass(31 * World.day)
    #expect(world.driver.core.stream(of: anna).newest == newest)
    let started = try world.open(anna, session: 9, game: "other")
    world.driver.runTimers()
    let pushed = try world.driver.takePushes(StreamEvent.self).filter { $0.session == 9 }
    let gap = try #require(pushed.last?.event)
    #expect(gap.kind == EventsDropped.opcode.rawValue && gap.sequence == newest + 1)
    #expect(started.streamEnd == newest && gap.after == newest)
  }

  /// Small bounds, chance, and the sum of all: an event is heard, or counted in a gap.
  @Test(
    "2.11 every event is heard or told as dropped, and a quiet sender's are heard",
    arguments: 1...12)
  func anyOrder(seed: UInt64) throws {
    var random = RandomSource.seeded(seed)
    let world = world(perSender: 10, perGame: 30)
    let anna = try world.player(1)
    let games = ["game", "other"]
    try world.open(anna, game: "other")
    var (appended, quiet) = (["game": 0, "other": 0, "": 0], 0)
    var heard: [String: [UInt64: StreamEvent]] = ["game": [:], "other": [:]]
    func listen(_ game: String) throws {
      for event in try world.stream(of: anna, game: game) { heard[game]?[event.sequence] = event }
    }
    for _ in 0..<400 {
      let game = games.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<12:
        let count = Int.random(in: 1...8, using: &random)
        let to = Bool.random(using: &random) ? game : ["game", "other", ""][count % 3]
        try world.append(count, to: anna, game: to, from: .random(in: 10...13, using: &random))
        appended[to, default: 0] += count
      case 12..<17:
        try listen(game)
        let newest = world.driver.core.stream(of: anna).newest
        try world.call(
          Acknowledge(through: .random(in: 0...newest, using: &random)), as: anna, game: game)
      case 17: world.driver.runTimers()
      case 18: try world.restart()
      default:
        for game in games {
          try listen(game)
          try world.call(
            Acknowledge(through: world.driver.core.stream(of: anna).newest), as: anna, game: game)
        }
        // With all read, four of a sender have room whatever the others did.
        try world.append(4, to: anna, game: game, from: 2)
        (appended[game, default: 0], quiet) = (appended[game, default: 0] + 4, quiet + 4)
      }
    }
    for _ in 0..<20 {
      for game in games {
        try listen(game)
        try world.call(
          Acknowledge(through: world.driver.core.stream(of: anna).newest), as: anna, game: game)
      }
    }
    var all = heard["game", default: [:]]
    all.merge(heard["other", default: [:]]) { first, second in
      #expect(first.id == second.id)
      return first
    }
    let gaps = try all.values.filter { $0.kind == EventsDropped.opcode.rawValue }
      .map { try EventsDropped(decoding: $0.body.array).count }
    let count = all.count - gaps.count
    #expect(count + Int(gaps.reduce(0, +)) == appended.values.reduce(0, +))
    #expect(gaps.isEmpty == false && quiet > 0)
    #expect(world.driver.rows[25, default: [:]].isEmpty)
  }
}
