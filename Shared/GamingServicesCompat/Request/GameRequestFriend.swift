internal import MusterKit

/// A friend in the recipient selector.
public struct GameRequestFriend: Sendable, Hashable {
  public var playerID: String
  public var displayName: String
  /// Whether the friend is named in `recipientSuggestions`; these friends come first.
  public var isSuggested: Bool
}

extension GamingServicesClient {
  /// Returns the friends to whom a request may go: first the suggested ones, in the order of the
  /// suggestions, then the others.
  func friends(for content: GameRequestContent) async throws(GamingServicesError)
    -> [GameRequestFriend]
  {
    let all = try await ListFriends.all { (list) async throws(GamingServicesError) in
      try await self.call(list)
    }.filter { $0.state == .friends }
    let shown = try await shown(of: all.map(\.player), content.filters)
    let friends = all.filter { shown.contains($0.player) }
    let suggestions = content.recipientSuggestions
    let suggested = suggestions.compactMap { id in
      friends.first { $0.player.description == id }
    }
    let others = friends.filter { !suggestions.contains($0.player.description) }
    return (suggested + others).enumerated().map { index, friend in
      GameRequestFriend(
        playerID: friend.player.description, displayName: friend.displayName,
        isSuggested: index < suggested.count)
    }
  }

  /// Returns the players that a filter shows; it leaves out those who cannot be reached, where it
  /// asks whether they play.
  private func shown(of players: [PlayerID], _ filter: GameRequestFilter)
    async throws(GamingServicesError) -> Set<PlayerID>
  {
    let wantsAppUsers = filter == .appUsers
    guard wantsAppUsers || filter == .appNonUsers else { return Set(players) }
    var shown: Set<PlayerID> = []
    for operation in GetProfiles.calls(about: players) {
      for profile in try await call(operation).profiles
      where profile.isReachable && profile.isAppUser == wantsAppUsers {
        shown.insert(profile.player)
      }
    }
    return shown
  }
}
