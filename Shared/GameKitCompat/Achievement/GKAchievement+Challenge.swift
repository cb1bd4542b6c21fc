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
    withCompletionHandler completionHandler: (@MainActor ([String]?, (any Error)?) -> Void)?
  ) {
    select(playerIDs?.compactMap { PlayerID($0) }) { found, error in
      completionHandler?(found?.map(\.description), error)
    }
  }

  /// Does the same for loaded players.
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

  /// Challenges friends to earn this achievement, which the local player must have completed. Call
  /// it only when the player has asked for it.
  ///
  /// - Parameters:
  ///   - playerIDs: friends of the local player.
  ///   - message: the text that the friends read beside the challenge; the local player may have
  ///     edited it.
  ///   - completionHandler: gets, for each player who got no challenge, the reason by the player's
  ///     id; it is empty when everybody got one.
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
    // A receiver without an outcome is one for whom the server did not answer. The error says why.
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
