public import Foundation
internal import MusterKit

extension GKTurnBasedMatch {
  /// Ends the local player's turn.
  ///
  /// - Parameters:
  ///   - nextParticipants: who gets the turn, and who after that if one lets the time pass; nobody
  ///     for the order of play.
  ///   - timeout: not looked at: see the class.
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
    operation.outcomes = participants.compactMap { participant in
      guard participant.status == .active || participant.status == .invited,
        let player = participant.player, participant.matchOutcome != .none
      else { return nil }
      var given = TurnSeatOutcome()
      (given.player, given.outcome) = (player.identifier, participant.matchOutcome.turnOutcome)
      return given
    }
    perform(operation, operation.fault, state: matchData, completionHandler)
  }

  public func endMatchInTurn(withMatch matchData: Data) async throws {
    try await outcome { endMatchInTurn(withMatch: matchData, completionHandler: $0) }
  }

  /// Ends the match, and then reports scores and achievements of the local player. Nobody reports
  /// those of others: with one of them nothing is done.
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
    endMatchInTurn(withMatch: matchData) { error in
      if let error { completionHandler?(error) } else { report() }
    }
    func report() {
      guard let scores, !scores.isEmpty else { return earn() }
      GKScore.report(scores) { error in
        if let error { completionHandler?(error) } else { earn() }
      }
    }
    func earn() {
      guard let achievements, !achievements.isEmpty else {
        completionHandler?(nil)
        return
      }
      GKAchievement.report(achievements, withCompletionHandler: completionHandler)
    }
  }

  public func endMatchInTurn(
    withMatch matchData: Data, scores: [GKScore]?, achievements: [GKAchievement]?
  ) async throws {
    try await outcome {
      endMatchInTurn(
        withMatch: matchData, scores: scores, achievements: achievements, completionHandler: $0)
    }
  }

  // MARK: Leaving

  /// Leaves the match in the local player's turn: saves the state, and then passes the turn on.
  public func participantQuitInTurn(
    with matchOutcome: Outcome, nextParticipants: [GKTurnBasedParticipant],
    turnTimeout timeout: TimeInterval, match matchData: Data,
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    saveCurrentTurn(withMatch: matchData) { error in
      if let error { completionHandler?(error) } else { quit() }
    }
    func quit() { self.quit(matchOutcome, players(of: nextParticipants), completionHandler) }
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
    quit(matchOutcome, [], completionHandler)
  }

  public func participantQuitOutOfTurn(with matchOutcome: Outcome) async throws {
    try await outcome { participantQuitOutOfTurn(with: matchOutcome, withCompletionHandler: $0) }
  }

  private func quit(
    _ matchOutcome: Outcome, _ next: [PlayerID],
    _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) {
    var operation = QuitTurnGame()
    (operation.context, operation.number) = (info.context, info.number)
    (operation.outcome, operation.next) = (matchOutcome.turnOutcome, next)
    perform(operation, nil, state: nil, completionHandler)
  }
}
