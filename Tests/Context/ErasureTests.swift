import Operations
import TestKit
import Testing
import Wire

@testable import ContextCore
@testable import Domain

/// The context service forgets a player (rule 7.3).
@Suite struct ErasureTests {
  @Test("7.3 every table about players says how it forgets one")
  func declared() {
    #expect(ContextDriver().engine.tables.withoutErasure.isEmpty)
  }

  @Test("7.3 an erased player leaves contexts, and is on nobody's list")
  func contexts() throws {
    let driver = ContextDriver()
    _ = try driver.pair()
    _ = try driver.pair(ben, cho)
    let matched = try driver.matched([ann, ben, cho])
    var block = RecordBlock()
    (block.player, block.other, block.isBlocked, block.time) = (cho, ann, true, driver.clock)
    try driver.call(block, as: PlayerID(), kind: .service)
    try driver.deliverOwnEffects()

    try driver.eraseAnn()
    let others = try driver.get(matched, as: ben).players.map(\.player)
    #expect(Set(others) == [ben, cho])
    #expect(try driver.list(ben).contexts.allSatisfy { !$0.players.contains { $0.player == ann } })
    #expect(try driver.list(cho).contexts.count == 2)
    let listed = try driver.list(ben)
    try driver.restart()
    #expect(try driver.list(ben) == listed)
    #expect(driver.tables(with: ann).isEmpty)
    #expect(
      failure { _ = try driver.createPair(ben, with: ann) }?.code == .notReachable)
  }

  @Test("2.9 7.3 nothing of a block stays whose side is erased, whichever news come first")
  func lateBlocks() throws {
    let driver = ContextDriver()
    _ = try driver.pair()
    func block(_ player: PlayerID, _ other: PlayerID) throws {
      var block = RecordBlock()
      (block.player, block.other, block.isBlocked, block.time) = (player, other, true, driver.clock)
      try driver.call(block, as: PlayerID(), kind: .service)
      try driver.deliverOwnEffects()
    }
    func blockCounts() -> [Int] {
      [ContextBlockRow.tableID, BlockedByRow.tableID].map { driver.rows[$0]?.count ?? 0 }
    }
    let standIn = ContextDriver.standIn
    try block(standIn, cho)
    try block(ben, standIn)
    #expect(blockCounts() == [2, 2])
    try driver.eraseAnn()
    #expect(blockCounts() == [0, 0])
    try block(standIn, cho)
    try block(ben, standIn)
    #expect(blockCounts() == [0, 0])
  }

  @Test("7.3 a group goes to the next owner, or closes with its last player")
  func groups() throws {
    let world = GroupWorld()
    let shared = try world.group(ann, ben, cho)
    _ = try world.create(ann, inviting: [ben])
    let invited = try world.create(ben, inviting: [ann]).info.context
    try world.driver.eraseAnn()
    let info = try world.get(shared, ben)
    #expect(Set(info.players.map(\.player)) == [ben, cho])
    #expect(info.players.contains { $0.role == .owner })
    #expect(try world.get(invited, ben).players.map(\.player) == [ben])
    try world.driver.restart()
    #expect(try world.get(shared, ben) == info)
  }

  @Test("7.3 an erased player's seat in a running match is given up, and the match goes on")
  func match() throws {
    let driver = ContextDriver()
    let context = try driver.matched([ann, ben, cho])
    for (player, session) in [(ann, 1), (ben, 2), (cho, 3)] as [(PlayerID, UInt64)] {
      try driver.join(context, as: player, session: session, seat: session)
    }
    try driver.eraseAnn()
    let match = driver.core.matches.table[context]
    #expect(match?.seats.map(\.player).contains(ann) == false)
    #expect(match?.seat(of: ben)?.state == .joined && match?.isEnded == false)
    #expect(driver.core.matches.live.seatCounts[ann] == nil)
    #expect(try driver.join(context, as: ben, session: 2, seat: 2).number > 0)
  }

  @Test("7.3 a ticket of an erased player is dropped, and those who came with her are told")
  func tickets() throws {
    let world = QueueWorld()
    try world.find(ann)
    try world.find(cho, with: [ann])
    try world.find(ben)
    try world.driver.eraseAnn()
    #expect(try world.tickets(ben).map(\.state) == [.waiting])
    #expect(try world.tickets(cho).allSatisfy { $0.state != .waiting })
    var activity = QueueActivity()
    activity.playerGroup = "0"
    #expect(try world.driver.call(activity, as: ben).waitingPlayers == 1)
    try world.driver.restart()
    #expect(try world.driver.call(activity, as: ben).waitingPlayers == 1)
  }

  @Test("7.3 a turn-based game goes on without the erased player, whose moves stay the game's")
  func turns() throws {
    let world = try TurnWorld([ann, ben, cho])
    try world.start()
    _ = try world.move(ann, "e4")
    try world.driver.eraseAnn()
    let view = try world.read(ben)
    #expect(!view.info.seats.contains { $0.player == ann })
    let moves = try world.moves(ben)
    #expect(moves.contains { String(decoding: $0.payload.array, as: UTF8.self) == "e4" })
  }
}
