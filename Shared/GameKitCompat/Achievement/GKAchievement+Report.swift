internal import Foundation
internal import MusterKit

extension GKAchievement {
  /// Reports this progress; at 100 it completes the achievement.
  public func report(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    Self.report([self], withCompletionHandler: completionHandler)
  }

  public func report() async throws { try await Self.report([self]) }

  /// Reports all achievements, or none when one of them is at fault. They may complete any open
  /// challenge.
  public static func report(
    _ achievements: [GKAchievement],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    Report(achievements).start(completionHandler)
  }

  public static func report(_ achievements: [GKAchievement]) async throws {
    try await Report(achievements).run()
  }

  /// Reports all achievements, or none when one of them is at fault. They may complete only the
  /// named challenges.
  public static func report(
    _ achievements: [GKAchievement], withEligibleChallenges challenges: [GKChallenge],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    Report(achievements).completing(challenges).start(completionHandler)
  }

  public static func report(
    _ achievements: [GKAchievement], withEligibleChallenges challenges: [GKChallenge]
  ) async throws {
    try await Report(achievements).completing(challenges).run()
  }

  /// What is reported: the progress as it was when the game has called.
  @MainActor
  private struct Report {
    private let achievements: [GKAchievement]
    private let isOwn: Bool
    private var operation = ReportAchievements()

    init(_ achievements: [GKAchievement]) {
      self.achievements = achievements
      isOwn = achievements.allSatisfy { $0.player == GKLocalPlayer.local }
      operation.reports = achievements.map(\.progress)
    }

    func completing(_ challenges: [GKChallenge]) -> Report {
      var report = self
      let names = Set(operation.reports.map(\.achievement))
      report.operation.eligibility = .listed
      report.operation.eligibleChallenges = challenges.map(\.challenge)
        .filter { names.contains($0.achievement) }.map(\.id)
      return report
    }

    func start(_ completionHandler: (@MainActor ((any Error)?) -> Void)?) {
      complete(completionHandler) { () async throws(GKError) in try await run() }
    }

    func run() async throws(GKError) {
      let client = try GameKit.signedInClient()
      if let fault = operation.fault { throw GKError(fault) }
      guard isOwn else {
        throw GKError(.notAllowed, argument: "player", "Players report their own progress only.")
      }
      try await OngoingCalls.reports.run { () async throws(GKError) in
        let taken = try await client.call(operation).achievements
        for (achievement, progress) in zip(achievements, taken) {
          achievement.lastReportedDate = Date(milliseconds: progress.lastReportedDate)
        }
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
