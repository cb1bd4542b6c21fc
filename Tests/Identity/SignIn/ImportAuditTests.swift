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

  @Test("7.2 it is there also where the gateway dies, or the operator goes, after the first step")
  func cutOff() throws {
    let victim = try meeting.signUp(meeting.world.token()).player
    meeting.path.serviceCallsLeft = 1
    #expect(throws: Failure.self) {
      try asAlice(operation("alice-herself", for: victim))
    }
    #expect(try rows.map(\.operatorName) == ["alice"])
  }

  @Test("7.2 a player who is made for an identity is in the audit, however fast effects are")
  func newPlayer() throws {
    let player = try asAlice(operation("somebody")).player
    #expect(try rows.map(\.operation) == [SettleImport.name])
    #expect(try rows.map(\.operatorName) == ["alice"])
    #expect(try rows.map(\.routingKey) == [RoutingKey(reinterpreting: player)])
    // The effect of the identity's key comes first.
    meeting.path.serviceCallsLeft = 1
    #expect(throws: Failure.self) { try asAlice(operation("another")) }
    try meeting.path.core.deliverOwnEffects()
    meeting.path.serviceCallsLeft = .max
    _ = try asAlice(operation("another"))
    #expect(try rows.count == 2)
    meeting.path.now += 3_600_000
    _ = meeting.path.core.runTimers()
    _ = try asAlice(operation("another"))
    #expect(try rows.count == 2, "nothing has changed")
  }

  @Test("7.3 of an erased player the audit keeps neither id nor identity")
  func erased() throws {
    let player = try asAlice(operation("somebody")).player
    _ = try asAlice(operation("further", for: player))
    let core = meeting.path.core
    try core.call(ErasePlayer(player), as: PlayerID(), kind: .deploymentOperator)
    for _ in 0..<8 {
      try core.deliverOwnEffects()
      _ = core.runTimers()
      meeting.path.now += 1_000
    }
    #expect(try rows.count == 3)
    let all = try rows.map(\.encoded)
    for words in [player.bytes, bytes(player.description), bytes("somebody"), bytes("further")] {
      #expect(!all.contains { $0.contains(sequence: words) }, "\(words)")
    }
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
