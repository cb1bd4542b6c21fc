internal import MusterKit

extension GKAchievement {
  /// Finds the players who can still earn the achievement, so that they can be challenged to. When
  /// the server could not answer for some players, the handler gets the other players and the
  /// error.
  ///
  /// - Parameters:
  ///   - playerIDs: the players to ask about; nil asks about all friends.
  ///   - completionHandler: gets the players, and the error if not all could be asked about.
  public func selectChallengeablePlayerIDs(
    _ playerIDs: [String]?,
    withCompletionHandler completionHandler: (@MainActor ([String]?, (any Error)?) -> Void)? = nil
  ) {
    select(playerIDs?.compactMap { PlayerID($0) }) { found, error in
      completionHandler?(found?.map(\.description), error)
    }
  }

  /// Finds those players; throws also when the server could not answer for some.
  public func selectChallengeablePlayerIDs(_ playerIDs: [String]?) async throws -> [String] {
    try await allChallengeable(playerIDs?.compactMap { PlayerID($0) }).map(\.description)
  }

  /// Does the same for loaded players.
  public func selectChallengeablePlayers(
    _ players: [GKPlayer],
    withCompletionHandler completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)? = nil
  ) {
    select(players.map(\.identifier)) { found, error in
      completionHandler?(
        found.map { found in players.filter { found.contains($0.identifier) } }, error)
    }
  }

  /// Finds those players; throws also when the server could not answer for some.
  public func selectChallengeablePlayers(_ players: [GKPlayer]) async throws -> [GKPlayer] {
    let found = try await allChallengeable(players.map(\.identifier))
    return players.filter { found.contains($0.identifier) }
  }

  private func select(
    _ players: [PlayerID]?, _ handler: @escaping @MainActor ([PlayerID]?, (any Error)?) -> Void
  ) {
    let achievement = identifier
    Task {
      do throws(GKError) {
        let client = try GameKit.signedInClient()
        let found = try await client.challengeable(achievement, among: players)
        handler(found.players, found.error.map { GKError($0) })
      } catch {
        handler(nil, error)
      }
    }
  }

  private func allChallengeable(_ players: [PlayerID]?) async throws(GKError) -> [PlayerID] {
    let client = try GameKit.signedInClient()
    let found = try await client.challengeable(identifier, among: players)
    if let error = found.error { throw GKError(error) }
    return found.players
  }
}

extension GameKitClient {
  fileprivate func challengeable(_ achievement: String, among players: [PlayerID]?)
    async throws(GKError) -> ChallengeablePlayers
  {
    do throws(MusterError) {
      return try await challengeablePlayers(toEarn: achievement, among: players)
    } catch {
      throw GKError(error)
    }
  }
}
