/// What older games call things.
extension GKAchievement {
  /// Makes an achievement whose identifier is set later.
  public convenience init() { self.init(identifier: "") }

  /// Makes an achievement of the player with this id; nil when it is no player's.
  public convenience init?(identifier: String?, forPlayer playerID: String) {
    guard let identifier, let player = GKPlayer(id: playerID) else { return nil }
    self.init(identifier: identifier, player: player)
  }

  /// The id of `player`.
  public var playerID: String! { player.playerID }

  public static func reportAchievements(
    _ achievements: [GKAchievement],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    report(achievements, withCompletionHandler: completionHandler)
  }

  public static func reportAchievements(
    _ achievements: [GKAchievement], withEligibleChallenges challenges: [GKChallenge],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    report(
      achievements, withEligibleChallenges: challenges, withCompletionHandler: completionHandler)
  }

  public func reportAchievementWithCompletionHandler(
    _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    report(completionHandler: completionHandler)
  }

  public static func resetAchievementsWithCompletionHandler(
    _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    resetAchievements(completionHandler: completionHandler)
  }

  public static func loadAchievementsWithCompletionHandler(
    _ completionHandler: (@MainActor ([GKAchievement]?, (any Error)?) -> Void)?
  ) {
    loadAchievements(completionHandler: completionHandler)
  }
}
