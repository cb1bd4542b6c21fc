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
    let all = try world.open(anna, session: 5)
    #expect(all.streamEnd == 8 && all.acknowledged == 0 && all.replayedThrough == 8)
    var events = try world.driver.takePushes(StreamEvent.self).map(\.event.sequence)
    #expect(events == Array(1...8))

    try world.driver.call(Acknowledge(through: 3), as: anna)
    try world.restart()
    #expect(try world.open(anna, session: 6).acknowledged == 3)
    events = try world.driver.takePushes(StreamEvent.self).map(\.event.sequence)
    #expect(events == Array(4...8))

    try world.open(anna, session: 7, cursor: 6)
    events = try world.driver.takePushes(StreamEvent.self).map(\.event.sequence)
    #expect(events == [7, 8])
    try world.open(anna, session: 8, cursor: 1_000_000)
    #expect(try world.driver.takePushes(StreamEvent.self).isEmpty)
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

  @Test("2.8 what every game acknowledged is forgotten, but for the newest")
  func trimming() throws {
    let anna = try world.player(1)
    try world.append(300, to: anna)
    #expect(world.driver.rows[23]?.count == 300)
    try world.driver.call(Acknowledge(through: 300), as: anna)
    #expect(world.driver.rows[23]?.count == 256)
    let page = try world.driver.call(ReadEvents(), as: anna)
    #expect(page.oldest == 45 && page.events.map(\.sequence) == Array(45...144))
    try world.restart()
    // Appending goes on forgetting, up to what was acknowledged.
    try world.append(2, to: anna)
    #expect(try world.driver.call(ReadEvents(), as: anna).oldest == 47)
    try world.append(300, to: anna)
    #expect(try world.driver.call(ReadEvents(), as: anna).oldest == 301)
  }

  @Test("2.8 a player who never comes back keeps a bounded number of events")
  func keptMax() throws {
    let world = World(settings: [.streamEventsMax: 1000])
    let anna = try world.player(1)
    try world.append(1010, to: anna)
    #expect(world.driver.rows[23]?.count == 1000)
    #expect(try world.driver.call(ReadEvents(), as: anna).oldest == 11)
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
    #expect(revoked.map(\.session) == Array(1...8))
    #expect(revoked.allSatisfy { $0.event.canResume }, "only the connection was given up")
    try world.open(anna, session: 40)
    try world.append(1, to: anna)
    #expect(try world.driver.takePushes(StreamEvent.self).map(\.session) == Array(9...40))
  }

  @Test("7.2 an event for nobody is parked, not dropped")
  func nobody() throws {
    let failure = try failure { try world.append(1, to: .sample(99)) }
    #expect(failure?.code == .notFound)
  }
}
