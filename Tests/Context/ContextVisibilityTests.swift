import Domain
import Operations
import TestKit
import Testing
import Wire

/// Whoever may not know of a context gets one answer from every call, the same as for one that
/// there is not.
@Suite struct ContextVisibilityTests {
  /// One call of this line about a context.
  struct Call: CustomTestStringConvertible, Sendable {
    var name: String
    var make: @Sendable (GroupWorld, ContextID, PlayerID) throws -> Void
    var testDescription: String { name }
  }

  static let calls: [Call] = [
    Call(name: "get") { try $0.get($1, $2) },
    Call(name: "switch") { try $0.enter($1, $2) },
    Call(name: "join") { try $0.join($1, $2) },
    Call(name: "join with a link") { try $0.join($1, $2, link: .sample(3)) },
    Call(name: "leave") { try $0.leave($1, $2) },
    Call(name: "invite") { try $0.invite([eve], to: $1, by: $2) },
    Call(name: "answer") { try $0.answer($1, eve, by: $2) },
    Call(name: "decline") { try $0.answer($1, eve, false, by: $2) },
    Call(name: "change role") { try $0.change($1, ben, to: .moderator, by: $2) },
    Call(name: "change settings") { try $0.settings($1, by: $2) { $0.sizeMax = 50 } },
    Call(name: "renew link") { try $0.settings($1, by: $2) { $0.renewsLink = true } },
    Call(name: "remove") { try $0.remove(ben, from: $1, by: $2) },
    Call(name: "close") { try $0.close($1, by: $2) },
    Call(name: "reopen") { try $0.reopen($1, by: $2) },
    Call(name: "participants") {
      try $0.driver.call(FetchParticipants(of: $1), as: $2, kind: .service)
    },
  ]

  @Test(
    "2.9 1.5 a stranger, a blocked one, one who left and one who was removed see nothing",
    arguments: calls, [JoinPolicy.byInvite, .byRequest, .byLink])
  func unseen(call: Call, policy: JoinPolicy) throws {
    let world = GroupWorld()
    let (left, removed, blocked, stranger) = (dan, fay, PlayerID.sample(7), PlayerID.sample(8))
    let id = try world.group(ann, ben, left, removed)
    try world.leave(id, left)
    try world.remove(removed, from: id, by: ann)
    try world.settings(id, by: ann) { $0.policy = policy }
    world.book.blocks = [ben: [blocked]]
    let before = try world.get(id, ann)
    let unknown = try #require(failure { try call.make(world, .sample(999), stranger) })
    #expect(unknown.code == .notFound && unknown.argument == "context")
    for player in [stranger, left, removed, blocked] {
      // Whoever may ask to be let in gets another answer by right.
      if policy == .byRequest && call.name.hasPrefix("join") && [stranger, left].contains(player) {
        continue
      }
      #expect(failure { try call.make(world, id, player) } == unknown, "\(player)")
    }
    #expect(try world.get(id, ann) == before, "nothing has changed")
  }

  @Test("2.9 1.8 a closed group is there for nobody but who may open it again", arguments: calls)
  func closed(call: Call) throws {
    let world = GroupWorld()
    let id = try world.group(ann, ben, policy: .open)
    try world.close(id, by: ann)
    let unknown = failure { try call.make(world, .sample(999), cho) }
    for player in [ben, cho] { #expect(failure { try call.make(world, id, player) } == unknown) }
    if call.name != "reopen" { #expect(failure { try call.make(world, id, ann) } == unknown) }
  }

  @Test("1.4 a group of another game is not there", arguments: calls)
  func otherGame(call: Call) throws {
    let (world, other) = (GroupWorld(), GroupWorld())
    let id = try world.group(ann, ben, policy: .open)
    let unknown = failure { try call.make(other, id, cho) }
    #expect(unknown?.code == .notFound)
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .player, game: "another", player: ann, device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: id)
    var get = GetContext()
    get.context = id
    #expect(
      failure {
        _ = try world.driver.answer(
          Request(opcode: GetContext.opcode, envelope: envelope, body: get.encoded))
      } == unknown)
  }

  @Test("1.5 the nil id is a missing argument, for every call")
  func missing() throws {
    for call in Self.calls {
      let refused = failure { try call.make(GroupWorld(), ContextID(), ann) }
      #expect(refused?.code == .requiredArgument && refused?.argument == "context", "\(call.name)")
    }
  }
}
