/// What older games call things.
extension GKScore {
  /// Makes a score whose board is set later.
  public convenience init() { self.init(leaderboardIdentifier: "") }

  public convenience init(category: String?) { self.init(leaderboardIdentifier: category ?? "") }

  /// Makes a score of the player with this id; nil when it is no player's.
  public convenience init?(leaderboardIdentifier: String, forPlayer playerID: String) {
    guard let player = GKPlayer(id: playerID) else { return nil }
    self.init(leaderboardIdentifier: leaderboardIdentifier, player: player)
  }

  public var category: String! {
    get { leaderboardIdentifier }
    set { leaderboardIdentifier = newValue ?? "" }
  }

  /// The id of `player`.
  public var playerID: String! { player.playerID }

  public static func reportScores(
    _ scores: [GKScore],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    report(scores, withCompletionHandler: completionHandler)
  }

  public static func reportScores(
    _ scores: [GKScore], withEligibleChallenges challenges: [GKChallenge],
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    report(
      scores, withEligibleChallenges: challenges, withCompletionHandler: completionHandler)
  }

  public func reportScoreWithCompletionHandler(
    _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    report(completionHandler: completionHandler)
  }
}
