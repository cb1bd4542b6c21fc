public import Foundation
internal import MusterKit

extension GKLeaderboard {
  /// A player's place in a ranking.
  @preconcurrency @MainActor
  public final class Entry {
    public let player: GKPlayer
    /// The rank within the loaded scope, from 1; 0 for the score of a challenge.
    public let rank: Int
    public let score: Int
    /// The score as the board's format shows it, the same in every language.
    public let formattedScore: String
    /// A number of the game's own, which came with the score.
    public let context: Int
    /// The date by the server's clock.
    public let date: Date
    let leaderboardID: String

    init(_ entry: LeaderboardEntry, _ board: LoadedBoard, _ player: GKPlayer) {
      self.player = player
      rank = Int(entry.rank)
      score = Int(entry.value)
      formattedScore = board.definition.format.text(entry.value)
      context = Int(truncatingIfNeeded: entry.scoreTag)
      date = Date(milliseconds: entry.date)
      leaderboardID = board.definition.board
    }

    /// The score that a challenge asks for. A challenge does not say how its board shows scores, so
    /// the text is that of a whole number.
    init(target challenge: Challenge, issuer: GKPlayer) {
      player = issuer
      rank = 0
      score = Int(challenge.value)
      formattedScore = ScoreFormat.integer.text(challenge.value)
      context = Int(truncatingIfNeeded: challenge.scoreTag)
      date = Date(milliseconds: challenge.issueDate)
      leaderboardID = challenge.board
    }
  }
}

/// The name that GameKit's headers have for `GKLeaderboard.Entry`.
public typealias GKLeaderboardEntry = GKLeaderboard.Entry
