import Domain
import Operations
import TestKit
import Wire

@testable import LeaderboardCore

/// Ranking boards anew.
extension World {
  @discardableResult
  func reRank(
    _ board: String = "board", order: ScoreOrder? = nil, tieRule: ScoreTieRule? = nil,
    aggregation: ScoreAggregation? = nil, key: IdempotencyKey? = nil
  ) throws -> ReRankProgress? {
    var operation = ReRankLeaderboard()
    operation.board = board
    operation.sortOrder = order
    operation.tieRule = tieRule
    operation.aggregation = aggregation
    return try driver.call(
      operation, as: PlayerID(), kind: .deploymentOperator, idempotency: key
    ).reRank
  }

  func describe(_ board: String = "board") throws -> DescribeLeaderboard.Reply {
    var operation = DescribeLeaderboard()
    operation.board = board
    return try driver.call(operation, as: PlayerID(), kind: .gameServer)
  }

  /// One step of whatever re-rank is under way; false when none is.
  func stepReRank(isDoubled: Bool = false) throws -> Bool {
    try driver.deliverFirst(ContinueReRank.self, isDoubled: isDoubled)
  }

  /// Delivers what boards sent themselves before the next step of a re-rank. An outbox keeps the
  /// order, and a receiver takes what comes out of order for something that it has had.
  func deliverBeforeReRank() throws {
    let opcode = ContinueReRank.opcode.rawValue
    while driver.effects.contains(where: { $0.opcode == opcode }),
      driver.effects.first?.opcode != opcode
    {
      let failures = try driver.deliverOwnEffects(atMost: 1)
      precondition(failures.isEmpty, "an effect was refused: \(failures)")
    }
  }

  func endReRank() throws { while try stepReRank() {} }

  /// Makes steps small; to be called again after a restart.
  func setReRankStep(entries: Int, attempts: Int) {
    driver.core.reRanking.step = ReRankStep(
      entriesMax: entries, attemptsMax: attempts, piecesMax: 1)
    setWindowStep(attempts)
  }

  /// Makes the steps small in which windows move on; to be called again after a restart.
  func setWindowStep(_ attempts: Int) {
    for board in driver.core.boards.all { board.extras?.windows?.stepMax = attempts }
  }
}
