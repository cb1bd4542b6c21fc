import Operations
import TestKit
import Testing
import Wire

@testable import Domain
@testable import RequestCore

/// The request service forgets a player (rule 7.3).
@Suite struct ErasureTests {
  let world = World(settings: [.streamEventsPerSender: 16, .pushHookDelay: 30])
  let anna: PlayerID
  let ben: PlayerID
  let carl: PlayerID
  private let marker = "Markermaid"

  init() throws {
    anna = try world.player(1, name: marker, session: 7)
    ben = try world.player(2)
    carl = try world.player(3)
    world.driver.core.eventQueued = { _ in }
  }

  /// Rows about Anna in every table of the service.
  private func spread() throws {
    let driver = world.driver
    try world.befriend(anna, ben)
    try world.befriend(ben, carl)
    try driver.call(InviteFriend(.sample(9)), as: anna)
    var profile = SetProfile()
    profile.alias = marker
    try driver.call(profile, as: anna)
    let normal = SamplePhoto.bytes(.png, count: 40_000, width: 640, height: 480)
    for piece in PutPhotoPiece.pieces(of: normal, as: .normal) {
      try driver.call(piece, as: anna)
    }
    let next = SamplePhoto.bytes(.png, count: 50_000, width: 640, height: 480)
    try driver.call(PutPhotoPiece.pieces(of: next, as: .normal)[0], as: anna)
    var gateway = world.gateway
    _ = try gateway.link(1, to: anna, proof: 1)
    _ = try gateway.signUp(1, proof: 2)
    try world.open(anna, session: 8) {
      $0.device = IdentityGateway.device(2)
      $0.secretHashes = [IdentityGateway.secret(2)]
    }
    var ban = BanPlayer()
    (ban.player, ban.reason) = (anna, marker)
    try world.call(ban, as: PlayerID(), game: "other", kind: .deploymentOperator)

    var request = SendRequest(to: [ben, carl], message: marker)
    (request.data, request.title, request.cta) = (marker, marker, marker)
    request.wantsReceipts = true
    try driver.call(request, as: anna)
    try driver.call(SendRequest(to: [anna]), as: ben)
    try driver.call(GrantConsent(to: ben), as: anna)
    let token = try driver.call(CreateInviteTokens(count: 1), as: anna).tokens[0].token
    var invitation = SendRequest(to: [], message: marker)
    invitation.recipients = [token]
    try driver.call(invitation, as: anna)
    let bens = try driver.call(CreateInviteTokens(count: 1), as: ben).tokens[0].token
    try world.callWithFacts(ClaimInviteToken(#require(InviteToken(bens))), as: anna)
    for (player, other) in [(anna, ben), (ben, anna), (ben, carl)] {
      var news = RecordRecentPlayers()
      (news.player, news.others, news.time) = (player, [other], driver.clock)
      try world.call(news, as: PlayerID(), game: "game", kind: .service)
    }
    try driver.deliverOwnEffects()
    try world.append(6, to: ben, from: 1)
    try world.append(2, to: anna)
    try world.call(Acknowledge(through: 1), as: anna, game: "game")
  }

  /// The tables with a row that has Anna's id or what she wrote.
  private func tables(with player: PlayerID) -> Set<UInt16> {
    let trace = PlayerTrace(player)
    let isAnna = player == anna
    return Set(
      world.driver.rows.filter { _, rows in
        rows.values.contains {
          trace.isIn($0) || isAnna && $0.contains(sequence: Array(marker.utf8))
        }
      }.keys)
  }

  private func erase() throws {
    try world.driver.call(ErasePlayer(anna), as: PlayerID(), kind: .deploymentOperator)
    try settle()
  }

  private func settle() throws {
    for _ in 0..<8 {
      _ = try world.driver.takeEffects(EraseContextRecords.self)
      _ = try world.driver.takeEffects(EraseLeaderboardRecords.self)
      try world.driver.deliverOwnEffects()
      world.driver.runTimers()
      world.driver.clock += ErasureLimits.againMilliseconds
    }
    _ = try world.driver.takeEffects(RecordFirstSession.self)
  }

  @Test("7.3 an erased player is in no table, and others keep what is theirs")
  func everyTable() throws {
    try spread()
    let about = world.driver.engine.tables.all.filter {
      $0.subjects.arePlayers && $0.description.id >= Tables.coreNumberMin
    }
    let missing = about.filter { !tables(with: anna).contains($0.description.id) }
    #expect(missing.map(\.description.name).isEmpty, "the test does not reach these tables")
    #expect(world.driver.engine.tables.withoutErasure.isEmpty)
    let before = try world.stream(of: ben)

    try erase()
    #expect(tables(with: anna).isEmpty)
    #expect(world.driver.engine.walk.open.isEmpty)
    #expect(
      try world.driver.takePushes(SessionRevoked.self).map(\.event.reason) == [.erased, .erased])
    // Ben's list has lost a friend, his stream no event.
    #expect(try world.friends(of: ben) == [carl: .friends])
    let after = try world.stream(of: ben)
    #expect(after.map(\.sequence).starts(with: before.map(\.sequence)))
    #expect(try world.events(RequestExpired.self, of: ben).count == 1, "his request is over")
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
    #expect(try world.driver.call(GetProfile(carl), as: ben).displayName == "Player 3")

    let rows = world.driver.rows
    try world.restart()
    world.driver.runTimers()
    #expect(tables(with: anna).isEmpty)
    #expect(try world.stream(of: ben) == after)
    #expect(try world.friends(of: ben) == [carl: .friends])
    #expect(rows[ErasureRow.tableID]?.count == 1)
  }

  @Test("7.3 a flood of players who erase themselves waits")
  func pace() throws {
    let players = try (10...20).map { try world.player(UInt64($0)) }
    for player in players.dropLast() {
      try world.driver.call(EraseMyself(confirmed: player), as: player)
    }
    let last = players[10]
    let refused = try failure { try world.driver.call(EraseMyself(confirmed: last), as: last) }
    #expect(refused?.code == .rateLimited && refused?.retryAfterMilliseconds == 6_000)
    world.driver.clock += 6_000
    try world.driver.call(EraseMyself(confirmed: last), as: last)
  }

  @Test("7.3 an erased id does not come back")
  func gone() throws {
    try spread()
    let banned = try failure { try world.driver.call(EraseMyself(confirmed: anna), as: anna) }
    #expect(banned?.code == .banned, "who is banned would come back as somebody new")
    try erase()
    #expect(
      try failure { try world.open(anna) }?.code == .notAuthenticated, "the device learns why")
    #expect(
      try failure {
        try world.driver.call(world.registration(anna), as: PlayerID(), kind: .service)
      } != nil)
    #expect(
      try world.driver.call(InviteFriend(anna), as: ben).state == .invited,
      "as an invitation to nobody")
    try world.driver.call(BlockPlayer(anna), as: ben)
    #expect(try world.friends(of: ben) == [carl: .friends], "nothing of it is written")
    let sent = try world.driver.call(SendRequest(to: [anna, carl]), as: ben).recipients
    #expect(sent.map(\.recipient) == ["\(anna)", "\(carl)"])
    #expect(sent.map(\.outcome) == [.notReachable, .queued], "2.4 the others get theirs")
    var append = AppendEvent()
    (append.player, append.kind) = (anna, 0x0177)
    _ = try? world.call(append, as: anna, game: "game", kind: .service)
    #expect(tables(with: anna).isEmpty)
    var gateway = world.gateway
    let again = try gateway.signUp(1, proof: 9, name: "New")
    #expect(again.isNew && again.player != anna)
  }

  @Test("2.9 7.3 what an erased player has sent makes nobody a friend of the stand-in")
  func standIns() throws {
    let token = try world.driver.call(CreateInviteTokens(count: 1), as: anna).tokens[0].token
    var send = SendRequest(to: [], message: marker)
    send.recipients = [token]
    try world.driver.call(send, as: anna)
    let claim = ClaimInviteToken(try #require(InviteToken(token)))
    try world.callWithFacts(claim, as: carl)
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.call(ErasePlayer(anna), as: PlayerID(), kind: .deploymentOperator)
    // The news of it arrive before those of the invitation and the request.
    #expect(try world.driver.deliverFirst(EraseRequestRecords.self))
    try settle()
    #expect(try world.friends(of: ben).isEmpty)
    #expect(try world.events(FriendInvitation.self, of: ben).isEmpty)
    #expect(try world.driver.call(Inbox(), as: carl).requests.isEmpty)
    #expect(try world.events(RequestReceived.self, of: carl).isEmpty)
  }

  @Test("2.9 7.3 what comes in a stand-in's name before the news of the erasure goes with them")
  func earlyStandIn() throws {
    let erasure = Erasure(of: .sample(50), as: .sample(51))
    var edge = FriendEdgeChanged()
    (edge.player, edge.friend, edge.wished) = (ben, erasure.standIn, world.driver.clock)
    try world.call(edge, as: PlayerID(), game: "", kind: .service)
    var deliver = DeliverRequest()
    (deliver.player, deliver.isInvited) = (ben, true)
    deliver.request.request = RequestID(high: 1, low: 1)
    deliver.request.sender = erasure.standIn
    try world.call(deliver, as: PlayerID(), game: "game", kind: .service)
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 1)
    #expect(try world.friends(of: ben) == [erasure.standIn: .received])
    var news = EraseRequestRecords()
    news.key = RoutingKey(reinterpreting: ben)
    (news.player, news.standIn) = (erasure.player, erasure.standIn)
    try world.call(news, as: PlayerID(), game: "", kind: .service)
    try settle()
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
    #expect(try world.friends(of: ben).isEmpty)
  }

  @Test("7.3 late news of an erased player's identity make no player of the stand-in")
  func lateIdentity() throws {
    var gateway = world.gateway
    let dora = try gateway.signUp(1, proof: 1).player
    try world.driver.call(ErasePlayer(dora), as: PlayerID(), kind: .deploymentOperator)
    #expect(try world.driver.deliverFirst(EraseRequestRecords.self))
    // What the identity's key has told comes after all else, without a name for a player.
    let late = world.driver.effects.filter { $0.opcode == SettleIdentity.opcode.rawValue }
    world.driver.effects.removeAll { $0.opcode == SettleIdentity.opcode.rawValue }
    try settle()
    #expect(world.driver.rows[PlayerRow.tableID]?.count == 3)
    #expect(late.count == 1)
    world.driver.effects += late
    try settle()
    #expect(world.driver.rows[PlayerRow.tableID]?.count == 3)
  }

  @Test("7.3 a session that began while the erasure waited ends, and its device is told")
  func lateSession() throws {
    try world.driver.call(ErasePlayer(anna), as: PlayerID(), kind: .deploymentOperator)
    #expect(try world.driver.takePushes(SessionRevoked.self).map(\.session) == [7])
    try world.open(anna, session: 8)
    try settle()
    let told = try world.driver.takePushes(SessionRevoked.self)
    #expect(told.map(\.session) == [8] && told.map(\.event.reason) == [.erased])
    #expect(tables(with: anna).isEmpty)
  }

  @Test("7.3 what a stranger writes refuses nobody, whosever id it is")
  func idAsText() throws {
    try erase()
    var registration = world.registration(.sample(60))
    registration.displayName = "\(anna)"
    try world.driver.call(registration, as: PlayerID(), kind: .service)
    #expect(tables(with: anna).isEmpty)
  }

  @Test("7.3 only the player and the operator erase, and not by mistake")
  func refused() throws {
    #expect(
      try failure { try world.driver.call(EraseMyself(confirmed: ben), as: anna) }?.argument
        == "confirmed")
    #expect(
      try failure { try world.driver.call(ErasePlayer(anna), as: ben) }?.code == .notAllowed)
    #expect(
      try failure {
        try world.driver.call(ErasePlayer(), as: PlayerID(), kind: .deploymentOperator)
      }?.code == .requiredArgument)
    try world.driver.call(ErasePlayer(anna), as: PlayerID(), kind: .deploymentOperator)
    try settle()
    #expect(tables(with: anna).isEmpty)
    let again = try failure { try world.driver.call(EraseMyself(confirmed: anna), as: anna) }
    #expect(again?.code == .notAuthenticated, "it is done already")
  }

  @Test("7.3 each slot of all services is told")
  func slots() throws {
    try world.driver.call(EraseMyself(confirmed: anna), as: anna)
    #expect(
      try world.driver.takeEffects(EraseContextRecords.self).isEmpty, "not before it is durable")
    try world.driver.deliverOwnEffects()
    let contexts = try world.driver.takeEffects(EraseContextRecords.self)
    #expect(Set(contexts.map { Slot.of($0.key) }).count == Slot.count)
    #expect(Set(contexts.map(\.operation.standIn)).count == 1)
    #expect(
      try world.driver.takeEffects(EraseLeaderboardRecords.self).count == Slot.count)
  }
}
