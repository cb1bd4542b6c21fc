internal import MusterKit

/// What an event of the player's stream says of a turn-based match, with the match as it is now.
@MainActor
struct TurnNews {
  private enum Kind {
    case turn
    case ended
    case exchange(TurnExchangeChanged)
  }

  private let kind: Kind
  private let match: GKTurnBasedMatch

  /// Nil for another event, and for a match that cannot be read, because the player is out of its
  /// context by now.
  ///
  /// - Throws: `deadlineExceeded` while the server cannot say how the match is.
  static func load(_ event: PlayerEvent, _ client: any GameKitClient) async throws(GKError)
    -> TurnNews?
  {
    guard let (context, number, kind) = read(event) else { return nil }
    do throws(GKError) {
      return TurnNews(
        kind: kind, match: try await GKTurnBasedMatch.load(context, number, client))
    } catch {
      if error.failure == .deadlineExceeded { throw error }
      return nil
    }
  }

  static func load(_ change: TurnExchangeChanged, _ client: any GameKitClient) async -> TurnNews? {
    let match = try? await GKTurnBasedMatch.load(change.context, change.number, client)
    return match.map { TurnNews(kind: .exchange(change), match: $0) }
  }

  private static func read(_ event: PlayerEvent) -> (ContextID, UInt32, Kind)? {
    if let passed = event.decode(TurnPassed.self) {
      return (passed.context, passed.number, .turn)
    }
    if let invitation = event.decode(TurnGameInvitation.self) {
      return (invitation.context, invitation.number, .turn)
    }
    if let reminder = event.decode(TurnReminder.self) {
      return (reminder.context, reminder.number, .turn)
    }
    if let ended = event.decode(TurnGameEnded.self) {
      return (ended.context, ended.number, .ended)
    }
    if let change = event.decode(TurnExchangeChanged.self) {
      return (change.context, change.number, .exchange(change))
    }
    return nil
  }

  func tell() {
    let player = GKLocalPlayer.local
    for listener in player.listeners.live {
      switch kind {
      case .turn: listener.player(player, receivedTurnEventFor: match, didBecomeActive: false)
      case .ended: listener.player(player, matchEnded: match)
      case .exchange(let change): tell(listener, change)
      }
    }
  }

  private func tell(_ listener: any GKLocalPlayerListener, _ change: TurnExchangeChanged) {
    let player = GKLocalPlayer.local
    let known = match.exchanges?.first { $0.exchange.id == change.exchange }
    switch change.state {
    case .open:
      if let known { listener.player(player, receivedExchangeRequest: known, for: match) }
    case .complete, .expired:
      let exchange = known ?? gone(change, .complete)
      listener.player(
        player, receivedExchangeReplies: exchange.replies ?? [], forCompletedExchange: exchange,
        for: match)
    case .cancelled:
      listener.player(player, receivedExchangeCancellation: gone(change, .canceled), for: match)
    default: break
    }
  }

  /// An exchange that the match does not have any more; when its time was up without a reply,
  /// nobody says whose it was.
  private func gone(_ change: TurnExchangeChanged, _ status: GKTurnBasedExchangeStatus)
    -> GKTurnBasedExchange
  {
    var said = ReadTurnExchange.Reply()
    (said.exchange.id, said.exchange.player) = (change.exchange, change.player)
    let exchange = GKTurnBasedExchange(said, in: match)
    exchange.status = status
    return exchange
  }
}
