import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct StreamTests {
  let world = World()

  @Test("2.8 all devices of a player get the same events, numbered without gaps")
  func devices() throws {
    let anna = try world.player(1, session: 11)
    try world.open(anna, session: 12)
    try world.append(5, to: anna)
    let pushed = try world.driver.takePushes(StreamEvent.self)
    for session in [UInt64(11), 12] {
      let events = pushed.filter { $0.session == session }.map(\.event)
      #expect(events.map(\.sequence) == [1, 2, 3, 4, 5])
      #expect(try events == world.stream(of: anna))
      #expect(events.allSatisfy { $0.kind == 0x0177 && $0.game == "game" && !$0.id.isNil })
    }
    world.driver.close(session: 11)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).map(\.session) == [12])
  }

  @Test("2.8 events stay while offline and are replayed from the cursor, over a restart")
  func replay() throws {
    let anna = try world.player(1)
    try world.append(8, to: anna)
    try world.restart()
    world.driver.clock += 5_000
    let all = try world.open(anna, session: 5)
    #expect(all.streamEnd == 8 && all.acknowledged == 0 && all.replayedThrough == 8)
    let replayed = try world.driver.takePushes(StreamEvent.self).map(\.event)
    #expect(replayed.map(\.sequence) == Array(1...8))
    #expect(all.time == world.driver.clock && replayed.allSatisfy { $0.time == all.time - 5_000 })

    try world.driver.call(Acknowledge(through: 3), as: anna)
    try world.restart()
    #expect(try world.open(anna, session: 6).acknowledged == 3)
    var events = try world.driver.takePushes(StreamEvent.self).map(\.event.sequence)
    #expect(events == Array(4...8))

    try world.open(anna, session: 7, cursor: 6)
    events = try world.driver.takePushes(StreamEvent.self).map(\.event.sequence)
    #expect(events == [7, 8])
  }

  @Test("2.8 a cursor that is no place of the stream is refused, with its ends")
  func cursorOfAnotherPast() throws {
    let anna = try world.player(1)
    try world.append(8, to: anna)
    try world.driver.call(Acknowledge(through: 3), as: anna)
    func refusal(_ cursor: UInt64, _ event: EventID = EventID()) throws -> Failure? {
      let refused = try failure {
        try world.open(anna, session: 8, cursor: cursor) { $0.cursorEvent = event }
      }
      let isPushed = try !world.driver.takePushes(StreamEvent.self).isEmpty
      #expect(isPushed == (refused == nil && cursor < 8))
      return refused
    }
    let beyond = try refusal(9)
    #expect(beyond?.code == .cursorLost && beyond?.argument == "cursor")
    let ends = try StreamEnds(decoding: try #require(beyond).detail.array)
    #expect(ends.newest == 8 && ends.acknowledged == 3 && ends.oldest == 1)
    let ids = try world.stream(of: anna).map(\.id)
    for place in [2, 5, 8] as [UInt64] {
      let other = EventID(high: ids[0].high ^ 1, low: ids[0].low)
      #expect(try refusal(place, other)?.code == .cursorLost)
      #expect(try refusal(place, ids[Int(place) - 1]) == nil)
      #expect(try refusal(place) == nil)
    }
    let reply = try world.open(anna, session: 8, cursor: 5)
    #expect(reply.replayedThrough == 8 && reply.replayedEvent == ids[7])
    #expect(try world.driver.call(ReadEvents(), as: anna).throughEvent == ids[7])

    var read = ReadEvents()
    read.after = 9
    let past = try failure { try world.driver.call(read, as: anna) }
    #expect(past?.code == .cursorLost && past?.argument == "after")
    #expect(past?.detail.array == ends.encoded)
  }

  @Test("2.8 a place of a life that a backup has undone is refused, also when its number is swept")
  func placeOfAnotherLife() throws {
    let anna = try world.player(1)
    try world.append(3, to: anna)
    let backup = world.driver.rows
    try world.append(3, to: anna)
    let lost = StreamPlace(6, try world.stream(of: anna)[5].id)
    let kept = StreamPlace(3, try world.stream(of: anna)[2].id)
    world.driver.clock += 1
    try world.driver.restore(backup)
    try world.append(1, to: anna)
    try world.open(anna, game: "other")
    try world.append(400, to: anna, game: "other")
    try world.call(Acknowledge(through: 404), as: anna, game: "other")
    world.driver.runTimers()
    #expect(world.driver.rows[23]?.count == 260)
    func refusal(_ place: StreamPlace) throws -> [FailureCode?] {
      let opened = try failure {
        try world.open(anna, cursor: place.sequence) { $0.cursorEvent = place.event }
      }
      var read = ReadEvents()
      (read.after, read.afterEvent) = (place.sequence, place.event)
      return [opened?.code, try failure { try world.driver.call(read, as: anna) }?.code]
    }
    #expect(try refusal(lost) == [.cursorLost, .cursorLost])
    #expect(try refusal(kept) == [nil, nil])
  }

  @Test("2.8 places of the last lives of a store are known, and of older ones that they are older")
  func placesOfManyLives() throws {
    let anna = try world.player(1)
    for _ in 0..<40 {
      try world.append(2, to: anna)
      world.driver.clock += 1
      try world.restart()
    }
    let places = try world.stream(of: anna).map { StreamPlace($0.sequence, $0.id) }
    let stream = world.driver.core.stream(of: anna)
    #expect(places.allSatisfy(stream.has))
    // With the event of a later life, and of an earlier one.
    for (place, other) in [(0, 79), (20, 40), (20, 79), (40, 79), (79, 0), (79, 40)] {
      #expect(!stream.has(StreamPlace(places[place].sequence, places[other].event)))
    }
  }

  @Test("2.8 a place whose event was acknowledged and is forgotten is one all the same")
  func forgottenPlace() throws {
    let anna = try world.player(1)
    try world.append(300, to: anna)
    let id = try world.stream(of: anna)[9].id
    try world.driver.call(Acknowledge(through: 300), as: anna)
    try world.append(20, to: anna)
    world.driver.runTimers()
    let reply = try world.open(anna, session: 8, cursor: 10) { $0.cursorEvent = id }
    #expect(reply.replayedThrough == 164)
    // A place may be at another game's event, which that game has acknowledged.
    try world.open(anna, game: "other")
    try world.append(400, to: anna, game: "other")
    let other = try world.stream(of: anna, game: "other")[9]
    try world.call(Acknowledge(through: 720), as: anna, game: "other")
    world.driver.runTimers()
    #expect(try world.stream(of: anna, game: "other").first?.sequence != other.sequence)
    try world.open(anna, session: 8, cursor: other.sequence) { $0.cursorEvent = other.id }
  }

  @Test("2.8 a long stream is replayed in part and read on page by page")
  func longStream() throws {
    let anna = try world.player(1)
    try world.append(250, to: anna)
    try world.restart()
    let reply = try world.open(anna, session: 5)
    #expect(reply.streamEnd == 250 && reply.replayedThrough == 100)
    #expect(try world.driver.takePushes(StreamEvent.self).count == 100)
    var read = ReadEvents()
    read.after = reply.replayedThrough
    let page = try world.driver.call(read, as: anna)
    #expect(page.events.map(\.sequence) == Array(101...200) && page.more && page.through == 200)
    read.after = page.through
    let last = try world.driver.call(read, as: anna)
    #expect(last.events.map(\.sequence) == Array(201...250) && !last.more && last.through == 250)
    read.limit = 101
    let failure = try failure { try world.driver.call(read, as: anna) }
    #expect(failure?.code == .invalidArgument && failure?.argument == "limit")
    #expect(failure?.text == "A page holds 1 to 100 events.")
  }

  @Test("2.8 nothing newer is pushed until what was missed is read")
  func behind() throws {
    let anna = try world.player(1)
    try world.append(191, to: anna)
    let reply = try world.open(anna, session: 5)
    #expect(reply.replayedThrough == 100 && reply.streamEnd == 191)
    #expect(try world.driver.takePushes(StreamEvent.self).map(\.event.after) == Array(0...99))
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).isEmpty)
    var read = ReadEvents()
    read.after = reply.replayedThrough
    read.limit = 40
    #expect(try world.driver.call(read, as: anna, session: 5).more)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).isEmpty, "half is not all")
    read.limit = 100
    // Who reads on another connection has not read for this one.
    #expect(try !world.driver.call(read, as: anna, session: 6).more)
    var nothing = read
    nothing.after = 0
    #expect(try !world.driver.call(nothing, as: .sample(2), session: 5).more)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).isEmpty)
    let page = try world.driver.call(read, as: anna, session: 5)
    #expect(page.through == 194 && !page.more)
    try world.append(2, to: anna)
    let pushed = try world.driver.takePushes(StreamEvent.self)
    #expect(pushed.map(\.event.sequence) == [195, 196] && pushed.map(\.event.after) == [194, 195])
  }

  @Test("2.8 many events of another game are in the way of one, and none is skipped")
  func behindAnotherGame() throws {
    let anna = try world.player(1)
    try world.append(150, to: anna, game: "other")
    try world.append(1, to: anna)
    let reply = try world.open(anna, session: 5)
    #expect(reply.replayedThrough == 100 && reply.streamEnd == 151)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).isEmpty)
    var read = ReadEvents()
    read.after = reply.replayedThrough
    let page = try world.driver.call(read, as: anna, session: 5)
    #expect(page.events.map(\.sequence) == [151, 152] && page.events.map(\.after) == [100, 151])
    try world.append(3, to: anna, game: "other")
    try world.append(2, to: anna)
    let pushed = try world.driver.takePushes(StreamEvent.self).map(\.event)
    #expect(pushed.map(\.sequence) == [156, 157] && pushed.map(\.after) == [152, 156])
  }

  @Test("2.8 a session that is opened twice on a connection stays as far as it was")
  func openedTwice() throws {
    let world = World(settings: [.streamReplayMax: 2])
    let anna = try world.player(1)
    try world.append(4, to: anna)
    try world.open(anna, session: 5)
    var read = ReadEvents()
    read.after = 2
    #expect(try !world.driver.call(read, as: anna, session: 5).more)
    try world.open(anna, session: 5)
    _ = try world.driver.takePushes(StreamEvent.self)
    try world.append(1, to: anna)
    let pushed = try world.driver.takePushes(StreamEvent.self).map(\.event)
    #expect(pushed.map(\.sequence) == [5] && pushed.map(\.after) == [4])
  }

  @Test("2.8 the cursor only goes forward")
  func cursor() throws {
    let anna = try world.player(1)
    try world.append(5, to: anna)
    try world.driver.call(Acknowledge(through: 4), as: anna)
    try world.driver.call(Acknowledge(through: 2), as: anna)
    #expect(try world.open(anna).acknowledged == 4)
    let beyond = try failure { try world.driver.call(Acknowledge(through: 6), as: anna) }
    #expect(beyond?.code == .invalidArgument && beyond?.argument == "through")
  }

  @Test("2.8 a session sees the events of its own game and of none")
  func games() throws {
    let anna = try world.player(1, session: 5)
    try world.open(anna, session: 6, game: "other")
    try world.append(1, to: anna, game: "game")
    try world.append(1, to: anna, game: "other")
    try world.append(1, to: anna, game: "")
    let pushed = try world.driver.takePushes(StreamEvent.self)
    #expect(pushed.filter { $0.session == 5 }.map(\.event.sequence) == [1, 3])
    #expect(pushed.filter { $0.session == 6 }.map(\.event.sequence) == [2, 3])
    #expect(try world.stream(of: anna, game: "game").map(\.sequence) == [1, 3])
    #expect(try world.stream(of: anna, game: "other").map(\.sequence) == [2, 3])

    // One game's client does not acknowledge for another's.
    try world.call(Acknowledge(through: 3), as: anna, game: "game")
    let reply = try world.open(anna, session: 7, game: "other")
    #expect(reply.acknowledged == 0 && reply.replayedThrough == 3)
    #expect(try world.driver.takePushes(StreamEvent.self).map(\.event.sequence) == [2, 3])
  }

  @Test("2.8 what was acknowledged is forgotten, but for the newest")
  func sweeping() throws {
    let anna = try world.player(1)
    try world.append(300, to: anna)
    try world.driver.call(Acknowledge(through: 300), as: anna)
    try world.append(20, to: anna)
    world.driver.runTimers()
    #expect(world.driver.rows[23]?.count == 256)
    let page = try world.driver.call(ReadEvents(), as: anna)
    #expect(page.oldest == 65 && page.events.map(\.sequence) == Array(65...164))
    try world.restart()
    try world.append(300, to: anna)
    world.driver.runTimers()
    #expect(try world.driver.call(ReadEvents(), as: anna).oldest == 301)
    #expect(world.driver.rows[23]?.count == 320, "the last were not acknowledged")
    for through in stride(from: 350, through: 620, by: 90) as StrideThrough<UInt64> {
      try world.driver.call(Acknowledge(through: through), as: anna)
    }
    try world.restart()
    world.driver.runTimers()
    #expect(world.driver.rows[23]?.count == 256)
  }

  @Test("2.8 an operator says how many acknowledged events are kept", arguments: [0, 10, 256])
  func sweepingBySetting(count: Int) throws {
    let world = World(settings: [.streamEventsKept: count])
    let anna = try world.player(1)
    try world.append(320 + count, to: anna)
    try world.driver.call(Acknowledge(through: UInt64(320 + count)), as: anna)
    world.driver.runTimers()
    #expect(world.driver.rows[23, default: [:]].count == count)
    #expect(try world.stream(of: anna).count == count)
  }

  @Test("2.8 what one game acknowledged is forgotten between what another has not read")
  func sweepingBetween() throws {
    let anna = try world.player(1)
    try world.open(anna, game: "other")
    for _ in 0..<200 {
      try world.append(1, to: anna, game: "other")
      try world.append(2, to: anna)
      try world.append(1, to: anna, game: "never")
    }
    try world.driver.call(Acknowledge(through: 800), as: anna)
    try world.append(64, to: anna, game: "other")
    world.driver.runTimers()
    // Of the first 608, half are of this game.
    #expect(world.driver.rows[23]?.count == 864 - 304)
    #expect(try world.stream(of: anna, game: "other").count == 264)
    #expect(try world.stream(of: anna).map(\.sequence).allSatisfy { $0 > 608 })
    var read = ReadEvents()
    read.limit = 3
    let page = try world.call(read, as: anna, game: "other")
    #expect(page.oldest == 1 && page.through == 5 && page.events.map(\.sequence) == [1, 5])
    try world.call(Acknowledge(through: 400), as: anna, game: "other")
    world.driver.runTimers()
    #expect(try world.call(read, as: anna, game: "other").oldest == 4)
  }

  @Test("2.8 the end of a session lets events of no game go that it alone had not read")
  func sweepingAfterTheEnd() throws {
    let anna = try world.player(1)
    let other = try world.open(anna, game: "other")
    try world.append(320, to: anna, game: "")
    try world.driver.call(Acknowledge(through: 320), as: anna)
    world.driver.runTimers()
    #expect(world.driver.rows[23]?.count == 320)
    var revoke = RevokeSession()
    (revoke.player, revoke.instance) = (anna, other.instance)
    try world.driver.call(revoke, as: anna, kind: .service)
    world.driver.runTimers()
    #expect(world.driver.rows[23]?.count == 256)
  }

  @Test("2.8 what another device has acknowledged is told as gone, whatever others still keep")
  func removed() throws {
    let anna = try world.player(1)
    let other = try world.open(anna, game: "other")
    try world.append(1, to: anna, game: "other")
    try world.append(330, to: anna)
    try world.driver.call(Acknowledge(through: 331), as: anna)
    world.driver.runTimers()
    var read = ReadEvents()
    read.after = 5
    let page = try world.driver.call(read, as: anna)
    #expect(page.oldest == 1 && page.removedThrough == 75)
    #expect(page.events.first?.sequence == 76 && page.events.first?.after == 75)
    #expect(try world.call(read, as: anna, game: "other").removedThrough == 0)
    let opened = try world.open(anna, cursor: 331)
    #expect(opened.removedThrough == 75 && opened.replayedThrough == 331)

    // A game whose session has ended keeps no events of no game.
    var revoke = RevokeSession()
    (revoke.player, revoke.instance) = (anna, other.instance)
    try world.driver.call(revoke, as: anna, kind: .service)
    try world.append(330, to: anna, game: "")
    try world.driver.call(Acknowledge(through: 661), as: anna)
    world.driver.runTimers()
    try world.restart()
    #expect(try world.open(anna, game: "other", cursor: 331).removedThrough == 405)
    read.after = 0
    let rest = try world.call(read, as: anna, game: "other").events
    #expect(rest.map(\.sequence).prefix(2) == [1, 406] && rest.map(\.after).prefix(2) == [0, 405])
  }

  @Test("2.8 an event that came between reading and replaying is not missed")
  func appendBetween() throws {
    let anna = try world.player(1)
    try world.append(2, to: anna)
    let engine = world.driver.engine
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .player, game: "game", player: anna, device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: anna)
    let request = Request(opcode: ReadEvents.opcode, envelope: envelope, body: ReadEvents().encoded)
    let clock = world.driver.clock
    guard case .needs(let ranges) = engine.apply(request, clock: clock) else {
      Issue.record("events are cold")
      return
    }
    try world.append(1, to: anna)
    // The rows are those of the moment before.
    let rows = Dictionary(uniqueKeysWithValues: ranges.map { ($0, [[UInt8]]()) })
    guard case .needs(let more) = engine.apply(request, clock: clock, coldRows: rows) else {
      Issue.record("old rows were taken for new ones")
      return
    }
    #expect(more != ranges)
  }

  @Test("2.9 what begins something is dropped where the player blocks its sender by then, untold")
  func blockedSender() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    var append = AppendEvent()
    (append.player, append.sender, append.kind) = (anna, ben, 0x0177)
    append.isUnlessBlocked = true
    try world.driver.call(append, as: ben, kind: .service)
    try world.driver.call(BlockPlayer(ben), as: anna)
    let before = try world.stream(of: anna).map(\.sequence)
    try world.driver.call(append, as: ben, kind: .service)
    #expect(try world.stream(of: anna).map(\.sequence) == before)
    // What a group tells of those who are in it passes on.
    append.isUnlessBlocked = false
    try world.driver.call(append, as: ben, kind: .service)
    #expect(try world.stream(of: anna).count == before.count + 1)
    append.isUnlessBlocked = true
    try world.driver.call(UnblockPlayer(ben), as: anna)
    try world.driver.call(append, as: ben, kind: .service)
    #expect(try world.stream(of: anna).count == before.count + 2)
  }

  @Test("2.8 pages of large events fit a frame")
  func largeEvents() throws {
    let anna = try world.player(1)
    var append = AppendEvent()
    append.player = anna
    append.body = Bytes([UInt8](repeating: 1, count: StreamLimits.eventBytesMax))
    for _ in 0..<20 { try world.driver.call(append, as: anna, kind: .service) }
    let page = try world.driver.call(ReadEvents(), as: anna)
    #expect(page.encoded.count < WireLimits.frameSizeMax)
    #expect(page.events.count == 8 && page.through == 8 && page.more)
    #expect(try world.stream(of: anna).map(\.sequence) == Array(1...20))
    #expect(try world.open(anna, session: 3).replayedThrough == 8)
    append.body.array.append(1)
    let failure = try failure { try world.driver.call(append, as: anna, kind: .service) }
    #expect(failure?.argument == "body")
  }

  @Test("2.8 a player's connections are bounded; the oldest makes room")
  func connections() throws {
    let anna = try world.player(1, session: 1)
    for session in UInt64(2)...40 { try world.open(anna, session: session) }
    let revoked = try world.driver.takePushes(SessionRevoked.self)
    #expect(revoked.map(\.session) == Array(1...8) && revoked.allSatisfy(\.event.canResume))
    try world.open(anna, session: 40)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).map(\.session) == Array(9...40))
  }

  @Test("2.8 a session acknowledges nothing of a stream that it was not opened in")
  func acknowledgedBeforeOpened() throws {
    let world = World()
    let anna = try world.player(1, session: 5)
    try world.append(2, to: anna)
    func acknowledge() throws {
      try world.call(Acknowledge(through: 2), as: anna, game: "game", session: 5)
    }
    try world.restart()
    #expect(try failure { try acknowledge() }?.code == .unavailable)
    #expect(try world.open(anna, session: 5, cursor: 2).acknowledged == 0)
    try acknowledge()
    #expect(try world.open(anna, session: 5).acknowledged == 2)
  }

  @Test("7.2 an event for nobody is parked, not dropped")
  func nobody() throws {
    let failure = try failure { try world.append(1, to: .sample(99)) }
    #expect(failure?.code == .notFound)
  }
}
