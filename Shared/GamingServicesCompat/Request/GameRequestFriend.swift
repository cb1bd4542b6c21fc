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
    var friends: [Friend] = []
    for friend in try await call(ListFriends()).friends where friend.state == .friends {
      if try await shows(friend.player, content.filters) { friends.append(friend) }
    }
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

  private func shows(_ player: PlayerID, _ filter: GameRequestFilter)
    async throws(GamingServicesError) -> Bool
  {
    switch filter {
    case .none, .everybody: true
    case .appUsers: try await isAppUser(player) == true
    case .appNonUsers: try await isAppUser(player) == false
    }
  }
}
