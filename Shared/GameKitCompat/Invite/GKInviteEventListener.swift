/// Hears of invitations to matches. A game registers a `GKLocalPlayerListener` with the local
/// player.
@preconcurrency @MainActor
public protocol GKInviteEventListener: AnyObject {
  /// The local player has accepted a friend's invitation: the game makes a
  /// `GKMatchmakerViewController` of it, or asks for `GKMatchmaker.match(for:)`.
  func player(_ player: GKPlayer, didAccept invite: GKInvite)
  /// Never called: a match with friends is begun in the game, and not outside of it.
  func player(_ player: GKPlayer, didRequestMatchWithRecipients recipientPlayers: [GKPlayer])
}

extension GKInviteEventListener {
  public func player(_ player: GKPlayer, didAccept invite: GKInvite) {}
  public func player(
    _ player: GKPlayer, didRequestMatchWithRecipients recipientPlayers: [GKPlayer]
  ) {}
}
