internal import MusterKit

/// Who hears of challenges: the listeners and the event handler's delegate, none of which is kept
/// alive.
@MainActor
struct ChallengeHearers {
  private struct Listener {
    weak var object: (any GKLocalPlayerListener)?
  }

  private var listeners: [Listener] = []
  weak var delegate: (any GKChallengeEventHandlerDelegate)?

  private var live: [any GKLocalPlayerListener] { listeners.compactMap(\.object) }
  var isEmpty: Bool { live.isEmpty && delegate == nil }

  mutating func register(_ listener: any GKLocalPlayerListener) {
    listeners.removeAll { $0.object == nil || $0.object === listener }
    listeners.append(Listener(object: listener))
  }

  mutating func unregister(where isGone: (any GKLocalPlayerListener) -> Bool) {
    listeners.removeAll { $0.object.map(isGone) ?? true }
  }

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
    let listeners = live
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
    let listeners = live
    delegate?.localPlayerDidSelect(challenge)
    for listener in listeners { listener.player(GKLocalPlayer.local, wantsToPlay: challenge) }
  }
}
