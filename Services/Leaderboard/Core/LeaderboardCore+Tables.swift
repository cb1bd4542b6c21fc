public import Domain
import Operations
import Wire

/// Every table, and what its rows become at the start.
extension LeaderboardCore {
  public func register(_ tables: inout Tables) {
    registerRankings(&tables)
    registerAttempts(&tables)
    registerTrust(&tables)
    registerHistory(&tables)
    registerChallenges(&tables)
    registerGames(&tables)
  }

  private func registerRankings(_ tables: inout Tables) {
    tables.resident(BoardRow.self, about: .nobody) { self.board(at: $0.key).row = $0 }
    // Rows mostly come board by board.
    var last: Board?
    tables.resident(EntryRow.self) { row in
      if last?.key != row.key.boardKey { last = self.board(at: row.key.boardKey) }
      last?.load(row.entry(of: row.key.player))
    }
    tables.resident(RankedEntryRow.self) { self.board(at: $0.key.boardKey).load($0) }
    tables.resident(ReRankRow.self, about: .nobody) { self.board(at: $0.key).kept.reRank = $0 }
    tables.resident(OccurrenceRow.self, about: .nobody) {
      self.board(at: $0.key.boardKey).load($0)
    }
    tables.resident(OccurrenceEntryRow.self) { self.board(at: $0.key.boardKey).load($0) }
  }

  private func registerAttempts(_ tables: inout Tables) {
    tables.cold(AttemptRow.self)
    tables.resident(ArrivalRow.self, about: .nobody) {
      self.board(at: $0.key).kept.reservedThrough = $0.reservedThrough
    }
    tables.resident(RecentAttemptRow.self) { row in
      let board = self.board(at: row.key.boardKey)
      let windows = board.kept.windows ?? ScoreWindows(of: board)
      board.kept.windows = windows
      board.skipArrivals(through: row.key.arrival)
      windows.load(row)
    }
  }

  private func registerTrust(_ tables: inout Tables) {
    tables.resident(PlayerMarkRow.self) { row in
      let board = self.board(at: row.key.boardKey)
      board.skipArrivals(through: max(row.countsAfter, row.hiddenThrough))
      board.kept.marks[row.key.player] = row
    }
    tables.resident(TicketRow.self) { self.board(at: $0.key.boardKey).kept.tickets.load($0) }
  }

  private func registerHistory(_ tables: inout Tables) {
    tables.resident(HistoryRow.self, about: .nobody) {
      self.board(at: $0.key).kept.history = BoardHistory($0)
    }
    tables.cold(RankChangeRow.self)
    tables.cold(PastEntryRow.self)
    tables.cold(RankRunRow.self, about: .nobody)
  }

  private func registerChallenges(_ tables: inout Tables) {
    tables.resident(OpenChallengeRow.self) { self.board(at: $0.key.boardKey).load($0) }
    tables.cold(CompletedChallengeRow.self)
    tables.resident(PlayerChallengeRow.self) { row in
      let key = ChallengeListKey(player: row.key.player, game: row.game)
      self.challengeLists[key, default: ChallengeLists()].put(row.challenge, of: row.key.player)
    }
    tables.resident(ChallengePreferenceRow.self) { row in
      let key = ChallengeListKey(player: row.key.player, game: row.game)
      self.issuingBackSince[key] = row.issuingBackSince
    }
  }

  private func registerGames(_ tables: inout Tables) {
    tables.resident(AchievementRow.self, about: .nobody) {
      self.gameAchievements[$0.key.game, default: Declarations()].put($0)
    }
    tables.cold(ProgressRow.self)
    tables.resident(LeaderboardSetRow.self, about: .nobody) {
      self.gameSets[$0.key.game, default: Declarations()].put($0)
    }
    tables.resident(LeaderboardTitleRow.self, about: .nobody) {
      self.boardTitles[$0.key] = $0.title
    }
  }
}
