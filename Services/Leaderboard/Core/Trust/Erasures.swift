import Domain
import Operations
import Wire

/// How the service's tables forget an erased player (rule 7.3): scores leave their rankings, so
/// that totals and ranks are those of who is left, and challenges end without a word. Past ranks
/// stay right: in a board's history the stand-in has the player's place.
struct Erasures: CorePart {
  let boards: Boards
  let openChallenges: OpenChallenges
  let lists: ChallengeLists
  let preferences: ChallengePreferences
  let budgets: ChallengeBudgets

  func register(_ tables: inout Tables) {
    registerRankings(&tables)
    registerAttempts(&tables)
    registerChallenges(&tables)
  }

  private func registerRankings(_ tables: inout Tables) {
    tables.erases(EntryRow.self) { (row, erasure, transaction) in
      erase(erasure.player, at: row.key.boardKey, &transaction)
      transaction.remove(EntryRow.self, row.key)
    }
    tables.erases(RankedEntryRow.self) { (row, erasure, transaction) in
      erase(erasure.player, at: row.key.boardKey, &transaction)
      transaction.remove(RankedEntryRow.self, row.key)
    }
    tables.erases(OccurrenceEntryRow.self) { (row, erasure, transaction) in
      erase(erasure.player, at: row.key.boardKey, &transaction)
      transaction.remove(OccurrenceEntryRow.self, row.key)
    }
    tables.erases(PlayerMarkRow.self) { (row, erasure, transaction) in
      boards[row.key.boardKey]?.extras?.marks[erasure.player] = nil
      transaction.remove(PlayerMarkRow.self, row.key)
    }
  }

  /// Takes the player out of all rankings of a board.
  private func erase(
    _ player: PlayerID, at key: RoutingKey, _ transaction: inout Transaction
  ) {
    guard let board = boards[key] else { return }
    let standings =
      (board.extras?.occurrences ?? []) + (board.extras?.formerOccurrences ?? [])
    for ranking in [board] + standings.map(\.board) where ranking.hasEntry(of: player) {
      ranking.removeFromSuccessor(player, &transaction)
      ranking.erase(player, &transaction)
    }
  }

  private func registerAttempts(_ tables: inout Tables) {
    tables.erases(AttemptRow.self) { (row, _, transaction) in
      transaction.remove(AttemptRow.self, row.key)
    }
    tables.erases(RecentAttemptRow.self) { (row, erasure, transaction) in
      let board = boards[row.key.boardKey]
      board?.extras?.windows?.void(
        row.key.arrival, of: erasure.player, row.key.boardKey, &transaction)
      transaction.remove(RecentAttemptRow.self, row.key)
    }
    tables.erases(TicketRow.self) { (row, _, transaction) in
      boards[row.key.boardKey]?.extras?.tickets.remove(row.key.ticket, &transaction)
    }
  }

  private func registerChallenges(_ tables: inout Tables) {
    tables.erases(OpenChallengeRow.self) { (row, _, transaction) in
      guard let board = boards[row.key.boardKey] else { return }
      let before = openChallenges.count(on: board)
      openChallenges.forget(row, board, &transaction)
      openChallenges.tellContext(of: board, before: before, &transaction)
    }
    tables.erases(PlayerChallengeRow.self) { (row, _, transaction) in
      lists.remove(row.challenge, of: row.key.player, in: row.game, &transaction)
    }
    tables.erases(CompletedChallengeRow.self) { (row, _, transaction) in
      transaction.remove(CompletedChallengeRow.self, row.key)
    }
    tables.erases(ChallengePreferenceRow.self) { (row, _, transaction) in
      preferences.forget(row, &transaction)
    }
    tables.erases(ChallengeBudgetRow.self) { (row, _, transaction) in
      budgets.forget(row.key, &transaction)
    }
  }
}

extension Board {
  fileprivate func hasEntry(of player: PlayerID) -> Bool {
    entry(of: player) != nil || successor?.entry(of: player) != nil
  }
}
