import Operations
import TestKit
import Testing
import Wire

@testable import Domain
@testable import RequestCore

/// An operator erases whom the request service does not know: others may keep something of the
/// player (rule 7.3).
@Suite struct UnknownErasureTests {
  private let world = World()

  private func erase(_ player: PlayerID) throws {
    try world.driver.call(ErasePlayer(player), as: PlayerID(), kind: .deploymentOperator)
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
    try erase(player)
    let told = try settle()
    #expect(told.count == Slot.count && told.allSatisfy { $0.player == player })
    #expect(!isNamed(player), "the audit has a stand-in")
    // Again, it answers the same, also after a start.
    for _ in 1...2 {
      try erase(player)
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
