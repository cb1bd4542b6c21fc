internal import MusterKit

/// A part of a board's ranking with its players.
@MainActor
struct Ranking {
  let board: LoadedBoard
  let page: ScorePage
  let profiles: [PlayerID: Profile]

  var total: Int { Int(page.total) }
  var entries: [GKLeaderboard.Entry] { page.entries.map(entry) }
  var localEntry: GKLeaderboard.Entry? { page.localEntry.map(entry) }
  var scores: [GKScore] { page.entries.map(score) }
  var localScore: GKScore? { page.localEntry.map(score) }

  private func entry(_ entry: LeaderboardEntry) -> GKLeaderboard.Entry {
    GKLeaderboard.Entry(entry, board, player(entry.player))
  }

  private func score(_ entry: LeaderboardEntry) -> GKScore {
    GKScore(entry, board, player(entry.player))
  }

  /// A player who cannot be reached has no name.
  private func player(_ id: PlayerID) -> GKPlayer {
    profiles[id].map { GKPlayer($0) } ?? GKPlayer(id, displayName: "")
  }
}
