internal import MusterKit

extension GKAchievement {
  /// Challenges friends to earn this achievement, which the local player must have completed: as
  /// soon as reports that are under way have been answered. Call it only when the player has asked
  /// for it.
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

  static func issue(_ achievement: String, to playerIDs: [String], message: String)
    async throws(GKError) -> [String: any Error]
  {
    let client = try GameKit.signedInClient()
    let receivers = playerIDs.compactMap { PlayerID($0) }
    var refusals: [String: any Error] = [:]
    for text in playerIDs where PlayerID(text) == nil {
      refusals[text] = GKError(.notReachable, argument: "receivers", "No such player.")
    }
    if receivers.isEmpty && !refusals.isEmpty { return refusals }
    await OngoingCalls.reports.ended()
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
