/// Hears of what happens to challenges. Each event is told once; an event that was told shortly
/// before the game ended may be told again when the game runs the next time.
///
/// A game registers a `GKLocalPlayerListener` with the local player. Each method has an empty
/// default.
@preconcurrency @MainActor
public protocol GKChallengeListener: AnyObject {
  /// The player has selected a received challenge's banner, or has launched the game for a
  /// challenge.
  func player(_ player: GKPlayer, wantsToPlay challenge: GKChallenge)
  /// A friend challenges the local player.
  func player(_ player: GKPlayer, didReceive challenge: GKChallenge)
  /// The local player has completed a friend's challenge.
  func player(
    _ player: GKPlayer, didComplete challenge: GKChallenge, issuedByFriend friendPlayer: GKPlayer)
  /// A friend has completed the local player's challenge.
  func player(
    _ player: GKPlayer, issuedChallengeWasCompleted challenge: GKChallenge,
    byFriend friendPlayer: GKPlayer)
}

extension GKChallengeListener {
  public func player(_ player: GKPlayer, wantsToPlay challenge: GKChallenge) {}
  public func player(_ player: GKPlayer, didReceive challenge: GKChallenge) {}
  public func player(
    _ player: GKPlayer, didComplete challenge: GKChallenge, issuedByFriend friendPlayer: GKPlayer
  ) {}
  public func player(
    _ player: GKPlayer, issuedChallengeWasCompleted challenge: GKChallenge,
    byFriend friendPlayer: GKPlayer
  ) {}
}
