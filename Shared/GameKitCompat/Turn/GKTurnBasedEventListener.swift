/// Hears of turn-based matches. A game registers a `GKLocalPlayerListener` with the local player.
@preconcurrency @MainActor
public protocol GKTurnBasedEventListener: AnyObject {
  /// It is the local player's turn, the player is invited to the match or reminded of it; or the
  /// player has chosen the match in a `GKTurnBasedMatchmakerViewController`, and `didBecomeActive`
  /// is true.
  func player(
    _ player: GKPlayer, receivedTurnEventFor match: GKTurnBasedMatch, didBecomeActive: Bool)
  func player(_ player: GKPlayer, matchEnded match: GKTurnBasedMatch)
  /// Another participant asks the local player something.
  func player(
    _ player: GKPlayer, receivedExchangeRequest exchange: GKTurnBasedExchange,
    for match: GKTurnBasedMatch)
  /// The sender has taken an exchange back.
  func player(
    _ player: GKPlayer, receivedExchangeCancellation exchange: GKTurnBasedExchange,
    for match: GKTurnBasedMatch)
  /// All have replied, or the time is up: told to the sender, and to who has the turn.
  func player(
    _ player: GKPlayer, receivedExchangeReplies replies: [GKTurnBasedExchangeReply],
    forCompletedExchange exchange: GKTurnBasedExchange, for match: GKTurnBasedMatch)
  /// Never called: a match is begun and left in the game, and not outside of it.
  func player(_ player: GKPlayer, didRequestMatchWithOtherPlayers playersToInvite: [GKPlayer])
  /// Never called: see above.
  func player(_ player: GKPlayer, wantsToQuitMatch match: GKTurnBasedMatch)
}

extension GKTurnBasedEventListener {
  public func player(
    _ player: GKPlayer, receivedTurnEventFor match: GKTurnBasedMatch, didBecomeActive: Bool
  ) {}
  public func player(_ player: GKPlayer, matchEnded match: GKTurnBasedMatch) {}
  public func player(
    _ player: GKPlayer, receivedExchangeRequest exchange: GKTurnBasedExchange,
    for match: GKTurnBasedMatch
  ) {}
  public func player(
    _ player: GKPlayer, receivedExchangeCancellation exchange: GKTurnBasedExchange,
    for match: GKTurnBasedMatch
  ) {}
  public func player(
    _ player: GKPlayer, receivedExchangeReplies replies: [GKTurnBasedExchangeReply],
    forCompletedExchange exchange: GKTurnBasedExchange, for match: GKTurnBasedMatch
  ) {}
  public func player(
    _ player: GKPlayer, didRequestMatchWithOtherPlayers playersToInvite: [GKPlayer]
  ) {}
  public func player(_ player: GKPlayer, wantsToQuitMatch match: GKTurnBasedMatch) {}
}
