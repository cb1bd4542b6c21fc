import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Contexts that matchmaking opens.
@Suite struct MatchedContextTests {
  let world = GroupWorld()
  private let day: Int64 = 86_400_000

  private func open(
    _ players: [PlayerID], in context: ContextID = .sample(50),
    _ state: ContextPlayerState = .active
  ) throws {
    var operation = OpenContext()
    operation.context = context
    operation.players = players.map { ContextPlayer(player: $0, role: .owner, state: state) }
    try world.driver.call(operation, as: PlayerID(), kind: .service)
    try world.driver.deliverOwnEffects()
  }

  private func play(_ context: ContextID) throws {
    try world.driver.join(context, as: ann, session: 1, seat: 1)
    try world.driver.join(context, as: ben, session: 2, seat: 2)
    try world.driver.deliverOwnEffects()
  }

  private var isForgotten: Bool {
    world.driver.rows[16]?.isEmpty == true && world.driver.rows[19]?.isEmpty != false
  }

  @Test("3.2 a matched context has each player once")
  func size() throws {
    try open([ann, ann, ben])
    let info = try world.get(.sample(50), ann)
    #expect(info.players.map(\.player) == [ann, ben])
    #expect(info.players.map(\.role) == [.owner, .participant])
  }

  @Test("1.8 a context that is there is not opened again, as something else")
  func twice() throws {
    let group = try world.group(ann, policy: .open)
    try open([cho, dan], in: group)
    #expect(try world.get(group, ann).form == .group && world.list(cho).isEmpty)
  }

  @Test("1.8 a matched context that all have left is forgotten after its time, with its match")
  func forgotten() throws {
    try open([ann, ben])
    try play(.sample(50))
    #expect(try world.driver.takeEffects(RecordRecentPlayers.self).count == 2)
    for player in [ann, ben] { try world.leave(.sample(50), player) }
    #expect(world.driver.rows[16]?.count == 1 && world.driver.rows[19]?.count == 1)
    world.driver.pass(30 * day)
    #expect(isForgotten)
    #expect(world.driver.effects.allSatisfy { $0.opcode == AppendEvent.opcode.rawValue })
  }

  @Test("1.8 a matched context that nobody leaves goes when nothing has happened in it for long")
  func quiet() throws {
    try open([ann, ben])
    world.driver.pass(20 * day)
    try world.enter(.sample(50), ann)
    try world.driver.restart()
    world.driver.pass(29 * day)
    #expect(try world.get(.sample(50), ann).size == 2, "somebody was there")
    try world.forgetEvents()
    world.driver.pass(2 * day)
    try world.driver.deliverOwnEffects()
    #expect(isForgotten)
    for player in [ann, ben] {
      #expect(try world.list(player).isEmpty && world.driver.current(player) == nil)
    }
    #expect(world.driver.effects.isEmpty, "nobody is told")
  }

  @Test("1.8 a matched context stays as long as its match runs")
  func playing() throws {
    try open([ann, ben])
    try play(.sample(50))
    world.driver.pass(45 * day)
    #expect(try world.get(.sample(50), ann).size == 2)
    var leave = LeaveMatch()
    (leave.context, leave.seat) = (.sample(50), 1)
    try world.driver.call(leave, as: ann)
    world.driver.pass(31 * day)
    #expect(isForgotten)
  }

  @Test("1.8 a matched context forgets who has left it")
  func left() throws {
    try open([ann, ben, cho])
    try world.leave(.sample(50), cho)
    #expect(try world.get(.sample(50), ann).players.map(\.player) == [ann, ben])
  }

  @Test("2.9 an invited player comes to no matched player whom a block keeps apart")
  func blocked() throws {
    try open([ann, ben], .invited)
    world.book.blocks = [ann: [ben]]
    #expect(failure { try world.enter(.sample(50), ben) }?.code == .notFound)
    world.book.blocks = [:]
    #expect(try world.enter(.sample(50), ben).players.last?.state == .active)
  }
}
