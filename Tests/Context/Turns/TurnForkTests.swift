import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct TurnForkTests {
  let world: TurnWorld

  init() throws { world = try TurnWorld([ann, ben, cho]) }

  private func fork(_ player: PlayerID, _ seats: [PlayerID] = [ann, ben]) -> ForkTurnGame {
    var operation = ForkTurnGame()
    (operation.context, operation.number) = (world.context, world.number)
    operation.players = seats
    return operation
  }

  @Test("1.11 a player forks a game some times, a spectator once, and then after a while again")
  func budget() throws {
    try world.start([ann, ben]) { $0.options.allowsSpectators = true }
    try world.watch(cho)
    for (player, other) in [(ann, ben), (cho, ann)] {
      var counts: [Int] = []
      for _ in 0..<2 {
        var count = 0
        while count < 50 {
          guard let failure = failure({ _ = try world.fork(player, at: 0, [player, other]) }) else {
            count += 1
            continue
          }
          #expect(failure.code == .rateLimited)
          break
        }
        counts.append(count)
        try world.driver.restart()
        try world.pass(day)
      }
      #expect(counts == (player == ann ? [4, 4] : [1, 1]))
    }
  }

  @Test("1.11 a player has a bounded number of forks, which count until they are not kept")
  func kept() throws {
    try world.start([ann, ben])
    world.forkCount = TurnLimits.forksKeptMax
    #expect(failure { _ = try world.fork(ann, at: 0, [ann, ben]) }?.code == .limitReached)
    world.forkCount = 0
    let fork = try world.fork(ann, at: 0, [ann, ben])
    var fetch = FetchOpenedContexts()
    fetch.player = ann
    #expect(try world.driver.call(fetch, as: PlayerID(), kind: .service).forks == 1)
    for player in [ann, ben] { try world.driver.leave(fork, as: player) }
    try world.pass(366 * day)
    #expect(try world.driver.call(fetch, as: PlayerID(), kind: .service).forks == 0)
  }

  @Test("1.8 1.11 games of a closed context go while one of them is copied, without waiting")
  func sweptWhileCopied() throws {
    try world.start([ann, ben])
    for turn in 0..<20 { try world.move(turn % 2 == 0 ? ann : ben, "\(turn)") }
    var operation = fork(ann)
    operation.move = 20
    let fork = try world.driver.call(operation, as: ann, facts: world.facts).context
    for player in [ann, ben, cho] { try world.driver.leave(world.context, as: player) }
    world.settle()
    #expect(world.driver.rows[33, default: [:]].count == 21)
    world.context = fork
    #expect(try world.moves(ann).count == 20)
    #expect(world.driver.rows[32, default: [:]].count == 1)
  }

  /// The first player forks a game after its first move, and somebody leaves the fork when so many
  /// of the effects are in. Of invitations only those are left that come afterwards.
  private func fork(
    of seats: [PlayerID], leftBy leaver: PlayerID, after effectCount: Int, in world: TurnWorld
  ) throws -> ContextID {
    try world.start(seats)
    try world.move(seats[0], "1")
    var operation = ForkTurnGame()
    (operation.context, operation.number, operation.move) = (world.context, world.number, 1)
    operation.players = seats
    let fork = try world.driver.call(operation, as: seats[0], facts: world.facts).context
    try world.driver.deliverOwnEffects(atMost: effectCount)
    var leave = LeaveContext()
    leave.context = fork
    try world.driver.call(leave, as: leaver)
    _ = try world.driver.streamEvents(TurnGameInvitation.self)
    try world.driver.deliverOwnEffects()
    world.settle()
    return fork
  }

  /// The context is there then, or the game too, whose moves are not.
  @Test(
    "1.8 1.11 who has left a fork before it begins has no seat in it", arguments: [true, false],
    [1, 2])
  func leftBefore(hasThird: Bool, effectCount: Int) throws {
    let world = try TurnWorld([ann, ben, cho])
    let seats = hasThird ? [ann, ben, cho] : [ann, ben]
    let fork = try fork(of: seats, leftBy: ben, after: effectCount, in: world)
    world.context = fork
    let info = try world.read(ann).info
    #expect(info.seats[1].state == .declined)
    #expect(info.phase == (hasThird ? .active : .ended))
    #expect(!info.next.contains(ben))
    let invited = try world.driver.streamEvents(TurnGameInvitation.self).map(\.player)
    #expect(invited == (hasThird ? [cho] : []))
    #expect(try !world.list(ben, .all).contains { $0.context == fork })
    #expect(try world.moves(ann).count == 1)
  }

  @Test("1.8 1.11 a fork that its maker has left before it begins invites the others all the same")
  func leftByMaker() throws {
    let world = try TurnWorld([ann, ben, cho])
    _ = try fork(of: [ann, ben, cho], leftBy: ann, after: 2, in: world)
    let invited = try world.driver.streamEvents(TurnGameInvitation.self)
    #expect(invited.map(\.player) == [ben, cho])
    #expect(invited.allSatisfy { $0.event.inviter == ann })
  }

  @Test(
    "1.8 1.11 a fork that everybody has left before it begins leaves no rows", arguments: [1, 2])
  func closedBefore(effectCount: Int) throws {
    try world.start([ann, ben])
    let context = try world.driver.call(fork(ann), as: ann, facts: world.facts).context
    try world.driver.deliverOwnEffects(atMost: effectCount)
    var leave = LeaveContext()
    leave.context = context
    for player in [ann, ben] { try world.driver.call(leave, as: player) }
    try world.driver.deliverOwnEffects()
    world.settle()
    #expect(world.driver.rows[32]?.count == 1 && world.driver.rows[33]?.count == 1)
    #expect(world.driver.rows[34]?.count == 1)
  }

  @Test("1.11 a game is replayed move by move: the state after each small move is kept")
  func replay() throws {
    func state(_ player: PlayerID, _ move: UInt32, number: UInt32? = nil) throws -> String {
      var operation = ReadTurnState()
      (operation.context, operation.number) = (world.context, number ?? world.number)
      operation.move = move
      let bytes = try world.driver.call(operation, as: player).state.array
      return String(decoding: bytes, as: UTF8.self)
    }
    try world.start([ann, ben])
    for turn in 1...40 { try world.move(turn % 2 == 1 ? ann : ben, "m", state: "s\(turn)") }
    for move in UInt32(0)...40 { #expect(try state(ben, move) == "s\(move)") }
    #expect(failure { _ = try state(ben, 41) }?.argument == "move")
    #expect(failure { _ = try state(cho, 1) }?.code == .notAllowed)
    let source = world.context
    world.context = try world.fork(ben, at: 20, [ann, ben])
    #expect(try state(ben, 20) == "s20")
    #expect(failure { _ = try state(ben, 19) }?.argument == "move")
    world.context = source
    try world.quit(ann)
    try world.start([ann, ben])
    #expect(try state(ann, 7, number: 1) == "s7")
  }

  @Test("1.11 a seat whose player had run out of time has the whole time in a fork")
  func clocks() throws {
    try world.start { $0.options.playerClockMilliseconds = 100_000 }
    try world.pass(100_000)
    try world.move(ben, "b1")
    world.context = try world.fork(ben, at: 1)
    let clocks = try world.read(ben).info.seats.map(\.clockMilliseconds)
    #expect(clocks == [100_000, 100_000, 100_000])
  }
}
