public import Foundation
internal import MusterKit

/// The local player's progress towards an achievement, to be reported or as it was loaded.
@preconcurrency @MainActor
public final class GKAchievement {
  public var identifier: String
  /// The local player; for the achievement of a challenge, the player who issued it.
  public let player: GKPlayer
  /// From 0 to 100. The server keeps the highest that was reported.
  public var percentComplete: Double = 0
  /// Whether the game should show a banner; the server only keeps it with the report.
  public var showsCompletionBanner = false
  /// When it was last reported, by the server's clock. Before it was loaded or reported, it is the
  /// time at which the object was made.
  public internal(set) var lastReportedDate = Date()

  public convenience init(identifier: String) {
    self.init(identifier: identifier, player: GKLocalPlayer.local)
  }

  /// Only progress of the local player can be reported.
  public init(identifier: String, player: GKPlayer) {
    self.identifier = identifier
    self.player = player
  }

  convenience init(_ progress: AchievementProgress) {
    self.init(identifier: progress.achievement)
    percentComplete = progress.percentComplete
    showsCompletionBanner = progress.showsCompletionBanner
    lastReportedDate = Date(milliseconds: progress.lastReportedDate)
  }

  public var isCompleted: Bool { percentComplete == 100 }
}
