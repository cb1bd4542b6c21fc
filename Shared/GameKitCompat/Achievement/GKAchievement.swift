public import Foundation
internal import MusterKit

/// The local player's progress towards an achievement, to be reported or as it was loaded.
@preconcurrency @MainActor
public final class GKAchievement {
  public let identifier: String
  /// The local player; for the achievement of a challenge, the player who issued it.
  public let player: GKPlayer
  /// From 0 to 100. The server keeps the highest that was reported.
  public var percentComplete: Double = 0
  /// Whether the game should show a banner; the server only keeps it with the report.
  public var showsCompletionBanner = false
  /// When it was last reported, by the server's clock. Before it was loaded or reported, it is the
  /// time at which the object was made.
  public private(set) var lastReportedDate = Date()

  public convenience init(identifier: String) {
    self.init(identifier: identifier, player: GKLocalPlayer.local)
  }

  /// Only progress of the local player can be reported.
  public init(identifier: String, player: GKPlayer) {
    self.identifier = identifier
    self.player = player
  }

  private convenience init(_ progress: AchievementProgress) {
    self.init(identifier: progress.achievement)
    percentComplete = progress.percentComplete
    showsCompletionBanner = progress.showsCompletionBanner
    lastReportedDate = Date(milliseconds: progress.lastReportedDate)
  }

  public var isCompleted: Bool { percentComplete == 100 }

  /// Loads the achievements that the local player has reported, the last reported first.
  public static func loadAchievements(
    completionHandler: (@MainActor ([GKAchievement]?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      var loaded: [GKAchievement] = []
      var operation = ListAchievements()
      repeat {
        let page = try await client.call(operation)
        loaded += page.achievements.map { GKAchievement($0) }
        operation.cursor = page.cursor
      } while !operation.cursor.isEmpty
      return loaded
    }
  }

  /// Takes back everything that the local player has reported in this game. Completed challenges
  /// stay completed.
  public static func resetAchievements(
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in
      _ = try await GameKit.signedInClient().call(ResetAchievements())
    }
  }

  // MARK: Reports

  /// Reports this progress; at 100 it completes the achievement.
  public func report(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    Self.report([self], withCompletionHandler: completionHandler)
  }

  /// Reports all achievements, or none when one of them is at fault. They may complete any open
  /// challenge.
  public static func report(
    _ achievements: [GKAchievement],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    submit(achievements, ReportAchievements(), completionHandler)
  }

  /// Reports all achievements, or none when one of them is at fault. They may complete only the
  /// named challenges.
  public static func report(
    _ achievements: [GKAchievement], withEligibleChallenges challenges: [GKChallenge],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    let names = Set(achievements.map(\.identifier))
    var operation = ReportAchievements()
    operation.eligibility = .listed
    operation.eligibleChallenges = challenges.map(\.challenge)
      .filter { names.contains($0.achievement) }.map(\.id)
    submit(achievements, operation, completionHandler)
  }

  private static func submit(
    _ achievements: [GKAchievement], _ template: ReportAchievements,
    _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    var operation = template
    operation.reports = achievements.map(\.progress)
    let isOwn = achievements.allSatisfy { $0.player == GKLocalPlayer.local }
    complete(completionHandler) { [operation] () async throws(GKError) in
      let client = try GameKit.signedInClient()
      if let fault = operation.fault { throw GKError(fault) }
      guard isOwn else {
        throw GKError(.notAllowed, argument: "player", "Players report their own progress only.")
      }
      let taken = try await client.call(operation).achievements
      for (achievement, progress) in zip(achievements, taken) {
        achievement.lastReportedDate = Date(milliseconds: progress.lastReportedDate)
      }
    }
  }

  private var progress: AchievementReport {
    var report = AchievementReport()
    report.achievement = identifier
    report.percentComplete = percentComplete
    report.showsCompletionBanner = showsCompletionBanner
    return report
  }
}
