import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct AddToContextTests {
  let world = GroupWorld()

  private func open(_ players: PlayerID...) throws -> ContextID {
    var operation = OpenContext()
    operation.context = .sample(50)
    operation.players = players.map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    try world.driver.call(operation, as: PlayerID(), kind: .service)
    try world.driver.deliverOwnEffects()
    return operation.context
  }

  private func add(
    _ players: [PlayerID], to context: ContextID, generation: UInt32 = 0,
    _ state: ContextPlayerState = .active
  ) throws {
    var operation = AddToContext()
    (operation.context, operation.generation) = (context, generation)
    operation.players = players.map { ContextPlayer(player: $0, role: .owner, state: state) }
    try world.driver.call(operation, as: PlayerID(), kind: .service)
    try world.driver.deliverOwnEffects()
  }

  @Test("3.6 players are added to a matched context as participants, once, and the others are told")
  func added() throws {
    let id = try open(ann, ben)
    try world.forgetEvents()
    try add([cho, ann], to: id)
    try add([cho], to: id)
    let info = try world.get(id, cho)
    #expect(info.players.map(\.player) == [ann, ben, cho] && info.size == 3)
    #expect(info.players.map(\.role) == [.owner, .participant, .participant])
    #expect(try world.list(cho).map(\.context) == [id])
    #expect(try world.events(ContextPlayerChanged.self).map(\.player) == [ann, ben])
    try add([dan], to: id, .invited)
    #expect(try world.enter(id, dan).players.last?.state == .active)
    try world.leave(id, dan)
    try add([dan], to: id)
    #expect(try world.get(id, dan).size == 4)
  }

  @Test("3.2 3.6 a matched context never has more players than a match")
  func size() throws {
    let id = try open(ann, ben)
    try add((10..<40).map { .sample($0) }, to: id)
    try add([cho], to: id)
    #expect(try world.get(id, ann).size == UInt32(ContextLimits.matchPlayersMax))
    #expect(failure { try world.get(id, cho) }?.code == .notFound)
  }

  @Test("3.6 nobody is added to a group, a pair, a closed context or one of another generation")
  func others() throws {
    let (group, pair) = (try world.group(ann, policy: .open), try world.driver.pair(ann, ben))
    let matched = try open(ann, ben)
    try add([cho], to: group)
    try add([cho], to: pair)
    try add([cho], to: .sample(99))
    try add([cho], to: matched, generation: 2)
    #expect(try world.list(cho).isEmpty)
    for player in [ann, ben] { try world.leave(matched, player) }
    try add([cho], to: matched)
    #expect(try world.list(cho).isEmpty)
    #expect(try world.get(group, ann).size == 1 && world.get(pair, ann).size == 2)
  }

  @Test("1.8 a matched context that all have left is forgotten after its time")
  func forgotten() throws {
    let id = try open(ann, ben)
    for player in [ann, ben] { try world.leave(id, player) }
    #expect(world.driver.rows[16]?.count == 1)
    world.driver.pass(30 * 86_400_000)
    #expect(world.driver.rows[16]?.isEmpty == true)
    #expect(world.driver.effects.allSatisfy { $0.opcode == AppendEvent.opcode.rawValue })
  }
}
