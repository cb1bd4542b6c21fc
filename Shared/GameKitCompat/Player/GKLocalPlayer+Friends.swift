internal import MusterKit

/// Whether a game may read the player's friends.
public enum GKFriendsAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
}

extension GKLocalPlayer {
  /// Loads the local player's friends, as they are called now.
  public func loadFriends(
    _ completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      let list: [Friend]
      do throws(MusterError) { list = try await client.friends() } catch { throw GKError(error) }
      let players = list.filter { $0.state == .friends }.map { friend in
        GKPlayer(
          friend.player, displayName: friend.displayName, alias: friend.alias, isInvitable: true)
      }
      self.friends = players.map(\.playerID)
      return players
    }
  }

  public func loadFriends() async throws -> [GKPlayer] {
    try await outcome { loadFriends($0) }
  }

  /// Loads those of the players with these ids who are friends.
  public func loadFriends(
    identifiedBy identifiers: [String],
    completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)?
  ) {
    loadFriends { players, error in
      completionHandler?(players?.filter { identifiers.contains($0.playerID) }, error)
    }
  }

  public func loadFriends(identifiedBy identifiers: [String]) async throws -> [GKPlayer] {
    try await outcome { loadFriends(identifiedBy: identifiers, completionHandler: $0) }
  }

  /// Always authorized: the friends are those that players have in this deployment's games.
  public func loadFriendsAuthorizationStatus(
    _ completionHandler: @escaping @MainActor (GKFriendsAuthorizationStatus, (any Error)?) -> Void
  ) {
    Task { completionHandler(.authorized, nil) }
  }

  public func loadFriendsAuthorizationStatus() async throws -> GKFriendsAuthorizationStatus {
    .authorized
  }

  /// Loads whom the local player has met of late in matches and contexts, who came last first.
  public func loadRecentPlayers(
    completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      var (operation, players) = (ListRecentPlayers(), [GKPlayer]())
      operation.limit = UInt32(RecentPlayerLimits.pageMax)
      repeat {
        let page = try await client.call(operation)
        players += page.players.map { GKPlayer($0.profile) }
        operation.cursor = page.cursor
      } while !operation.cursor.isEmpty
      return players
    }
  }

  public func loadRecentPlayers() async throws -> [GKPlayer] {
    try await outcome { loadRecentPlayers(completionHandler: $0) }
  }

  /// Loads the players who can be challenged: all friends.
  public func loadChallengableFriends(
    completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)? = nil
  ) {
    loadFriends(completionHandler)
  }

  public func loadChallengableFriends() async throws -> [GKPlayer] { try await loadFriends() }

  // MARK: Older forms

  public func loadFriendPlayers(
    completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)? = nil
  ) {
    loadFriends(completionHandler)
  }

  public func loadFriendPlayers() async throws -> [GKPlayer] { try await loadFriends() }

  /// Loads the friends' ids.
  @_disfavoredOverload
  public func loadFriends(
    completionHandler: (@MainActor ([String]?, (any Error)?) -> Void)?
  ) {
    loadFriends { players, error in completionHandler?(players?.map(\.playerID), error) }
  }
}
