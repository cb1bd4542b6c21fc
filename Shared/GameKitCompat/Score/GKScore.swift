public import Foundation
internal import MusterKit

/// An attempt to report, or a loaded entry of a player.
@preconcurrency @MainActor
public final class GKScore {
  public var leaderboardIdentifier: String
  /// The player whose entry it is; the local player for a score to report. It is never nil: GameKit
  /// has it as an optional, and games that unwrap it compile here as well.
  public let player: GKPlayer!
  /// The rank within the loaded scope, from 1; 0 for a score that was not loaded.
  public let rank: Int
  /// The date by the server's clock; for a score that was not loaded, when it was made.
  public let date: Date
  /// A number of the game's own, which is kept with the score. It has GameKit's name here;
  /// elsewhere in Muster it is the score's tag, and "context" means a gaming context.
  public var context: UInt64 = 0
  public var value: Int64 {
    get { setValue ?? 0 }
    set { setValue = newValue }
  }
  /// It does nothing: Muster keeps no default board.
  public var shouldSetDefaultLeaderboard = false
  private(set) var setValue: Int64?
  /// Whether it stands for an entry, or for what a challenge asks for, and not for an attempt.
  let isLoaded: Bool
  private let format: ScoreFormat?

  /// Makes a score to report. Only the local player's can be reported.
  public init(leaderboardIdentifier: String, player: GKPlayer) {
    self.leaderboardIdentifier = leaderboardIdentifier
    self.player = player
    (rank, date) = (0, Date())
    (isLoaded, format) = (false, nil)
  }

  public convenience init(leaderboardIdentifier: String) {
    self.init(leaderboardIdentifier: leaderboardIdentifier, player: GKLocalPlayer.local)
  }

  init(_ entry: LeaderboardEntry, _ board: LoadedBoard, _ player: GKPlayer) {
    leaderboardIdentifier = board.definition.board
    self.player = player
    rank = Int(entry.rank)
    date = Date(milliseconds: entry.date)
    context = entry.scoreTag
    setValue = entry.value
    (isLoaded, format) = (true, board.definition.format)
  }

  init(target challenge: Challenge, issuer: GKPlayer) {
    leaderboardIdentifier = challenge.board
    player = issuer
    rank = 0
    date = Date(milliseconds: challenge.issueDate)
    context = challenge.scoreTag
    setValue = challenge.value
    (isLoaded, format) = (true, nil)
  }

  /// The value as the board's format shows it, the same in every language; nil for a score that was
  /// not loaded from a board.
  public var formattedValue: String? { format.map { $0.text(value) } }
}

extension Date {
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
