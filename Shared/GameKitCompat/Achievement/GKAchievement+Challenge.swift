internal import MusterKit

extension GKAchievement {
  /// Those of the players who can still earn the achievement and be challenged to. When some could not
  /// be asked, the handler gets both the others and the error.
  ///
  /// - Parameter playerIDs: nil asks about all friends.
  public func selectChallengeablePlayerIDs(
    _ playerIDs: [String]?,
    withCompletionHandler completionHandler: (@MainActor ([String]?, (any Error)?) -> Void)?
  ) {
    select(playerIDs?.compactMap { PlayerID($0) }) { found, error in
      completionHandler?(found?.map(\.description), error)
    }
  }

  /// The same of players that were loaded.
  public func selectChallengeablePlayers(
    _ players: [GKPlayer],
    withCompletionHandler completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)?
  ) {
    select(players.map(\.identifier)) { found, error in
      completionHandler?(
        found.map { found in players.filter { found.contains($0.identifier) } }, error)
    }
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

  /// Challenges friends to earn this achievement, which the local player must have completed. Call it
  /// only when the player has said so.
  ///
  /// - Parameters:
  ///   - playerIDs: friends of the local player.
  ///   - message: what they read beside the challenge; the local player may have edited it.
  ///   - completionHandler: gets, by player id, why some got no challenge; empty when all got theirs.
  public func issueChallenge(
    toPlayers playerIDs: [String]?, message: String?,
    completionHandler: (@MainActor ([String: any Error]?, (any Error)?) -> Void)? = nil
  ) {
    let achievement = identifier
    complete(completionHandler) { () async throws(GKError) in
      try await Self.issue(achievement, to: playerIDs ?? [], message: message ?? "")
    }
  }

  private static func issue(_ achievement: String, to playerIDs: [String], message: String)
    async throws(GKError) -> [String: any Error]
  {
    let client = try GameKit.signedInClient()
    let receivers = playerIDs.compactMap { PlayerID($0) }
    var refusals: [String: any Error] = [:]
    for text in playerIDs where PlayerID(text) == nil {
      refusals[text] = GKError(.notReachable, argument: "receivers", "No such player.")
    }
    if receivers.isEmpty && !refusals.isEmpty { return refusals }
    let issued = try await client.issue(achievement, to: receivers, message: message)
    // Who has no outcome was not asked, for the reason that the error is.
    if let error = issued.error {
      for receiver in receivers { refusals[receiver.description] = GKError(error) }
    }
    for outcome in issued.outcomes {
      let isIssued = outcome.challenge != nil
      refusals[outcome.receiver.description] = isIssued ? nil : GKError(outcome.refusal)
    }
    return refusals
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

  fileprivate func issue(_ achievement: String, to receivers: [PlayerID], message: String)
    async throws(GKError) -> IssuedChallengeOutcomes
  {
    do throws(MusterError) {
      return try await issueChallenge(
        toEarn: achievement, receivers: receivers, message: message, lifetime: nil)
    } catch {
      throw GKError(error)
    }
  }
}
