import Domain
import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// What owners do with boards is in the audit; what players do with them is not.
struct AuditTests {
  @Test("declared boards and removed scores are written down, submitted scores are not")
  func ownersActions() throws {
    let world = World()
    try world.define()
    #expect(try world.define() == .unchanged)
    try world.submit(5, as: .sample(1))
    var remove = RemoveScore()
    remove.board = "board"
    remove.player = .sample(1)
    try world.driver.call(remove, as: PlayerID(), kind: .deploymentOperator)
    let rows = try (world.driver.rows[AuditRow.tableID] ?? [:]).values
      .map { try AuditRow(decoding: $0) }.sorted { $0.key < $1.key }
    #expect(rows.map(\.operation) == ["DefineLeaderboard", "RemoveScore"])
    #expect(rows.map(\.principal) == [.gameServer, .deploymentOperator])
    #expect(rows.allSatisfy { $0.subject == "board" && $0.game == "game" })
    #expect(try RemoveScore(decoding: rows[1].body.array) == remove)
  }
}
