/// What became of challenges to several friends.
public struct IssuedChallengeOutcomes: Sendable {
  /// One for each receiver that was reached, in the order of the call.
  public var outcomes: [ChallengeOutcome] = []
  /// The first error that kept a receiver from being asked; the others got theirs all the same.
  public var error: MusterError?
}

/// Which friends can still earn an achievement.
public struct ChallengeablePlayers: Sendable {
  public var players: [PlayerID] = []
  /// Those who cannot be challenged, and why.
  public var refused: [ChallengeOutcome] = []
  /// The first error that kept a player from being asked: the result is then a partial one.
  public var error: MusterError?
}

extension MusterClient {
  /// Challenges friends to earn an achievement that the player has completed. Call it only when the
  /// player has said so, with the message as the player left it.
  ///
  /// - Parameters:
  ///   - achievement: its name.
  ///   - receivers: friends; one named twice counts once.
  ///   - message: what they read beside the challenge.
  ///   - lifetime: after how long it expires; nil is never.
  /// - Throws: when nobody could be challenged at all, such as for an achievement that the player has
  ///   not completed.
  public nonisolated func issueChallenge(
    toEarn achievement: String, receivers: [PlayerID], message: String = "",
    lifetime: Duration? = nil
  ) async throws(MusterError) -> IssuedChallengeOutcomes {
    let replies = try await ask(receivers) { receiver in
      var operation = IssueAchievementChallenge()
      operation.receiver = receiver
      operation.achievement = achievement
      operation.message = message
      operation.lifetimeMilliseconds = lifetime?.milliseconds ?? 0
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

  /// The friends who can still earn an achievement.
  ///
  /// - Parameters:
  ///   - achievement: its name.
  ///   - players: whom to ask about; nil asks about all friends.
  /// - Throws: when nobody could be asked.
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

  /// Makes one call for each player, all at once, and gives the results in the players' order.
  private nonisolated func ask<O: Operation>(
    _ players: [PlayerID], _ operation: @Sendable (PlayerID) -> O
  ) async throws(MusterError) -> [(PlayerID, Result<O.Reply, MusterError>)] {
    var seen: Set<PlayerID> = []
    let distinct = players.filter { seen.insert($0).inserted }
    guard !distinct.isEmpty else {
      throw MusterError(.requiredArgument, argument: "receivers", "Nobody is named.")
    }
    return await withTaskGroup { group in
      for (place, player) in distinct.enumerated() {
        let call = operation(player)
        group.addTask {
          // Awaited before the tuple is made: optimized, Swift 6.3 loses what of a returned tuple
          // was known before the suspension (swiftlang/swift pull request 91911).
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
    try await call(ListFriends()).friends.filter { $0.state == .friends }.map(\.player)
  }
}
