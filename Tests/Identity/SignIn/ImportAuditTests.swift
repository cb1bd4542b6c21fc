import Domain
import GatewayCore
import Identity
import Operations
import TestKit
import Testing
import Wire

/// What operators import is in the audit: whoever has an identity of a player signs in as the
/// player.
@Suite("The audit of imports")
struct ImportAuditTests {
  private let meeting: SignInTests.Meeting

  init() throws {
    meeting = try SignInTests.Meeting(.custom(), "chess")
    meeting.path.state.use(
      meeting.path.state.keyring, operators: ["alice": digest(bytes("alice:one"))])
  }

  private func operation(_ subject: String, for player: PlayerID = PlayerID()) -> ImportPlayer {
    var operation = ImportPlayer()
    (operation.provider, operation.subject) = (meeting.name, subject)
    (operation.displayName, operation.player) = ("Ada", player)
    return operation
  }

  private func asAlice(_ operation: ImportPlayer) throws -> ImportPlayer.Reply {
    meeting.path.reconnect()
    var signIn = SignInOperator()
    signIn.secret = "alice:one"
    _ = try meeting.path.call(signIn)
    defer { meeting.path.reconnect() }
    return try meeting.path.call(operation)
  }

  private var rows: [AuditRow] {
    get throws {
      try (meeting.path.core.rows[AuditRow.tableID] ?? [:]).values
        .map { try AuditRow(decoding: $0) }.filter { $0.operation != DeclareGame.name }
        .sorted { $0.key < $1.key }
    }
  }

  @Test("7.2 an identity that an operator brings for a player is in the audit, at the player's key")
  func victim() throws {
    let victim = try meeting.signUp(meeting.world.token()).player
    #expect(try rows.isEmpty, "what players do is not there")
    #expect(try asAlice(operation("alice-herself", for: victim)).player == victim)
    let row = try #require(try rows.first)
    #expect(try rows.count == 1)
    #expect(row.operatorName == "alice" && row.principal == .deploymentOperator)
    #expect(row.operation == ReserveIdentity.name)
    #expect(row.routingKey == RoutingKey(reinterpreting: victim))
    let body = try ReserveIdentity(decoding: row.body.array)
    #expect(body.player == victim && body.subject == "alice-herself")
    _ = try asAlice(operation("alice-herself", for: victim))
    #expect(try rows.count == 1, "nothing has changed")
  }

  @Test(
    "7.1 7.2 it is there once, wherever the gateway dies or the operator goes and begins again",
    arguments: [false, true])
  func cutOff(isNew: Bool) throws {
    let victim = try isNew ? PlayerID() : meeting.signUp(meeting.world.token()).player
    let operation = operation("alice-herself", for: victim)
    meeting.path.serviceCallsLeft = 0
    #expect(throws: Failure.self) { try asAlice(operation) }
    #expect(try rows.isEmpty, "nothing has changed")
    for _ in 1...2 {
      meeting.path.serviceCallsLeft = 1
      #expect(throws: Failure.self) { try asAlice(operation) }
      #expect(try rows.map(\.operatorName) == ["alice"])
    }
    meeting.path.serviceCallsLeft = .max
    let player = try asAlice(operation).player
    #expect(try asAlice(operation).player == player)
    #expect(try rows.count == 1)
  }

  @Test("7.2 it is there once also where the player's own link has kept the place already")
  func ownPlace() throws {
    let path = meeting.path
    let own = try meeting.signUp(meeting.world.token())
    try path.signIn(own)
    let claims = meeting.world.claims.with("sub", quoted("alice-herself"))
    var link = LinkIdentity()
    link.proof = path.proof(meeting.name, meeting.world.token(claims: claims), attempt: 3)
    path.serviceCallsLeft = 1
    #expect(throws: Failure.self) { try path.call(link) }
    let places = try #require(path.core.rows[29])
    #expect(try rows.isEmpty && places.count == 2, "the place is kept, and the gateway dies")
    let operation = operation("alice-herself", for: own.player)
    for _ in 1...2 {
      path.serviceCallsLeft = 1
      #expect(throws: Failure.self) { try asAlice(operation) }
      #expect(try rows.map(\.operatorName) == ["alice"])
    }
    path.serviceCallsLeft = .max
    for _ in 1...2 { #expect(try asAlice(operation).player == own.player) }
    #expect(try rows.map(\.operation) == [ReserveIdentity.name])
    let identities = try path.core.call(ListIdentities(), as: own.player).identities
    #expect(identities.map(\.subject).contains("alice-herself"))
  }

  @Test("7.2 a player who is made for an identity is in the audit, whatever comes when")
  func newPlayer() throws {
    let player = try asAlice(operation("somebody")).player
    let row = try #require(try rows.first)
    #expect(row.operation == ClaimIdentity.name && row.operatorName == "alice")
    let body = try ClaimIdentity(decoding: row.body.array)
    #expect(body.player == player && body.subject == "somebody")
    // The effect of the identity's key comes first.
    meeting.path.serviceCallsLeft = 1
    #expect(throws: Failure.self) { try asAlice(operation("another")) }
    try meeting.path.core.deliverOwnEffects()
    meeting.path.serviceCallsLeft = .max
    let another = try asAlice(operation("another"))
    #expect(another.isNew && another.player != player)
    #expect(try rows.count == 2)
    meeting.path.now += 3_600_000
    _ = meeting.path.core.runTimers()
    #expect(try asAlice(operation("another")).player == another.player)
    #expect(try rows.count == 2, "nothing has changed")
  }

  @Test("7.2 an identity that is another's is not brought, and the audit has the try once")
  func conflict() throws {
    let owner = try asAlice(operation("taken")).player
    let other = try asAlice(operation("other")).player
    for _ in 1...2 {
      let failure = #expect(throws: Failure.self) {
        try asAlice(operation("taken", for: other))
      }
      #expect(failure?.code == .conflict)
    }
    let steps = [ClaimIdentity.name, ClaimIdentity.name, ReserveIdentity.name]
    #expect(try rows.map(\.operation) == steps)
    #expect(try asAlice(operation("taken")).player == owner)
    #expect(try meeting.path.core.call(ListIdentities(), as: other).identities.count == 1)
  }

  @Test("7.3 of an erased player the audit keeps neither id nor identity")
  func erased() throws {
    let player = try asAlice(operation("somebody")).player
    _ = try asAlice(operation("further", for: player))
    let claim = try ClaimIdentity(decoding: rows[0].body.array)
    let reservation = try ReserveIdentity(decoding: rows[1].body.array)
    // Whoever guesses an identity can check it by these.
    let hashes = [claim.identity, claim.proof, reservation.identity]
    #expect(try rows[0].routingKey == claim.identity && !hashes.contains(RoutingKey()))
    let core = meeting.path.core
    try core.call(ErasePlayer(player), as: PlayerID(), kind: .deploymentOperator)
    for _ in 0..<8 {
      try core.deliverOwnEffects()
      _ = core.runTimers()
      meeting.path.now += 1_000
    }
    let lines = try rows
    #expect(lines.count == 3)
    let all = lines.map(\.encoded)
    let ids = [RoutingKey(reinterpreting: player)] + hashes
    var words = [bytes("somebody"), bytes("further")]
    for id in ids { words += [id.bytes, bytes(id.description)] }
    for word in words { #expect(!all.contains { $0.contains(sequence: word) }, "\(word)") }
    #expect(lines.allSatisfy { $0.bodyHash == 0 }, "it has what the body has lost")
    // The lines are there still, about the same somebody.
    let rest = try ClaimIdentity(decoding: lines[0].body.array)
    #expect(lines.allSatisfy { $0.routingKey == RoutingKey(reinterpreting: rest.player) })
    #expect(lines.allSatisfy { $0.subject == "\(rest.player)" })
    #expect(lines.prefix(2).allSatisfy { $0.operatorName == "alice" })
  }

  @Test("7.3 an import of a player who is being erased makes nobody")
  func beingErased() throws {
    let player = try asAlice(operation("somebody")).player
    let core = meeting.path.core
    try core.deliverOwnEffects()
    try core.call(ErasePlayer(player), as: PlayerID(), kind: .deploymentOperator)
    #expect(try core.deliverFirst(EraseRequestRecords.self))
    let failure = #expect(throws: Failure.self) { try asAlice(operation("somebody")) }
    #expect(failure?.code == .unavailable)
    for _ in 0..<8 {
      try core.deliverOwnEffects()
      _ = core.runTimers()
      meeting.path.now += 1_000
    }
    #expect(core.rows[16]?.isEmpty != false, "a player was made in the erased one's place")
  }
}
