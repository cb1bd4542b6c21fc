internal import MusterKit

/// A player. Two objects with the same id are equal.
public class GKPlayer: GKBasePlayer {
  nonisolated private let id: PlayerID
  private let name: String
  private let chosenName: String
  /// Whether it is known that the local player may invite this one to a match: a friend, as the
  /// lists of friends have them.
  public let isInvitable: Bool

  init(
    _ id: PlayerID, displayName: String, alias: String = "", isInvitable: Bool = false
  ) {
    self.id = id
    name = displayName
    chosenName = alias
    self.isInvitable = isInvitable
    super.init()
  }

  convenience init(_ profile: Profile) {
    self.init(profile.player, displayName: profile.displayName, alias: profile.alias)
  }

  /// The player's id; the nil id for a local player who is not signed in.
  nonisolated var identifier: PlayerID { id }

  /// The player's id, the same in every game of the deployment.
  public override nonisolated var playerID: String {
    identifier.isNil ? "" : identifier.description
  }
  /// The same as `playerID`: Muster has no other ids for a game, or for a developer's games.
  public nonisolated var gamePlayerID: String { playerID }
  /// The same as `playerID`.
  public nonisolated var teamPlayerID: String { playerID }
  /// Always true: ids stay.
  public func scopedIDsArePersistent() -> Bool { true }
  /// Always nil: Muster has no guests on a device of another player.
  public var guestIdentifier: String? { nil }
  /// Empty for a player who cannot be reached any more.
  public override var displayName: String { name }
  /// The name that the player has chosen to be known by: the display name, where there is none.
  public var alias: String { chosenName.isEmpty ? displayName : chosenName }

  /// Loads the players with these ids; players who cannot be reached are left out.
  public static func loadPlayers(
    forIdentifiers identifiers: [String],
    withCompletionHandler completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      let ids = identifiers.compactMap { PlayerID($0) }
      let profiles = try await client.profiles(of: ids)
      return ids.compactMap { id in profiles[id].map { GKPlayer($0) } }
    }
  }

  public static func loadPlayers(forIdentifiers identifiers: [String]) async throws -> [GKPlayer] {
    try await outcome { loadPlayers(forIdentifiers: identifiers, withCompletionHandler: $0) }
  }

  public nonisolated static func == (left: GKPlayer, right: GKPlayer) -> Bool {
    left.identifier == right.identifier
  }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension GKPlayer: Hashable {}

extension GameKitClient {
  /// Returns the names of the players who can be reached.
  func displayNames(of players: [PlayerID]) async throws(GKError) -> [PlayerID: String] {
    try await profiles(of: players).mapValues(\.displayName)
  }

  /// Returns the profiles of the players who can be reached.
  func profiles(of players: [PlayerID]) async throws(GKError) -> [PlayerID: Profile] {
    var profiles: [PlayerID: Profile] = [:]
    for operation in GetProfiles.calls(about: players) {
      for profile in try await call(operation).profiles where profile.isReachable {
        profiles[profile.player] = profile
      }
    }
    return profiles
  }
}
