import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Several devices of one player, each of which has a place of its own in the stream.
@Suite struct DeviceCursorTests {
  let world = World(settings: [.streamEventsKept: 0, .streamDeviceLag: 500])
  let player: PlayerID

  init() throws {
    var gateway = IdentityGateway(world: world)
    player = try gateway.signUp(1, proof: 1).player
    try gateway.signUp(1, proof: 2)
  }

  @discardableResult
  private func open(_ device: UInt64, session: UInt64 = 0, game: String = "game") throws
    -> OpenSession.Reply
  {
    try world.open(player, session: session, game: game) {
      $0.device = IdentityGateway.device(device)
      $0.secretHashes = [IdentityGateway.secret(device)]
    }
  }

  private func acknowledge(_ through: UInt64, _ device: UInt64) throws {
    var acknowledge = Acknowledge()
    acknowledge.through = through
    try world.call(
      acknowledge, as: player, game: "game", device: IdentityGateway.device(device))
    world.driver.runTimers()
  }

  private var keptCount: Int { world.driver.rows[23, default: [:]].count }
  private var cursorCount: Int { world.driver.rows[41, default: [:]].count }

  @Test("2.8 one device's acknowledgement takes nothing from another, over a restart")
  func twoDevices() throws {
    try open(1)
    try open(2)
    try world.append(128, to: player)
    try acknowledge(128, 1)
    #expect(keptCount == 128 && cursorCount == 1)
    try world.restart()
    #expect(try open(1).acknowledged == 128)
    let behind = try open(2, session: 9)
    #expect(behind.acknowledged == 0 && behind.removedThrough == 0)
    let replayed = try world.driver.takePushes(StreamEvent.self).map(\.event.sequence)
    #expect(replayed == Array(1...100) && behind.replayedThrough == 100)

    try acknowledge(64, 2)
    #expect(keptCount == 64)
    try acknowledge(128, 2)
    // With all devices at one place there is no row for any.
    #expect(keptCount == 0 && cursorCount == 0)
    try acknowledge(64, 2)
    #expect(try open(2).acknowledged == 128)
  }

  @Test("2.8 a device that is behind goes on to get what comes, and may pass the other")
  func overtaking() throws {
    try open(1)
    try open(2)
    try world.append(64, to: player)
    try acknowledge(40, 1)
    try acknowledge(64, 2)
    #expect(try open(1).acknowledged == 40)
    #expect(try open(2).acknowledged == 64)
    #expect(keptCount == 24 && cursorCount == 1)
  }

  @Test("2.8 a new device begins where the furthest one is")
  func newDevice() throws {
    try open(1)
    try world.append(64, to: player)
    try acknowledge(60, 1)
    #expect(try open(2).acknowledged == 60)
    try acknowledge(64, 1)
    #expect(keptCount == 4)
  }

  @Test("2.8 a device whose session has ended by itself finds its place again")
  func endOfSession() throws {
    try open(1)
    try open(2)
    try world.append(64, to: player)
    world.driver.pass(31 * 24 * 3_600_000)
    #expect(world.driver.rows[18, default: [:]].isEmpty)
    try open(1)
    try acknowledge(64, 1)
    #expect(keptCount == 64)
    #expect(try open(2).acknowledged == 0)
    try acknowledge(64, 2)
    #expect(keptCount == 0)
  }

  @Test("2.8 a device that makes room for itself keeps its place")
  func ownSurplus() throws {
    let world = World(settings: [.streamEventsKept: 0, .sessionsPerPlayerMax: 2])
    var gateway = IdentityGateway(world: world)
    let player = try gateway.signUp(1, proof: 1).player
    try gateway.signUp(1, proof: 2)
    func open(_ device: UInt64) throws -> OpenSession.Reply {
      try world.open(player) {
        $0.device = IdentityGateway.device(device)
        $0.secretHashes = [IdentityGateway.secret(device)]
      }
    }
    _ = try open(1)
    _ = try open(2)
    try world.append(64, to: player)
    var acknowledge = Acknowledge()
    acknowledge.through = 64
    try world.call(acknowledge, as: player, game: "game", device: IdentityGateway.device(1))
    // The oldest makes room, which is the only session of the first device, and then the other's.
    for device in [2, 2, 1] as [UInt64] {
      #expect(try open(device).acknowledged == (device == 1 ? 64 : 0))
    }
    world.driver.runTimers()
    #expect(world.driver.rows[23, default: [:]].count == 64)
  }

  @Test(
    "2.8 nothing is kept for a device that was signed out",
    arguments: ["out", "away", "everywhere"])
  func signedOut(how: String) throws {
    try open(1)
    let second = try open(2)
    try world.append(64, to: player)
    try acknowledge(64, 1)
    #expect(keptCount == 64)
    let own = IdentityGateway.device(1)
    switch how {
    case "out":
      var revoke = RevokeSession()
      (revoke.player, revoke.instance) = (player, second.instance)
      try world.driver.call(revoke, as: player, kind: .service)
    case "away":
      var end = EndSession()
      end.device = IdentityGateway.device(2)
      try world.call(end, as: player, game: "game", device: own)
    default: try world.call(SignOutEverywhere(), as: player, game: "game", device: own)
    }
    world.driver.runTimers()
    #expect(keptCount == 0 && cursorCount == 0)
  }

  @Test("2.8 events of no game are kept for the device that is behind")
  func ofNoGame() throws {
    try open(1)
    try open(2)
    try world.append(64, to: player, game: "")
    try acknowledge(64, 1)
    #expect(keptCount == 64)
    try acknowledge(64, 2)
    #expect(keptCount == 0)
  }

  @Test("2.8 events of no game are kept for the device that is behind while nobody has a session")
  func ofNoGameWithoutSessions() throws {
    try open(1)
    try open(2)
    try world.append(64, to: player, game: "")
    try acknowledge(64, 1)
    world.driver.pass(31 * 24 * 3_600_000)
    #expect(world.driver.rows[18, default: [:]].isEmpty)
    #expect(keptCount == 64)
    #expect(try open(2).acknowledged == 0)
    try acknowledge(64, 2)
    #expect(keptCount == 0)
  }

  @Test("2.8 what is kept for a device is bounded, and the device is told what it has missed")
  func farBehind() throws {
    try open(1)
    try open(2)
    for end in stride(from: 64, through: 640, by: 64) as StrideThrough<UInt64> {
      try world.append(64, to: player)
      try acknowledge(end, 1)
    }
    #expect(keptCount == 0)
    let late = try open(2)
    #expect(late.acknowledged == 0 && late.removedThrough == 640)
    let snapshot = try world.call(ReadSnapshot(), as: player, game: "game")
    #expect(snapshot.through == 640 && !snapshot.throughEvent.isNil)
    // From its place on the device is as the others.
    try world.append(64, to: player)
    try acknowledge(640, 2)
    try acknowledge(704, 1)
    #expect(keptCount == 64)
  }

  @Test("2.8 a device from before there were places of devices begins at the player's")
  func oldRows() throws {
    try open(1)
    try open(2)
    try world.append(64, to: player)
    try acknowledge(60, 1)
    try world.restart(without: 41)
    #expect(try open(2).acknowledged == 60)
    try acknowledge(64, 1)
    #expect(try open(2).acknowledged == 60)
  }

  // MARK: Age

  private static let day: Int64 = 24 * 3_600_000

  @Test("2.8 an event is kept for 60 days, read or not, and not for longer")
  func age() throws {
    try open(1)
    try world.append(100, to: player)
    world.driver.pass(30 * Self.day)
    try world.append(10, to: player)
    try world.append(10, to: player, game: "never")
    world.driver.pass(30 * Self.day - 1)
    #expect(keptCount == 120)
    try world.restart()
    world.driver.pass(1)
    #expect(keptCount == 20)
    let session = try open(1)
    #expect(session.removedThrough == 100 && session.streamEnd == 120)
    var read = ReadEvents()
    read.after = 0
    let page = try world.call(read, as: player, game: "game")
    #expect(page.oldest == 101 && page.removedThrough == 100)
    #expect(page.events.map(\.sequence) == Array(101...110))

    world.driver.pass(30 * Self.day)
    #expect(keptCount == 0)
    #expect(try open(1, game: "never").removedThrough == 120)
    // The next event begins anew.
    try world.append(1, to: player)
    world.driver.pass(60 * Self.day)
    #expect(keptCount == 0)
  }

  @Test("2.11 what is too old makes room in the share of its sender")
  func ageMakesRoom() throws {
    let world = World(settings: [.streamEventsPerSender: 20])
    let anna = try world.player(1)
    try world.append(200, to: anna, from: 2)
    let count = world.driver.rows[23, default: [:]].count
    #expect(count < 60)
    world.driver.pass(60 * Self.day)
    let told = try world.events(EventsDropped.self, of: anna)
    #expect(told.reduce(0) { $0 + $1.count } == 200 - UInt64(count))
    try world.append(10, to: anna, from: 2)
    #expect(try world.stream(of: anna).suffix(10).allSatisfy { $0.kind == 0x0177 })
  }

  @Test("2.8 a stream from before events had an age gets old from its next event on")
  func oldStreams() throws {
    try open(1)
    try world.append(5, to: player)
    var stream = try StreamRow(decoding: #require(world.driver.rows[22]?.values.first))
    (stream.expires, stream.expired) = (0, 0)
    var rows = world.driver.rows
    rows[22] = [stream.key.keyBytes: stream.encoded]
    try world.driver.restore(rows)
    world.driver.pass(60 * Self.day)
    #expect(keptCount == 5)
    try world.append(1, to: player)
    world.driver.pass(60 * Self.day)
    #expect(keptCount == 0)
  }
}
