internal import Dialogs
internal import MusterKit

extension GamingServicesClient {
  /// The friends to whom a request may go, page by page, as the filter says: first the suggested
  /// ones, in the order of the suggestions, then the others.
  ///
  /// - Parameter search: a part of their names; no name has in it a text that is longer than names
  ///   are.
  @MainActor
  func friends(_ first: SelectRecipients, search: String) -> DialogPages<FriendItem> {
    if search.utf8.count > SelectorLimits.searchBytesMax { return DialogPages([]) }
    var next: SelectRecipients? = first
    next?.search = search
    return DialogPages {
      guard let operation = next else { return nil }
      let page = try await self.call(operation)
      next?.cursor = page.cursor
      if page.cursor.isEmpty { next = nil }
      return page.recipients.map { choice in
        FriendItem(
          playerID: choice.profile.player.description, displayName: choice.profile.displayName,
          isSuggested: choice.isSuggested)
      }
    }
  }
}

extension SelectRecipients {
  init(_ content: SendRequest) {
    self.init()
    filters = content.filters
    recipientSuggestions = content.recipientSuggestions.compactMap { PlayerID($0) }
    limit = UInt32(SelectorLimits.pageMax)
  }
}
