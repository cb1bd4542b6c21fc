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

  private var follower: Task<Void, Never>?
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
  /// authentication.
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
    follower = nil
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
    do throws(MusterError) {
      _ = try await client.signIn(credential, deadline: nil)
      if !Task.isCancelled { look() }
    } catch {
      if !Task.isCancelled { refuse(GKError(error)) }
    }
  }

  private func look() {
    if isAuthenticated == wasAuthenticated { return }
    wasAuthenticated = isAuthenticated
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
