internal import MusterKit

// What the listeners and the event handler's delegate are asked and told. Who leaves or comes while
// one is told makes no difference to this one telling.

extension ChallengeEvents {
  func wantsBanner(_ kind: ChallengeNotice.Kind, _ challenge: GKChallenge) -> Bool {
    guard let delegate else { return true }
    return switch kind {
    case .received: delegate.shouldShowBanner(forLocallyReceivedChallenge: challenge)
    case .locallyCompleted: delegate.shouldShowBanner(forLocallyCompletedChallenge: challenge)
    case .remotelyCompleted: delegate.shouldShowBanner(forRemotelyCompletedChallenge: challenge)
    }
  }

  func tell(_ kind: ChallengeNotice.Kind, _ challenge: GKChallenge, _ friend: GKPlayer) {
    let player = GKLocalPlayer.local
    let listeners = player.listeners.live
    switch kind {
    case .received: delegate?.localPlayerDidReceive(challenge)
    case .locallyCompleted: delegate?.localPlayerDidComplete(challenge)
    case .remotelyCompleted: delegate?.remotePlayerDidComplete(challenge)
    }
    for listener in listeners {
      switch kind {
      case .received: listener.player(player, didReceive: challenge)
      case .locallyCompleted:
        listener.player(player, didComplete: challenge, issuedByFriend: friend)
      case .remotelyCompleted:
        listener.player(player, issuedChallengeWasCompleted: challenge, byFriend: friend)
      }
    }
  }

  func tellSelected(_ challenge: GKChallenge) {
    let player = GKLocalPlayer.local
    let listeners = player.listeners.live
    delegate?.localPlayerDidSelect(challenge)
    for listener in listeners { listener.player(player, wantsToPlay: challenge) }
  }
}
