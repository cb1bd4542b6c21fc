/// Hears how a `GKTurnBasedMatchmakerViewController` has ended, by exactly one of the first three.
@preconcurrency @MainActor
public protocol GKTurnBasedMatchmakerViewControllerDelegate: AnyObject {
  func turnBasedMatchmakerViewControllerWasCancelled(
    _ viewController: GKTurnBasedMatchmakerViewController)
  func turnBasedMatchmakerViewController(
    _ viewController: GKTurnBasedMatchmakerViewController, didFailWithError error: any Error)
  /// The older form of the listeners' `receivedTurnEventFor`.
  func turnBasedMatchmakerViewController(
    _ viewController: GKTurnBasedMatchmakerViewController, didFind match: GKTurnBasedMatch)
  /// Never called: a match is left in the game, and not in this controller.
  func turnBasedMatchmakerViewController(
    _ viewController: GKTurnBasedMatchmakerViewController, playerQuitFor match: GKTurnBasedMatch)
}

extension GKTurnBasedMatchmakerViewControllerDelegate {
  public func turnBasedMatchmakerViewController(
    _ viewController: GKTurnBasedMatchmakerViewController, didFind match: GKTurnBasedMatch
  ) {}
  public func turnBasedMatchmakerViewController(
    _ viewController: GKTurnBasedMatchmakerViewController, playerQuitFor match: GKTurnBasedMatch
  ) {}
}
