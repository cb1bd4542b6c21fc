import Foundation
import GameKitCompat

/// The app's part that speaks to GameKit, as in the article that the app is made after: one number
/// that all players of a match change. It knows nothing of Muster but the import.
@MainActor
final class GameCenterManager: NSObject {
  private(set) var isAuthenticated = false { didSet { onChange() } }
  /// What the player is to see in place of the app's own screen.
  private(set) var viewController: UIViewController? { didSet { onChange() } }
  private(set) var counter = 0 { didSet { onChange() } }
  private(set) var shouldShowCounter = false { didSet { onChange() } }
  private(set) var match: GKMatch?
  /// What the player should know; empty for nothing.
  private(set) var notice = ""
  /// What the app was opened with before there was a player.
  private var waitingLink: CounterLink?
  private let onChange: () -> Void

  init(onChange: @escaping () -> Void) {
    self.onChange = onChange
    super.init()
    GKLocalPlayer.local.authenticateHandler = { [self] controller, error in
      if GKLocalPlayer.local.isAuthenticated {
        isAuthenticated = true
        openWaitingLink()
      } else if let controller {
        viewController = controller
      } else {
        notice = error?.localizedDescription ?? "Nobody is signed in."
        isAuthenticated = false
      }
    }
    GKLocalPlayer.local.register(self)
  }

  /// The others in the match.
  var others: [String] { match?.players.map(\.displayName) ?? [] }

  // MARK: Links

  /// Opens a link. One that needs a player waits until there is one: the article waits 0.75 seconds
  /// instead, which is too short on a slow line and too long on a fast one.
  func open(_ link: CounterLink) {
    leave()
    switch link {
    case .startLocalCounter: startLocalCounter()
    case .startOnlineCounter where isAuthenticated: startOnlineCounter()
    case .startOnlineCounter:
      waitingLink = link
      notice = "Waiting for Game Center …"
      onChange()
    }
  }

  private func openWaitingLink() {
    guard let link = waitingLink else { return }
    (waitingLink, notice) = (nil, "")
    open(link)
  }

  // MARK: Counting

  private func startLocalCounter() {
    (counter, notice) = (0, "")
    shouldShowCounter = true
  }

  func increment() { change(by: 1) }
  func decrement() { change(by: -1) }

  private func change(by difference: Int) {
    // Another player may have sent the largest number.
    counter &+= difference
    do {
      try match?.sendData(toAllPlayers: CounterNumber.data(counter), with: .reliable)
    } catch {
      notice = error.localizedDescription
      onChange()
    }
  }

  private func endMatch() {
    match?.disconnect()
    match?.delegate = nil
    match = nil
    shouldShowCounter = false
  }

  /// Leaves what is on the screen.
  func leave() {
    if match != nil { endMatch() }
    viewController = nil
    shouldShowCounter = false
  }
}

extension GameCenterManager: GKMatchmakerViewControllerDelegate {
  private func startOnlineCounter() {
    let matchRequest = GKMatchRequest()
    matchRequest.defaultNumberOfPlayers = 2
    matchRequest.minPlayers = 2
    matchRequest.maxPlayers = .max
    matchRequest.inviteMessage = "Join my counter!"
    guard let controller = GKMatchmakerViewController(matchRequest: matchRequest) else { return }
    show(controller)
  }

  private func show(_ controller: GKMatchmakerViewController) {
    (counter, notice) = (0, "")
    controller.matchmakerDelegate = self
    viewController = controller
  }

  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFind match: GKMatch
  ) {
    self.match = match
    match.delegate = self
    self.viewController = nil
    shouldShowCounter = true
  }

  // One that is no longer shown may still say so: another has taken its place.
  func matchmakerViewControllerWasCancelled(_ viewController: GKMatchmakerViewController) {
    if viewController === self.viewController { self.viewController = nil }
  }

  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFailWithError error: any Error
  ) {
    guard viewController === self.viewController else { return }
    notice = error.localizedDescription
    self.viewController = nil
  }
}

extension GameCenterManager: GKMatchDelegate {
  func match(_ match: GKMatch, didReceive data: Data, fromRemotePlayer player: GKPlayer) {
    // Anybody in the match can send anything.
    if let number = CounterNumber.number(data) { counter = number }
  }

  func match(_ match: GKMatch, player: GKPlayer, didChange state: GKPlayerConnectionState) {
    if match.players.isEmpty {
      notice = "Everybody else has left."
      endMatch()
    } else {
      onChange()
    }
  }

  func match(_ match: GKMatch, didFailWithError error: (any Error)?) {
    notice = error?.localizedDescription ?? "The match is over."
    endMatch()
  }
}

extension GameCenterManager: GKLocalPlayerListener {
  func player(_ player: GKPlayer, didAccept invite: GKInvite) {
    leave()
    guard let controller = GKMatchmakerViewController(invite: invite) else { return }
    show(controller)
  }
}
