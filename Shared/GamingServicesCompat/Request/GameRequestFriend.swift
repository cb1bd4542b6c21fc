internal import MusterKit

/// A friend in the recipient selector.
public struct GameRequestFriend: Sendable, Hashable {
  public var playerID: String
  public var displayName: String
  /// Whether the friend is named in `recipientSuggestions`; these friends come first.
  public var isSuggested: Bool
}

extension GamingServicesClient {
  /// Returns the friends to whom a request may go, as the filter says: first the suggested ones, in
  /// the order of the suggestions, then the others.
  func friends(for content: GameRequestContent) async throws(GamingServicesError)
    -> [GameRequestFriend]
  {
    var selection = SelectRecipients()
    selection.filters = content.filters.term
    selection.recipientSuggestions = content.recipientSuggestions.compactMap { PlayerID($0) }
    selection.limit = UInt32(SelectorLimits.pageMax)
    var friends: [GameRequestFriend] = []
    repeat {
      let page = try await call(selection)
      friends += page.recipients.map {
        GameRequestFriend(
          playerID: $0.profile.player.description, displayName: $0.profile.displayName,
          isSuggested: $0.isSuggested)
      }
      selection.cursor = page.cursor
    } while !selection.cursor.isEmpty
    return friends
  }
}
