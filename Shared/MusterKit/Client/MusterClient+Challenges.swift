/// What became of challenges to several friends.
public struct IssuedChallengeOutcomes: Sendable {
  /// One outcome for each receiver for whom the server answered, in the order of the call.
  public var outcomes: [ChallengeOutcome] = []
  /// The error of the first call that failed; the other receivers were challenged all the same.
  public var error: MusterError?
}

/// Which friends can still earn an achievement.
public struct ChallengeablePlayers: Sendable {
  public var players: [PlayerID] = []
  /// The players who cannot be challenged, and why.
  public var refused: [ChallengeOutcome] = []
  /// The error of the first call that failed; some players are then missing from the result.
  public var error: MusterError?
}

extension MusterClient {
  /// Challenges friends to earn an achievement that the player has completed. Call it only when the
  /// player has asked for it, with the message as the player left it.
  ///
  /// - Parameters:
  ///   - achievement: the achievement's name.
  ///   - receivers: friends of the player; one named twice counts once.
  ///   - message: the text that the receivers read beside the challenge.
  ///   - lifetime: the time after which the challenge expires, positive and not below the
  ///     deployment's least; nil for the deployment's, by default none.
  /// - Throws: the error of the first call when no receiver could be challenged, for example
  ///   because the player has not completed the achievement.
  public nonisolated func issueChallenge(
    toEarn achievement: String, receivers: [PlayerID], message: String = "",
    lifetime: Duration? = nil
  ) async throws(MusterError) -> IssuedChallengeOutcomes {
    let replies = try await ask(receivers) { receiver in
      var operation = IssueAchievementChallenge()
      operation.receiver = receiver
      operation.achievement = achievement
      operation.message = message
      operation.lifetimeMilliseconds = lifetime?.milliseconds
      return operation
    }
    var issued = IssuedChallengeOutcomes()
    for (_, result) in replies {
      switch result {
      case .success(let reply): issued.outcomes.append(reply.outcome)
      case .failure(let error): issued.error = issued.error ?? error
      }
    }
    if issued.outcomes.isEmpty, let error = issued.error { throw error }
    return issued
  }

  /// Returns the friends who can still earn an achievement.
  ///
  /// - Parameters:
  ///   - achievement: the achievement's name.
  ///   - players: the players to ask about; nil asks about all friends.
  /// - Throws: the error of the first call when the server answered for no player.
  public nonisolated func challengeablePlayers(
    toEarn achievement: String, among players: [PlayerID]? = nil
  ) async throws(MusterError) -> ChallengeablePlayers {
    let asked: [PlayerID]
    if let players { asked = players } else { asked = try await allFriends() }
    if asked.isEmpty { return ChallengeablePlayers() }
    let replies = try await ask(asked) { player in
      var operation = CheckAchievementChallenge()
      operation.receiver = player
      operation.achievement = achievement
      return operation
    }
    var found = ChallengeablePlayers()
    for (player, result) in replies {
      switch result {
      case .success(let reply) where reply.refusal == .none: found.players.append(player)
      case .success(let reply):
        var outcome = ChallengeOutcome()
        outcome.receiver = player
        outcome.refusal = reply.refusal
        found.refused.append(outcome)
      case .failure(let error): found.error = found.error ?? error
      }
    }
    if found.players.isEmpty && found.refused.isEmpty, let error = found.error { throw error }
    return found
  }

  /// Makes one call for each player, all at once, and returns the results in the players' order. It
  /// makes none when each is wrong whatever the server knows.
  private nonisolated func ask<O: Operation>(
    _ players: [PlayerID], _ operation: @Sendable (PlayerID) -> O
  ) async throws(MusterError) -> [(PlayerID, Result<O.Reply, MusterError>)] {
    var seen: Set<PlayerID> = []
    let distinct = players.filter { seen.insert($0).inserted }
    guard !distinct.isEmpty else {
      throw MusterError(.requiredArgument, argument: "receivers", "Nobody is named.")
    }
    let faults = distinct.compactMap { operation($0).fault }
    if let fault = faults.first, faults.count == distinct.count { throw MusterError(fault) }
    return await withTaskGroup { group in
      for (place, player) in distinct.enumerated() {
        let call = operation(player)
        group.addTask {
          // The call is awaited before the tuple is made: optimized code of Swift 6.3 loses the
          // part of a returned tuple that was known before the suspension (swiftlang/swift pull
          // request 91911).
          let result: Result<O.Reply, MusterError>
          do throws(MusterError) {
            result = .success(try await self.call(call))
          } catch {
            result = .failure(error)
          }
          return (place, result)
        }
      }
      var results: [Int: Result<O.Reply, MusterError>] = [:]
      for await (place, result) in group { results[place] = result }
      return distinct.enumerated().compactMap { place, player in
        results[place].map { (player, $0) }
      }
    }
  }

  private nonisolated func allFriends() async throws(MusterError) -> [PlayerID] {
    let list = try await ListFriends.all { (list) async throws(MusterError) in
      try await self.call(list)
    }
    return list.filter { $0.state == .friends }.map(\.player)
  }
}
