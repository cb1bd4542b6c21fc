/// Hears of challenges, and says which banners are shown; the older form of `GKChallengeListener`.
///
/// Every method may be left out, as in Objective-C, and each has two names: that of GameKit in
/// Swift, and that of the oldest games, which is called where the other one is left out.
@preconcurrency @MainActor
public protocol GKChallengeEventHandlerDelegate: AnyObject {
  /// The player has selected the banner of a received challenge, or has launched the game for a
  /// challenge. It does not come for a challenge whose banner was suppressed.
  func localPlayerDidSelect(_ challenge: GKChallenge)
  func localPlayerDidSelectChallenge(_ challenge: GKChallenge)

  /// Returns whether to show a banner about a challenge of a friend. By default it is shown.
  func shouldShowBanner(forLocallyReceivedChallenge challenge: GKChallenge) -> Bool
  func shouldShowBannerForLocallyReceivedChallenge(_ challenge: GKChallenge) -> Bool
  /// A friend challenges the local player.
  func localPlayerDidReceive(_ challenge: GKChallenge)
  func localPlayerDidReceiveChallenge(_ challenge: GKChallenge)

  /// Returns whether to show a banner about a challenge that the local player has completed. By
  /// default it is shown.
  func shouldShowBanner(forLocallyCompletedChallenge challenge: GKChallenge) -> Bool
  func shouldShowBannerForLocallyCompletedChallenge(_ challenge: GKChallenge) -> Bool
  /// The local player has completed a friend's challenge.
  func localPlayerDidComplete(_ challenge: GKChallenge)
  func localPlayerDidCompleteChallenge(_ challenge: GKChallenge)

  /// Returns whether to show a banner about a challenge that a friend has completed. By default it
  /// is shown.
  func shouldShowBanner(forRemotelyCompletedChallenge challenge: GKChallenge) -> Bool
  func shouldShowBannerForRemotelyCompletedChallenge(_ challenge: GKChallenge) -> Bool
  /// A friend has completed the local player's challenge.
  func remotePlayerDidComplete(_ challenge: GKChallenge)
  func remotePlayerDidCompleteChallenge(_ challenge: GKChallenge)
}

extension GKChallengeEventHandlerDelegate {
  public func localPlayerDidSelect(_ challenge: GKChallenge) {
    localPlayerDidSelectChallenge(challenge)
  }
  public func shouldShowBanner(forLocallyReceivedChallenge challenge: GKChallenge) -> Bool {
    shouldShowBannerForLocallyReceivedChallenge(challenge)
  }
  public func localPlayerDidReceive(_ challenge: GKChallenge) {
    localPlayerDidReceiveChallenge(challenge)
  }
  public func shouldShowBanner(forLocallyCompletedChallenge challenge: GKChallenge) -> Bool {
    shouldShowBannerForLocallyCompletedChallenge(challenge)
  }
  public func localPlayerDidComplete(_ challenge: GKChallenge) {
    localPlayerDidCompleteChallenge(challenge)
  }
  public func shouldShowBanner(forRemotelyCompletedChallenge challenge: GKChallenge) -> Bool {
    shouldShowBannerForRemotelyCompletedChallenge(challenge)
  }
  public func remotePlayerDidComplete(_ challenge: GKChallenge) {
    remotePlayerDidCompleteChallenge(challenge)
  }

  public func localPlayerDidSelectChallenge(_ challenge: GKChallenge) {}
  public func shouldShowBannerForLocallyReceivedChallenge(_ challenge: GKChallenge) -> Bool {
    true
  }
  public func localPlayerDidReceiveChallenge(_ challenge: GKChallenge) {}
  public func shouldShowBannerForLocallyCompletedChallenge(_ challenge: GKChallenge) -> Bool {
    true
  }
  public func localPlayerDidCompleteChallenge(_ challenge: GKChallenge) {}
  public func shouldShowBannerForRemotelyCompletedChallenge(_ challenge: GKChallenge) -> Bool {
    true
  }
  public func remotePlayerDidCompleteChallenge(_ challenge: GKChallenge) {}
}
