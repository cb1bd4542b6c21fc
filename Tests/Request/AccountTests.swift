import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Devices and sessions as their player sees and ends them, and bans.
@Suite struct AccountTests {
  let world = World()

  /// A player with two devices and three sessions: on channels 4 and 5 of the first device in two
  /// games, on channel 6 of the second.
  private func settled() throws -> (player: PlayerID, sessions: [UInt64]) {
    var gateway = world.gateway
    let player = try gateway.signUp(1, proof: 1).player
    world.driver.clock += 10
    try gateway.signUp(1, proof: 2)
    try world.driver.deliverOwnEffects()
    var sessions: [UInt64] = []
    for (attempt, channel, game) in [(1, 4, "game"), (1, 5, "other"), (2, 6, "game")] {
      world.driver.clock += 10
      sessions.append(
        try world.open(
          player, attempt: UInt64(attempt), session: UInt64(channel), game: game))
    }
    _ = try world.driver.takePushes(SessionRevoked.self)
    return (player, sessions)
  }

  /// A call of the player from the device and on the channel of an attempt.
  @discardableResult
  private func call<O: MusterOperation>(
    _ operation: O, as player: PlayerID, attempt: UInt64 = 1, session: UInt64 = 4,
    game: String = "game", kind: PrincipalKind = .player
  ) throws -> O.Reply {
    try world.call(
      operation, as: player, game: game, session: session, kind: kind,
      device: IdentityGateway.device(attempt))
  }

  @Test("7.2 a player sees the devices and sessions, with when and what")
  func list() throws {
    let (player, sessions) = try settled()
    try world.restart()
    let start = world.driver.clock - 40
    let list = try call(ListSessions(), as: player, session: 0)
    #expect(list.devices.map(\.name) == ["phone 2", "phone 1"])
    #expect(list.devices.map(\.provider) == ["apple", "apple"])
    #expect(list.devices.map(\.addedAt) == [start + 10, start])
    #expect(list.devices.map(\.lastSignIn) == [start + 40, start + 30])
    #expect(list.devices.map(\.isOwn) == [false, true])
    #expect(list.sessions.map(\.session) == sessions.reversed())
    #expect(list.sessions.map(\.game) == ["game", "other", "game"])
    #expect(list.sessions.map(\.began) == [start + 40, start + 30, start + 20])
    #expect(list.sessions.allSatisfy { !$0.isConnected })
    try world.open(player, session: 4) {
      $0.device = IdentityGateway.device(1)
      ($0.secretHashes, $0.instance) = ([], sessions[0])
    }
    let now = try call(ListSessions(), as: player)
    #expect(now.sessions.filter(\.isConnected).map(\.session) == [sessions[0]])
    #expect(now.sessions.filter(\.isOwn).map(\.session) == [sessions[0]])
  }

  @Test("2.8 a player ends another session, or a device with all of its sessions")
  func end() throws {
    let (player, sessions) = try settled()
    let (own, unknown) = (EndSession(session: sessions[0]), EndSession(session: 7))
    #expect(try failure { try call(own, as: player) }?.argument == "session")
    #expect(try failure { try call(unknown, as: player) }?.code == .notFound)
    #expect(try failure { try call(EndSession(), as: player) }?.code == .requiredArgument)
    #expect(
      try failure { try call(EndSession(device: .sample(9)), as: player) }?.code == .notFound)
    #expect(
      try failure { try call(EndSession(device: IdentityGateway.device(1)), as: player) }?.argument
        == "device")
    try call(EndSession(session: sessions[1]), as: player)
    let ended = try world.driver.takePushes(SessionRevoked.self)
    #expect(ended.map(\.session) == [5] && ended[0].event.reason == .endedByPlayer)
    try world.open(player, attempt: 1, session: 5, game: "other")
    try call(EndSession(device: IdentityGateway.device(2)), as: player)
    let removed = try world.driver.takePushes(SessionRevoked.self)
    #expect(removed.map(\.session) == [6] && removed[0].event.reason == .deviceRemoved)
    #expect(
      try failure { try world.open(player, attempt: 2) }?.code == .invalidCredential)
  }

  @Test("7.2 nobody ends another player's session")
  func others() throws {
    let (player, sessions) = try settled()
    let ben = try world.player(2, session: 9)
    for operation in [
      EndSession(session: sessions[0]), EndSession(device: IdentityGateway.device(1)),
    ] {
      #expect(try failure { try world.driver.call(operation, as: ben) }?.code == .notFound)
    }
    try world.driver.call(SignOutEverywhere(), as: ben, session: 9)
    #expect(try call(ListSessions(), as: player).sessions.count == 3)
  }

  @Test("2.8 signing out everywhere leaves the caller's own session and device")
  func everywhere() throws {
    let (player, sessions) = try settled()
    let reply = try call(SignOutEverywhere(), as: player)
    #expect(reply.devices == 1 && reply.sessions == 2)
    let ended = try world.driver.takePushes(SessionRevoked.self)
    #expect(Set(ended.map(\.session)) == [5, 6] && ended.allSatisfy { !$0.event.canResume })
    let list = try call(ListSessions(), as: player)
    #expect(list.sessions.map(\.session) == [sessions[0]])
    #expect(list.devices.map(\.device) == [IdentityGateway.device(1)])
    for (attempt, session) in [(2, sessions[2]), (1, sessions[1])] as [(UInt64, UInt64)] {
      let resumed = try failure {
        try world.open(player, session: 9) {
          $0.device = IdentityGateway.device(attempt)
          ($0.secretHashes, $0.instance) = ([], session)
        }
      }
      #expect(resumed?.code == .invalidCredential)
    }
    #expect(try failure { try world.open(player, attempt: 2) }?.code == .invalidCredential)
    try world.open(player, attempt: 1)
  }

  @Test("7.2 devices are bounded: the one that signed in longest ago makes room, if not connected")
  func deviceBound() throws {
    var gateway = world.gateway
    let player = try gateway.signUp(1, proof: 1).player
    let connected = try world.open(player, attempt: 1, session: 4)
    for attempt in 2...UInt64(AccountLimits.devicesMax) {
      world.driver.clock += 11_000
      try gateway.signUp(1, proof: attempt)
    }
    world.driver.clock += 1
    try world.open(player, attempt: 2)
    world.driver.clock += 1
    // Its proof has expired, and a new one finds the same device.
    for attempt in [500, 501] as [UInt64] { try gateway.signUp(1, proof: attempt) }
    let list = try call(ListSessions(), as: player)
    #expect(list.devices.count == AccountLimits.devicesMax)
    let first = (1...4).map { IdentityGateway.device($0) }
    let gone = Set(first).subtracting(list.devices.map(\.device))
    #expect(gone == [IdentityGateway.device(3), IdentityGateway.device(4)])
    #expect(list.sessions.contains { $0.session == connected })
  }

  @Test(
    "7.2 a device's name is a line of text",
    arguments: [
      ("", true), ("Ada’s phone", true), ("a\nb", false),
      (String(repeating: "a", count: 129), false),
    ])
  func deviceName(name: String, isGood: Bool) throws {
    var registration = world.registration(.sample(1))
    registration.deviceName = name
    let refusal = try failure {
      try world.driver.call(registration, as: .sample(1), kind: .service)
    }
    #expect(refusal?.argument == (isGood ? nil : "deviceName"))
  }

  @Test("7.2 a ban ends the sessions of its game, and refuses sign-in with its own code")
  func ban() throws {
    let (player, sessions) = try settled()
    var ban = BanPlayer()
    (ban.player, ban.reason) = (player, "Cheated.")
    ban.until = world.driver.clock + 1_000
    try call(ban, as: PlayerID(), session: 0, kind: .gameServer)
    let ended = try world.driver.takePushes(SessionRevoked.self)
    #expect(Set(ended.map(\.session)) == [4, 6])
    #expect(ended.allSatisfy { $0.event.reason == .banned && !$0.event.canResume })
    let event = try #require(ended.first?.event.ban)
    #expect(event.game == "game" && event.until == ban.until && event.reason == "Cheated.")
    try world.restart()
    let refusal = try failure { try world.open(player, attempt: 1) }
    #expect(refusal?.code == .banned && refusal?.text.contains("Cheated.") == true)
    let told = try Ban(decoding: try #require(refusal).detail.array)
    #expect(told.game == "game" && told.until == ban.until && told.reason == "Cheated.")
    let wrong = try failure { try world.open(player, attempt: 77) }
    #expect(wrong?.code == .invalidCredential, "who has no credential learns nothing")
    let resumed = try failure {
      try world.open(player) {
        $0.device = IdentityGateway.device(1)
        ($0.secretHashes, $0.instance) = ([], sessions[0])
      }
    }
    #expect(resumed?.code == .banned, "the token of the session that was ended tells who it is")
    #expect(resumed?.detail == refusal?.detail)
    let stranger = try failure {
      try world.open(player) {
        $0.device = IdentityGateway.device(77)
        ($0.secretHashes, $0.instance) = ([], sessions[0])
      }
    }
    #expect(stranger?.code == .invalidCredential)
    try world.open(player, attempt: 1, game: "other")
    world.driver.clock = ban.until
    try world.open(player, attempt: 1)
  }

  @Test("7.2 a ban that is over goes from the store, and one for good stays")
  func banGoes() throws {
    let (player, _) = try settled()
    func count() -> Int { world.driver.rows[BanRow.tableID]?.count ?? 0 }
    for (game, wait) in [("one", 1_000), ("two", 2_000), ("three", 0)] as [(String, Int64)] {
      var ban = BanPlayer()
      (ban.player, ban.until) = (player, wait == 0 ? 0 : world.driver.clock + wait)
      try call(ban, as: PlayerID(), session: 0, game: game, kind: .gameServer)
    }
    #expect(count() == 3)
    world.driver.pass(1_000)
    #expect(count() == 2)
    try world.restart()
    world.driver.pass(1_000)
    #expect(count() == 1)
    world.driver.pass(World.day * 400)
    #expect(count() == 1)
  }

  @Test("7.2 an operator bans in all games, and lifts what was banned there")
  func operators() throws {
    let (player, _) = try settled()
    var ban = BanPlayer()
    ban.player = player
    try call(ban, as: PlayerID(), session: 0, game: "", kind: .deploymentOperator)
    #expect(try world.driver.takePushes(SessionRevoked.self).count == 3)
    for game in ["game", "other", "new"] {
      #expect(try failure { try world.open(player, attempt: 1, game: game) }?.code == .banned)
    }
    var gateway = world.gateway
    #expect(try failure { try gateway.signUp(1, proof: 9) }?.code == .banned)
    var lift = LiftBan()
    lift.player = player
    let refusal = try failure {
      try call(lift, as: PlayerID(), session: 0, game: "game", kind: .gameServer)
    }
    #expect(refusal?.code == .notFound, "a game does not lift an operator's ban")
    let lifted = try call(lift, as: PlayerID(), session: 0, game: "", kind: .deploymentOperator)
    #expect(lifted.ban.game.isEmpty)
    try world.open(player, attempt: 1)
    try gateway.signUp(1, proof: 10)
  }

  @Test("7.2 who may ban, and what is wrong with a ban")
  func bans() throws {
    let (player, _) = try settled()
    var ban = BanPlayer()
    ban.player = player
    #expect(try failure { try call(ban, as: player) }?.code == .notAllowed)
    ban.until = world.driver.clock
    #expect(try refusal(of: ban) == .init(.invalidArgument, "until"))
    ban.until = 0
    ban.reason = String(repeating: "a", count: AccountLimits.banReasonBytesMax + 1)
    #expect(try refusal(of: ban) == .init(.invalidArgument, "reason"))
    ban.reason = "a\u{202e}b"
    #expect(try refusal(of: ban) == .init(.invalidArgument, "reason"))
    ban.reason = ""
    ban.player = PlayerID()
    #expect(try refusal(of: ban) == .init(.requiredArgument, "player"))
    ban.player = .sample(99)
    #expect(try refusal(of: ban) == .init(.notFound, "player"))
  }

  private struct Refusal: Equatable {
    var code: FailureCode
    var argument: String
    init(_ code: FailureCode, _ argument: String) { (self.code, self.argument) = (code, argument) }
  }

  private func refusal(of ban: BanPlayer) throws -> Refusal? {
    try failure { try call(ban, as: PlayerID(), session: 0, kind: .gameServer) }
      .map { Refusal($0.code, $0.argument) }
  }
}
