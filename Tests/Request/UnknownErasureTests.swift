import Operations
import TestKit
import Testing
import Wire

@testable import Domain
@testable import RequestCore

/// An operator erases whom the request service does not know, if that is the wish: others may keep
/// something of the player (rule 7.3).
@Suite struct UnknownErasureTests {
  private let world = World()

  private func erase(_ player: PlayerID, evenIfUnknown: Bool = true) throws {
    try world.driver.call(
      ErasePlayer(player, evenIfUnknown: evenIfUnknown), as: PlayerID(), kind: .deploymentOperator)
  }

  /// Lets the erasure come to its end, and returns what the boards were told of it.
  private func settle() throws -> [EraseLeaderboardRecords] {
    var told: [EraseLeaderboardRecords] = []
    for _ in 0..<8 {
      _ = try world.driver.takeEffects(EraseContextRecords.self)
      told += try world.driver.takeEffects(EraseLeaderboardRecords.self).map(\.operation)
      try world.driver.deliverOwnEffects()
      world.driver.runTimers()
      world.driver.clock += ErasureLimits.againMilliseconds
    }
    return told
  }

  private func isNamed(_ player: PlayerID) -> Bool {
    let trace = PlayerTrace(player)
    return world.driver.rows.values.contains { $0.values.contains(where: trace.isIn) }
  }

  private func expectErased(_ player: PlayerID) throws {
    let refusal = try failure { try erase(player, evenIfUnknown: false) }
    #expect(refusal?.code == .notFound && refusal?.argument == "player")
    #expect(try settle().isEmpty, "nothing is erased by a slip")
    try erase(player)
    let told = try settle()
    #expect(told.count == Slot.count && told.allSatisfy { $0.player == player })
    #expect(!isNamed(player), "the audit has a stand-in")
    // Again, it answers the same, also after a start.
    for evenIfUnknown in [true, false] {
      try erase(player, evenIfUnknown: evenIfUnknown)
      #expect(try settle().isEmpty && !isNamed(player))
      try world.restart()
    }
    #expect(world.driver.rows[ErasureRow.tableID]?.count == 1)
  }

  @Test("7.3 an account that was never used and is gone is erased at the boards all the same")
  func unused() throws {
    let anna = PlayerID.sample(1)
    try world.call(world.registration(anna), as: anna, game: "game", kind: .service)
    world.driver.pass(30 * World.day)
    #expect(!isNamed(anna))
    try expectErased(anna)
    #expect(
      try failure {
        try world.driver.call(world.registration(anna), as: anna, kind: .service)
      } != nil, "an erased id does not come back")
  }

  @Test("7.3 so is somebody who came after the backup that the store was put back to")
  func restored() throws { try expectErased(.sample(99)) }

  @Test("7.3 an id that is no player's is refused: its bytes are in rows about others")
  func degenerate() throws {
    var ids = [0, 1, 300, .max].map { PlayerID(high: 0, low: $0) }
    ids += [PlayerID(high: 1, low: 2), PlayerID(high: .max, low: .max), PlayerID(high: 7, low: 0)]
    ids += [PlayerID(high: 0x6161_6161_6161_6161, low: 0x6161_6161_6161_6161)]
    for player in ids {
      let refusal = try failure { try erase(player) }
      #expect(refusal?.code == (player.isNil ? .requiredArgument : .invalidArgument), "\(player)")
      #expect(refusal?.argument == "player")
    }
    #expect(try settle().isEmpty)
  }

  @Test("7.3 an erasure that is asked for twice at once is one")
  func twice() throws {
    try erase(.sample(99))
    try erase(.sample(99))
    let told = try settle()
    #expect(told.count == Slot.count && Set(told.map(\.standIn)).count == 1)
  }

  @Test("7.3 who takes an erased player's place is not erased in turn")
  func standIn() throws {
    try erase(.sample(99))
    let standIn = try #require(try settle().first).standIn
    try erase(standIn)
    #expect(try settle().isEmpty)
    #expect(world.driver.rows[ErasureRow.tableID]?.count == 1)
  }
}
