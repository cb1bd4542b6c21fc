/// Learns what happens to challenges. Each event is told once; one that was told shortly before the game
/// ended may be told again when it runs the next time.
///
/// Register a `GKLocalPlayerListener` with the local player; each method has an empty default.
@preconcurrency @MainActor
public protocol GKChallengeListener: AnyObject {
  /// The player has selected a received challenge's banner, or has launched the game for a challenge.
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

/// What the local player is told of by itself.
@preconcurrency @MainActor
public protocol GKLocalPlayerListener: GKChallengeListener {}

extension GKLocalPlayer {
  /// Tells the listener of events from when the player is authenticated on. It is not kept alive;
  /// registering it twice is harmless. Events wait on the server while nobody listens, unless the game
  /// also reads its client's `events`: what was dealt with there is not told here any more.
  public func register(_ listener: any GKLocalPlayerListener) {
    challengeEvents.register(listener)
  }

  public func unregisterListener(_ listener: any GKLocalPlayerListener) {
    challengeEvents.unregister { $0 === listener }
  }

  public func unregisterAllListeners() { challengeEvents.unregister { _ in true } }
}
