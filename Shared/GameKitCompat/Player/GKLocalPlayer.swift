public import Foundation
internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

/// The player of this device.
public final class GKLocalPlayer: GKPlayer {
  public static let local = GKLocalPlayer()
  /// The older form of `local`.
  public static func localPlayer() -> GKLocalPlayer { local }

  /// How long to wait after a sign-in that has failed for a passing reason. Each further wait is
  /// twice as long, up to the longest.
  static var signInPauseMin = Duration.seconds(1)
  static let signInPauseMax = Duration.seconds(60)

  private var follower: Task<Void, Never>?
  private var repeater: Task<Void, Never>?
  private var wasAuthenticated = false
  var listeners = ListenerList()
  let challengeEvents = ChallengeEvents()
  let inviteEvents = InviteEvents()
  /// The ids of the friends that were loaded last.
  public internal(set) var friends: [String]?

  private init() { super.init(PlayerID(), displayName: "") }

  override nonisolated var identifier: PlayerID { GameKit.client?.session?.player ?? PlayerID() }
  public override var displayName: String { GameKit.client?.session?.displayName ?? "" }
  public override var alias: String {
    let alias = GameKit.client?.session?.alias ?? ""
    return alias.isEmpty ? displayName : alias
  }

  /// Whether the player is signed in; it stays true while the connection is down.
  public nonisolated var isAuthenticated: Bool { !identifier.isNil }
  /// Always false: Muster does not know how old players are.
  public var isUnderage: Bool { false }
  /// Always false: nobody restricts players of a device here. Whom an operator has banned does not
  /// become authenticated.
  public var isMultiplayerGamingRestricted: Bool { false }
  /// Always false: see `isMultiplayerGamingRestricted`.
  public var isPersonalizedCommunicationRestricted: Bool { false }

  /// Called whenever the player becomes authenticated, then with two nils, and when the player is
  /// not authenticated any more, then with a screen to present or else an error. Setting it begins
  /// authentication. A sign-in that fails for a passing reason, as without a network, is told once
  /// and repeated for as long as there is a handler.
  public var authenticateHandler: (@MainActor (UIViewController?, (any Error)?) -> Void)? {
    didSet { restart() }
  }

  /// Whether the player is authenticated, and the game knows where it has asked to.
  var isAuthenticationTold: Bool {
    isAuthenticated && (authenticateHandler == nil || wasAuthenticated)
  }

  // MARK: Authentication

  /// Begins authentication anew.
  func restart() {
    follower?.cancel()
    repeater?.cancel()
    (follower, repeater) = (nil, nil)
    wasAuthenticated = false
    guard authenticateHandler != nil, let client = GameKit.client else { return }
    follower = Task { [weak self] in
      await self?.begin(client)
      for await _ in client.states {
        if Task.isCancelled { return }
        self?.look()
      }
    }
  }

  private func begin(_ client: any GameKitClient) async {
    if isAuthenticated { return look() }
    guard let credential = GameKit.credential else { return refuse(nil) }
    guard let error = await signIn(client, credential), !Task.isCancelled else { return }
    refuse(GKError(error))
    if !error.code.isTransient { return }
    repeater = Task { [weak self] in
      var pause = GKLocalPlayer.signInPauseMin
      repeat {
        do { try await Task.sleep(for: pause) } catch { return }
        pause = min(pause * 2, GKLocalPlayer.signInPauseMax)
      } while await self?.signInAgain(client, credential) == false
    }
  }

  /// Returns why the player could not be signed in.
  private func signIn(_ client: any GameKitClient, _ credential: Credential) async -> MusterError? {
    do throws(MusterError) {
      _ = try await client.signIn(credential, deadline: nil)
      if !Task.isCancelled { look() }
      return nil
    } catch {
      return error
    }
  }

  /// Returns whether there is nothing more to be tried: also after the game itself has signed a
  /// player in.
  private func signInAgain(_ client: any GameKitClient, _ credential: Credential) async -> Bool {
    if isAuthenticated || repeater == nil { return true }
    guard let error = await signIn(client, credential) else { return true }
    if Task.isCancelled || repeater == nil { return true }
    if !error.code.isTransient { refuse(GKError(error)) }
    return !error.code.isTransient
  }

  private func look() {
    if isAuthenticated == wasAuthenticated { return }
    wasAuthenticated = isAuthenticated
    // It ends by itself: a call that is under way is not to be taken back.
    if wasAuthenticated { repeater = nil }
    if wasAuthenticated { authenticateHandler?(nil, nil) } else { refuse(nil) }
    NotificationCenter.default.post(
      name: .GKPlayerAuthenticationDidChangeNotificationName, object: nil)
    inviteEvents.settle()
  }

  private func refuse(_ error: GKError?) {
    if let screen = GameKit.signInScreen {
      authenticateHandler?(screen, nil)
    } else {
      authenticateHandler?(nil, error ?? GKError(.notAuthenticated, "No player is signed in."))
    }
  }
}

extension Notification.Name {
  /// The player has become authenticated, or is not any more. It is posted after the handler.
  public static let GKPlayerAuthenticationDidChangeNotificationName = Notification.Name(
    "GKPlayerAuthenticationDidChangeNotificationName")
}
