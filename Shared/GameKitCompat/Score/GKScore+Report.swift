internal import MusterKit

extension GKScore {
  /// Reports this attempt. A score whose `value` was never set is an error.
  public func report(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    Self.report([self], withCompletionHandler: completionHandler)
  }

  public func report() async throws { try await Self.report([self]) }

  /// Reports attempts in order, until one fails. They may complete any open challenge.
  public static func report(
    _ scores: [GKScore],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    Report(scores).start(completionHandler)
  }

  public static func report(_ scores: [GKScore]) async throws { try await Report(scores).run() }

  /// Reports attempts in order, until one fails. They may complete only the named challenges.
  public static func report(
    _ scores: [GKScore], withEligibleChallenges challenges: [GKChallenge],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    Report(scores).completing(challenges).start(completionHandler)
  }

  public static func report(_ scores: [GKScore], withEligibleChallenges challenges: [GKChallenge])
    async throws
  {
    try await Report(scores).completing(challenges).run()
  }

  /// Reports attempts in order, until one fails. They may complete only the named challenges.
  @_disfavoredOverload
  public static func report(
    _ scores: [GKLeaderboardScore], withEligibleChallenges challenges: [GKChallenge],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    Report(scores.map(GKScore.init)).completing(challenges).start(completionHandler)
  }

  @_disfavoredOverload
  public static func report(
    _ scores: [GKLeaderboardScore], withEligibleChallenges challenges: [GKChallenge]
  ) async throws {
    try await Report(scores.map(GKScore.init)).completing(challenges).run()
  }

  convenience init(_ score: GKLeaderboardScore) {
    self.init(leaderboardIdentifier: score.leaderboardID, player: score.player)
    value = Int64(score.value)
    context = UInt64(truncatingIfNeeded: score.context)
  }

  /// What is reported: the scores as they were when the game has called.
  @MainActor
  private struct Report {
    private var operations: [SubmitScore]
    private let players: [GKPlayer?]

    init(_ scores: [GKScore]) {
      players = scores.map(\.player)
      operations = scores.map { score in
        var operation = SubmitScore()
        operation.board = score.leaderboardIdentifier
        operation.value = score.setValue
        operation.scoreTag = score.context
        return operation
      }
    }

    func completing(_ challenges: [GKChallenge]) -> Report {
      var report = self
      for index in operations.indices {
        report.operations[index].eligibility = .listed
        report.operations[index].eligibleChallenges = challenges.map(\.challenge)
          .filter { $0.board == operations[index].board }.map(\.id)
      }
      return report
    }

    func start(_ completionHandler: (@MainActor ((any Error)?) -> Void)?) {
      complete(completionHandler) { () async throws(GKError) in try await run() }
    }

    func run() async throws(GKError) {
      try await GameKit.signedInClient().submit(operations, of: players)
    }
  }
}
