internal import MusterKit

/// The player of this device.
public final class GKLocalPlayer: GKPlayer {
  public static let local = GKLocalPlayer()

  private var follower: Task<Void, Never>?
  private var wasAuthenticated = false
  let challengeEvents = ChallengeEvents()

  private init() { super.init(PlayerID(), displayName: "") }

  override nonisolated var identifier: PlayerID { GameKit.client?.session?.player ?? PlayerID() }
  public override var displayName: String { GameKit.client?.session?.displayName ?? "" }
  public override var alias: String {
    let alias = GameKit.client?.session?.alias ?? ""
    return alias.isEmpty ? displayName : alias
  }

  /// Whether the player is signed in; it stays true while the connection is down.
  public nonisolated var isAuthenticated: Bool { !identifier.isNil }

  /// Called whenever the player becomes authenticated, then with two nils, and when the player is
  /// not authenticated any more, then with a screen to present or else an error. Setting it begins
  /// authentication.
  public var authenticateHandler: (@MainActor (AnyObject?, (any Error)?) -> Void)? {
    didSet { restart() }
  }

  public func loadFriends(
    completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      let list: [Friend]
      do throws(MusterError) { list = try await client.friends() } catch { throw GKError(error) }
      return list.filter { $0.state == .friends }
        .map { GKPlayer($0.player, displayName: $0.displayName, alias: $0.alias) }
    }
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
  }

  private func refuse(_ error: GKError?) {
    if let screen = GameKit.signInScreen {
      authenticateHandler?(screen, nil)
    } else {
      authenticateHandler?(nil, error ?? GKError(.notAuthenticated, "No player is signed in."))
    }
  }
}
