internal import MusterKit

extension GKScore {
  /// Challenges friends to meet this score, with its `context`; one whose `value` was never set
  /// stands for the local player's entry on the board. Report the score first: one that is better
  /// than the entry is an error. Call this only when the player has asked for it.
  ///
  /// On a board of sums the friends' sums have to meet the local player's sum, of which this
  /// attempt is a part, or the value of a score that was loaded.
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
    let target = target
    complete(completionHandler) { () async throws(GKError) in
      try await target.issue(to: playerIDs ?? [], message: message ?? "")
    }
  }

  var target: ScoreTarget {
    ScoreTarget(
      board: leaderboardIdentifier, value: setValue, tag: context, isAttempt: !isLoaded)
  }
}

/// The score that a challenge asks for.
struct ScoreTarget {
  var board: String
  /// Nil for the local player's entry.
  var value: Int64?
  var tag: UInt64
  var isAttempt: Bool

  /// Returns why players got no challenge, by their ids.
  func issue(to playerIDs: [String], message: String)
    async throws(GKError) -> [String: any Error]
  {
    let client = try await GameKit.signedInClient()
    var refusals: [String: any Error] = [:]
    var operation = IssueScoreChallenge()
    (operation.board, operation.message) = (board, message)
    (operation.value, operation.scoreTag) = (value, value == nil ? 0 : tag)
    operation.isAttempt = value != nil && isAttempt
    for text in playerIDs {
      if let player = PlayerID(text) {
        operation.receivers.append(player)
      } else {
        refusals[text] = GKError(.notReachable, argument: "receivers", "No such player.")
      }
    }
    if operation.receivers.isEmpty && !refusals.isEmpty { return refusals }
    if let fault = operation.fault { throw GKError(fault) }
    for outcome in try await client.call(operation).outcomes where outcome.challenge == nil {
      refusals[outcome.receiver.description] = GKError(outcome.refusal)
    }
    return refusals
  }
}
