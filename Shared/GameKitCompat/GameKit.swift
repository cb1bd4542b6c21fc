public import Dialogs
internal import Foundation
internal import Locking
public import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

/// Where a game configures the client that this library uses.
///
/// Handlers and delegates are called on the main actor.
@MainActor
public enum GameKit {
  private nonisolated static let configured = Locked<(any GameKitClient)?>(nil)
  static var credential: Credential?
  static var signInScreen: UIViewController?

  /// Called before each banner about a challenge, with the challenge and what happened to it. The
  /// game shows its own banner and returns true, or shows none and returns false. Without this
  /// closure every banner counts as shown.
  public static var showChallengeBanner: (@MainActor (GKChallenge, ChallengeNotice.Kind) -> Bool)?

  /// Shows the dialogs of this library, such as that of `GKMatchmakerViewController`. Without a
  /// presenter nothing is asked and nothing is shown: the game's own words stand for the player's.
  /// But nobody is challenged by a composer then.
  public static var presenter: (any DialogPresenter)?

  /// How long a player may take to answer a dialog.
  public static var dialogTimeout = Duration.seconds(600)

  /// Asks the player about an invitation to a match that has just come, once: true accepts it,
  /// false declines it, and nil leaves it until its time is up. Its task is cancelled as soon as
  /// there is nothing to answer any more: the invitation is over, its time is up, or it was
  /// answered otherwise. The game then takes its banner away; what it returns counts for nothing.
  /// Without this closure nobody is asked, and the game accepts by `acceptInvite`.
  public static var showInviteBanner: (@MainActor (GKInvite) async -> Bool?)?

  /// Accepts an invitation for the player, who has agreed to it: in the game, or by the
  /// notification that has launched it. It waits until the player is authenticated and a listener
  /// is registered, who then hears of it.
  public static func acceptInvite(_ invite: MatchInviteReference) {
    GKLocalPlayer.local.inviteEvents.accept(invite)
  }

  /// Makes this library use `client`. A game calls it before it sets
  /// `GKLocalPlayer.local.authenticateHandler`.
  ///
  /// - Parameters:
  ///   - client: the client through which every call of this library goes.
  ///   - credential: signs the player in as soon as there is an authenticate handler; without one
  ///     the game signs in through the client itself.
  ///   - signInScreen: the controller that the authenticate handler gets to present while nobody
  ///     is signed in: one of the game's own, which signs the player in through the client.
  ///   - challenge: the challenge that the game was launched for; nil when there is none. Right
  ///     after authentication the listeners hear that the player wants to play it, if it is still
  ///     open.
  public static func configure(
    client: MusterClient, credential: Credential? = nil, signInScreen: UIViewController? = nil,
    launchedFor challenge: ChallengeID? = nil
  ) {
    GKLocalPlayer.local.challengeEvents.keepSuppressedBanners(in: .standard)
    configure(
      connection: client, credential: credential, signInScreen: signInScreen,
      launchedFor: challenge)
  }

  package static func configure(
    connection: any GameKitClient, credential: Credential? = nil,
    signInScreen: UIViewController? = nil,
    launchedFor challenge: ChallengeID? = nil
  ) {
    let isSameClient = client === connection
    configured.withLock { $0 = connection }
    self.credential = credential
    self.signInScreen = signInScreen
    GKLocalPlayer.local.restart()
    GKLocalPlayer.local.challengeEvents.restart(
      isSameClient: isSameClient, launchedFor: challenge)
    GKLocalPlayer.local.inviteEvents.restart(isSameClient: isSameClient)
  }

  /// Tells the listeners that the player has selected the banner of a received challenge and wants
  /// to play it, also a banner from before the game was started anew. Returns false when the banner
  /// was suppressed or selected before, or when the challenge has ended or was declined; also when
  /// nobody listens, and then it can still be selected.
  @discardableResult
  public static func selectChallengeBanner(of challenge: GKChallenge) -> Bool {
    GKLocalPlayer.local.challengeEvents.select(challenge)
  }

  /// Waits until the matches that the game has left are left on the server, too, and reports that
  /// are under way are answered: at most as long as a call may take. A game calls it before it ends
  /// or closes its client; otherwise the others see the player as away for a while.
  public static func finish() async {
    await OngoingCalls.leaves.ended()
    await OngoingCalls.reports.ended()
  }

  nonisolated static var client: (any GameKitClient)? { configured.withLock { $0 } }

  static func signedInClient() throws(GKError) -> any GameKitClient {
    guard let client, client.session?.player != nil else {
      throw GKError(.notAuthenticated, "No player is signed in.")
    }
    return client
  }
}
