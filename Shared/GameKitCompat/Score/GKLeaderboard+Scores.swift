internal import MusterKit

/// How older games load scores.
extension GKLeaderboard {
  /// The name of `identifier` in the oldest games.
  public var category: String? {
    get { identifier }
    set { identifier = newValue }
  }

  /// Makes a query of the scores of the players with these ids; nil when one is no player's id.
  public convenience init?(playerIDs: [String]?) {
    guard let playerIDs else { return nil }
    let players = playerIDs.compactMap(GKPlayer.init(id:))
    guard players.count == playerIDs.count else { return nil }
    self.init(players: players)
  }

  /// Loads the entries that the properties ask for, in the order of the board.
  public func loadScores(
    completionHandler: (@MainActor ([GKScore]?, (any Error)?) -> Void)? = nil
  ) {
    let load = scoreLoad()
    complete(completionHandler) { () async throws(GKError) in try await load() }
  }

  public func loadScores() async throws -> [GKScore] { try await scoreLoad()() }

  /// The properties count as they are now, also when the load begins a moment later.
  private func scoreLoad() -> @MainActor () async throws(GKError) -> [GKScore] {
    let query =
      players.map { RankingQuery(baseLeaderboardID, among: $0) }
      ?? RankingQuery(baseLeaderboardID, playerScope, range)
    let timeScope = timeScope
    loads += 1
    return { () async throws(GKError) in
      defer { self.loads -= 1 }
      let ranking = try await self.load(query, timeScope)
      let scores = ranking.scores
      self.scores = scores
      self.localPlayerScore = ranking.localScore
      self.maxRange = ranking.total
      return scores
    }
  }
}

extension GKPlayer {
  /// Makes a player whose name was not loaded; nil when the text is no player's id.
  convenience init?(id text: String) {
    guard let id = PlayerID(text) else { return nil }
    self.init(id, displayName: "")
  }
}
