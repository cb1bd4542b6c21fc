internal import Dialogs
internal import MusterKit

extension DialogPages where Item == FriendItem {
  /// The local player's friends whose names have a text in them, the suggested ones first.
  convenience init(friendsWith search: String, suggested: [String]) {
    var isRead = false
    self.init {
      if isRead { return nil }
      isRead = true
      let found = try await GKLocalPlayer.local.loadFriends()
        .filter { search.isEmpty || $0.displayName.localizedCaseInsensitiveContains(search) }
        .map { friend in
          FriendItem(
            playerID: friend.playerID, displayName: friend.displayName,
            isSuggested: suggested.contains(friend.playerID))
        }
      return found.filter(\.isSuggested) + found.filter { !$0.isSuggested }
    }
  }
}
