internal import Foundation
internal import MusterKit

extension GKMatch {
  /// Waits until all players are connected. What happens meanwhile is told when a delegate is set.
  ///
  /// - Throws: `cancelled` when the task was cancelled; why the match is over.
  func allConnected() async throws(GKError) {
    while !hasBegun && seat.expectedPlayerCount > 0 {
      guard let event = await seat.nextEvent(), !Task.isCancelled else {
        throw GKError(.cancelled, "The search was cancelled.")
      }
      if case .ended(let end) = event {
        throw error(of: end) ?? GKError(.matchEnded, "The match is over.")
      }
      untold.append(event)
    }
    hasBegun = true
    await learn(seat.players)
  }

  /// Loads the names of players who came without: whom matchmaking has found, or another player has
  /// added. Where they cannot be had now, they stay empty until the next change.
  private func learn(_ players: [PlayerID]) async {
    let unknown = players.filter { names[$0] == nil }
    guard !unknown.isEmpty, let client = GameKit.client else { return }
    if let found = try? await client.displayNames(of: unknown) {
      names.merge(found) { _, new in new }
    }
  }

  func listen() {
    if listener != nil { return }
    listener = Task { [weak self, seat] in
      self?.tellUntold()
      while let event = await seat.nextEvent(), !Task.isCancelled {
        if case .playerChanged(let id, _, _) = event { await self?.learn([id]) }
        self?.tell(event)
      }
    }
  }

  private func tellUntold() {
    while !untold.isEmpty { tell(untold.removeFirst()) }
  }

  private func tell(_ event: MatchEvent) {
    if !hasBegun { hasBegun = seat.expectedPlayerCount == 0 }
    switch event {
    case .data(let sender, let bytes, _):
      delegate?.match(
        self, didReceive: Data(aligned: bytes), forRecipient: GKLocalPlayer.local,
        fromRemotePlayer: player(sender))
    case .playerChanged(let id, let state, _):
      delegate?.match(self, player: player(id), didChange: GKPlayerConnectionState(state))
      if state == .left { reinvite(id) }
    case .messageLost:
      failed(GKError(.limitReached, "A message was longer than allowed, and was dropped."))
    case .ended(let end):
      if end == .seatTaken { found?.handOver() }
      if let error = error(of: end) { failed(error) }
    }
  }

  /// Has the player of a match of two expected again, if the game wants it.
  private func reinvite(_ id: PlayerID) {
    guard seat.players.isEmpty, !seat.isEnded, let delegate,
      delegate.match(self, shouldReinviteDisconnectedPlayer: player(id))
    else { return }
    Task { [weak self, seat] in
      do throws(MusterError) {
        try await seat.addPlayers([id])
      } catch {
        self?.failed(GKError(error))
      }
    }
  }

  /// Why a match has failed; nil for one that is over as matches are.
  private func error(of end: MatchEnd) -> GKError? {
    switch end {
    case .failed(let error): return GKError(error)
    case .seatTaken:
      return GKError(.conflict, "Another device of this player has taken the seat.")
    case .closed: return GKError(.disconnected, "The client has signed out or was closed.")
    case .ended where !hasBegun:
      return GKError(.matchEnded, "Too few players have joined the match: find another one.")
    case .ended where !seat.players.isEmpty:
      return GKError(
        .matchEnded, "The match is over for you: the others have left, or you were away too long.")
    // The delegate has heard of each player who left.
    case .ended, .left: return nil
    }
  }

  func failed(_ error: GKError) { delegate?.match(self, didFailWithError: error) }

  func player(_ id: PlayerID) -> GKPlayer { GKPlayer(id, displayName: names[id] ?? "") }
}

extension GKPlayerConnectionState {
  init(_ state: MatchPlayerState) {
    switch state {
    case .connected: self = .connected
    case .disconnected, .left: self = .disconnected
    default: self = .unknown
    }
  }
}
