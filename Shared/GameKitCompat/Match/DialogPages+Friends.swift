internal import DialogLists
internal import Dialogs
internal import MusterKit

extension DialogPages where Item == FriendItem {
  /// The local player's friends whose names have a text in them, the suggested ones first.
  convenience init(friendsWith search: String, suggested: [String]) {
    self.init(SelectRecipients(suggesting: suggested), search: search) { operation in
      try await GameKit.signedInClient().call(operation)
    }
  }
}
