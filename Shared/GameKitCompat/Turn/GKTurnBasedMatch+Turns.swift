public import Foundation
internal import MusterKit

extension GKTurnBasedMatch {
  /// Ends the local player's turn.
  ///
  /// - Parameters:
  ///   - nextParticipants: who gets the turn, and who after that if one lets the time pass; nobody
  ///     for the order of play.
  ///   - timeout: changes nothing: the match's starter has chosen the time of all its turns.
  ///   - matchData: the state after the turn.
  ///   - completionHandler: gets why the turn has not ended; nil when it has.
  public func endTurn(
    withNextParticipants nextParticipants: [GKTurnBasedParticipant],
    turnTimeout timeout: TimeInterval, match matchData: Data,
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    var operation = MakeMove()
    (operation.context, operation.number) = (info.context, info.number)
    operation.version = info.version
    operation.payload = Bytes(Array((message ?? "").utf8))
    operation.state = Bytes(Array(matchData))
    operation.next = players(of: nextParticipants)
    perform(operation, operation.fault, state: matchData, completionHandler)
  }

  public func endTurn(
    withNextParticipants nextParticipants: [GKTurnBasedParticipant],
    turnTimeout timeout: TimeInterval, match matchData: Data
  ) async throws {
    try await outcome {
      endTurn(
        withNextParticipants: nextParticipants, turnTimeout: timeout, match: matchData,
        completionHandler: $0)
    }
  }

  /// Changes the state without ending the turn.
  public func saveCurrentTurn(
    withMatch matchData: Data, completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    saveMergedMatch(matchData, withResolvedExchanges: [], completionHandler: completionHandler)
  }

  public func saveCurrentTurn(withMatch matchData: Data) async throws {
    try await outcome { saveCurrentTurn(withMatch: matchData, completionHandler: $0) }
  }

  /// Changes the state without ending the turn; the exchanges whose results are in it are over.
  public func saveMergedMatch(
    _ matchData: Data, withResolvedExchanges exchanges: [GKTurnBasedExchange],
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    var operation = SaveTurnState()
    (operation.context, operation.number) = (info.context, info.number)
    operation.version = info.version
    operation.state = Bytes(Array(matchData))
    operation.resolved = exchanges.map(\.exchange.id)
    perform(operation, operation.fault, state: matchData) { error in
      if error == nil {
        for exchange in exchanges { exchange.status = .resolved }
        self.exchanges?.removeAll { $0.status == .resolved }
      }
      completionHandler?(error)
    }
  }

  public func saveMergedMatch(
    _ matchData: Data, withResolvedExchanges exchanges: [GKTurnBasedExchange]
  ) async throws {
    try await outcome {
      saveMergedMatch(matchData, withResolvedExchanges: exchanges, completionHandler: $0)
    }
  }

  // MARK: The end

  /// Ends the match for all. Each participant who is still in it has a `matchOutcome` before.
  public func endMatchInTurn(
    withMatch matchData: Data, completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    var operation = EndTurnGame()
    (operation.context, operation.number) = (info.context, info.number)
    operation.version = info.version
    operation.payload = Bytes(Array((message ?? "").utf8))
    operation.state = Bytes(Array(matchData))
    operation.outcomes = givenOutcomes.filter { given in
      let status = participant(of: given.player)?.status
      return status == .active || status == .invited
    }
    perform(operation, operation.fault, state: matchData, completionHandler)
  }

  public func endMatchInTurn(withMatch matchData: Data) async throws {
    try await outcome { endMatchInTurn(withMatch: matchData, completionHandler: $0) }
  }

  private var givenOutcomes: [TurnSeatOutcome] {
    participants.compactMap { participant in
      guard let player = participant.player, participant.matchOutcome != .none else { return nil }
      var given = TurnSeatOutcome()
      (given.player, given.outcome) = (player.identifier, participant.matchOutcome.turnOutcome)
      return given
    }
  }

  /// Ends the match, and then reports scores and achievements of the local player. Nobody reports
  /// those of others: with one of them nothing is done. A match that has ended with this state and
  /// these outcomes is not ended again, so that a call whose report has failed can be repeated.
  public func endMatchInTurn(
    withMatch matchData: Data, scores: [GKScore]?, achievements: [GKAchievement]?,
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    let players = (scores ?? []).map(\.player) + (achievements ?? []).map(\.player)
    guard players.allSatisfy({ $0 == GKLocalPlayer.local }) else {
      complete(completionHandler) { () async throws(GKError) in
        throw GKError(.notAllowed, argument: "player", "Players report their own results only.")
      }
      return
    }
    end(withMatch: matchData, completionHandler) {
      guard let scores, !scores.isEmpty else {
        return Self.earn(achievements, completionHandler)
      }
      GKScore.report(scores) { error in
        if let error {
          completionHandler?(error)
        } else {
          Self.earn(achievements, completionHandler)
        }
      }
    }
  }

  /// Ends the match, unless it has ended like that, and then goes on with the reports.
  private func end(
    withMatch matchData: Data, _ completionHandler: (@MainActor ((any Error)?) -> Void)?,
    thenReport report: @escaping @MainActor () -> Void
  ) {
    let outcomes = givenOutcomes
    if hasEnded(with: matchData, outcomes) { return report() }
    endMatchInTurn(withMatch: matchData) { error in
      // The reply to an earlier call may have been lost: the match is up to date after a refusal.
      if let error, !self.hasEnded(with: matchData, outcomes) {
        completionHandler?(error)
      } else {
        report()
      }
    }
  }

  private func hasEnded(with matchData: Data, _ outcomes: [TurnSeatOutcome]) -> Bool {
    status == .ended && self.matchData == matchData
      && outcomes.allSatisfy { given in
        info.seats.contains { $0.player == given.player && $0.outcome == given.outcome }
      }
  }

  private static func earn(
    _ achievements: [GKAchievement]?, _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    guard let achievements, !achievements.isEmpty else {
      completionHandler?(nil)
      return
    }
    GKAchievement.report(achievements, withCompletionHandler: completionHandler)
  }

  public func endMatchInTurn(
    withMatch matchData: Data, scores: [GKScore]?, achievements: [GKAchievement]?
  ) async throws {
    try await outcome {
      endMatchInTurn(
        withMatch: matchData, scores: scores, achievements: achievements, completionHandler: $0)
    }
  }

  /// The same with the scores of today.
  public func endMatchInTurn(
    withMatch matchData: Data, leaderboardScores: [GKLeaderboardScore],
    achievements: [GKAchievement],
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    endMatchInTurn(
      withMatch: matchData, scores: leaderboardScores.map(GKScore.init),
      achievements: achievements, completionHandler: completionHandler)
  }

  public func endMatchInTurn(
    withMatch matchData: Data, leaderboardScores: [GKLeaderboardScore],
    achievements: [GKAchievement]
  ) async throws {
    try await outcome {
      endMatchInTurn(
        withMatch: matchData, leaderboardScores: leaderboardScores, achievements: achievements,
        completionHandler: $0)
    }
  }

  // MARK: Leaving

  /// Leaves the match in the local player's turn: changes the state and passes the turn on, in one
  /// step. Who has left already has left.
  public func participantQuitInTurn(
    with matchOutcome: Outcome, nextParticipants: [GKTurnBasedParticipant],
    turnTimeout timeout: TimeInterval, match matchData: Data,
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    quit(matchOutcome, players(of: nextParticipants), state: matchData, completionHandler)
  }

  public func participantQuitInTurn(
    with matchOutcome: Outcome, nextParticipants: [GKTurnBasedParticipant],
    turnTimeout timeout: TimeInterval, match matchData: Data
  ) async throws {
    try await outcome {
      participantQuitInTurn(
        with: matchOutcome, nextParticipants: nextParticipants, turnTimeout: timeout,
        match: matchData, completionHandler: $0)
    }
  }

  /// Leaves the match out of turn.
  public func participantQuitOutOfTurn(
    with matchOutcome: Outcome,
    withCompletionHandler completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    quit(matchOutcome, [], state: nil, completionHandler)
  }

  public func participantQuitOutOfTurn(with matchOutcome: Outcome) async throws {
    try await outcome { participantQuitOutOfTurn(with: matchOutcome, withCompletionHandler: $0) }
  }

  private func quit(
    _ matchOutcome: Outcome, _ next: [PlayerID], state: Data?,
    _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    var operation = QuitTurnGame()
    (operation.context, operation.number) = (info.context, info.number)
    (operation.outcome, operation.next) = (matchOutcome.turnOutcome, next)
    operation.version = info.version
    operation.state = state.map { Bytes(Array($0)) }
    perform(operation, operation.fault, state: state, completionHandler)
  }
}
