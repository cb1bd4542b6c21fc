/// Hears of the local player's events. Each method has an empty default.
@preconcurrency @MainActor
public protocol GKLocalPlayerListener:
  GKChallengeListener, GKInviteEventListener, GKTurnBasedEventListener
{}

extension GKLocalPlayer {
  /// Tells the listener of events, from when the player is authenticated. The listener is not kept
  /// alive, and registering it twice is harmless. Events wait on the server while nobody listens.
  /// But an event that the game has taken from its client's `events` meanwhile is not told here any
  /// more.
  public func register(_ listener: any GKLocalPlayerListener) {
    listeners.add(listener)
    challengeEvents.hearersChanged()
    inviteEvents.listenerCame()
  }

  public func unregisterListener(_ listener: any GKLocalPlayerListener) {
    listeners.remove { $0 === listener }
    challengeEvents.hearersChanged()
  }

  public func unregisterAllListeners() {
    listeners.remove { _ in true }
    challengeEvents.hearersChanged()
  }
}
