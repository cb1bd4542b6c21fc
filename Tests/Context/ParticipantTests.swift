import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Who is in a context, as gateways ask for calls of other services.
@Suite struct ParticipantTests {
  let driver = ContextDriver()

  private func participants(of context: ContextID, for player: PlayerID) throws -> [PlayerID] {
    try driver.call(FetchParticipants(of: context), as: player, kind: .service).players
  }

  @Test("4.3 a context's players are those who have not left it, the invited ones included")
  func players() throws {
    let id = try driver.createPair(ann, with: ben).context
    #expect(try participants(of: id, for: ann) == [ann, ben])
    #expect(try participants(of: id, for: ben) == [ann, ben])
    try driver.enter(id, as: ben)
    try driver.leave(id, as: ann)
    #expect(try participants(of: id, for: ben) == [ben])
  }

  @Test("4.3 unknown contexts, those of others and those left are not told apart")
  func errors() throws {
    let mine = try driver.createSolo(ann).context
    let left = try driver.pair(ann, cho)
    try driver.leave(left, as: cho)
    let refusals = [(mine, ben), (.sample(99), ann), (left, cho)].map { context, player in
      failure { _ = try participants(of: context, for: player) }
    }
    #expect(refusals.allSatisfy { $0?.code == .notFound && $0?.argument == "context" })
    #expect(Set(refusals.map { $0?.text }).count == 1)
    let byPlayer = failure { try driver.call(FetchParticipants(of: mine), as: ann) }
    #expect(byPlayer?.code == .notAllowed)
    let missing = failure { _ = try participants(of: ContextID(), for: ann) }
    #expect(missing?.code == .requiredArgument && missing?.argument == "context")
  }

  @Test("4.3 a context is asked for within its game")
  func game() throws {
    let id = try driver.createSolo(ann).context
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .service, game: "another", player: ann, device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: id)
    let request = Request(
      opcode: FetchParticipants.opcode, envelope: envelope,
      body: FetchParticipants(of: id).encoded, link: 1)
    #expect(failure { _ = try driver.answer(request) }?.argument == "context")
  }
}
