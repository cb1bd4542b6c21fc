package import Dialogs
package import MusterKit

extension DialogPages where Item == FriendItem {
  /// The friends whom `SelectRecipients` returns, page by page: first the suggested ones, in the
  /// order of the suggestions, then the others.
  ///
  /// - Parameters:
  ///   - first: the call for the first page.
  ///   - search: a part of their names; no name has in it a text that is longer than names are.
  ///   - call: makes the call, and throws what the library's own errors are.
  package convenience init(
    _ first: SelectRecipients, search: String,
    call: @escaping @MainActor (SelectRecipients) async throws -> SelectRecipients.Reply
  ) {
    var next = search.utf8.count > SelectorLimits.searchBytesMax ? nil : first
    next?.search = search
    self.init {
      guard let operation = next else { return nil }
      let page = try await call(operation)
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
  /// - Parameter suggested: ids of players; those beyond the limit of suggestions come among the
  ///   others.
  package init(suggesting suggested: [String]) {
    self.init()
    recipientSuggestions = Array(
      suggested.compactMap { PlayerID($0) }.prefix(RequestLimits.suggestionsMax))
    limit = UInt32(SelectorLimits.pageMax)
  }
}
