/// Hears how a `GKMatchmakerViewController` has ended, by exactly one of the first four methods.
@preconcurrency @MainActor
public protocol GKMatchmakerViewControllerDelegate: AnyObject {
  func matchmakerViewControllerWasCancelled(_ viewController: GKMatchmakerViewController)
  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFailWithError error: any Error)
  /// A match was found, and all of its players are connected.
  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFind match: GKMatch)
  /// Players were found for a game on the game's own server (`isHosted`).
  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFindHostedPlayers players: [GKPlayer])
  /// A player whom the local one has invited to a hosted game has accepted.
  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, hostedPlayerDidAccept player: GKPlayer)
}

extension GKMatchmakerViewControllerDelegate {
  public func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFind match: GKMatch
  ) {}
  public func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFindHostedPlayers players: [GKPlayer]
  ) {}
  public func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, hostedPlayerDidAccept player: GKPlayer
  ) {}
}
