internal import Dialogs
internal import MusterKit

extension GamingServicesClient {
  /// The contexts to choose from, page by page, as the server chooses them: the most recently
  /// active first.
  @MainActor
  func contexts(_ first: ChooseContexts) -> DialogPages<ContextItem> {
    var next: ChooseContexts? = first
    return DialogPages {
      guard let operation = next else { return nil }
      let reply = try await self.call(operation)
      next?.cursor = reply.cursor
      if reply.cursor.isEmpty { next = nil }
      return await self.items(reply.contexts)
    }
  }

  /// Adds the names of the others. Where they cannot be read, the player chooses without them.
  private func items(_ contexts: [ContextInfo]) async -> [ContextItem] {
    let me = session?.player
    let others = contexts.map { context in
      let present = context.players.filter { $0.player != me && $0.state != .left }
      return present.prefix(ContextItem.namesMax).map(\.player)
    }
    var names: [PlayerID: String] = [:]
    for operation in GetProfiles.calls(about: others.flatMap { $0 }) {
      guard let reply = try? await call(operation) else { break }
      for profile in reply.profiles where !profile.displayName.isEmpty {
        names[profile.player] = profile.displayName
      }
    }
    return zip(contexts, others).map { context, others in
      ContextItem(
        identifier: context.context.description, size: Int(context.size),
        playerNames: others.compactMap { names[$0] })
    }
  }
}

extension ContextItem {
  /// Names in one line of a list: as many as a summary of a context tells others.
  fileprivate static let namesMax = 3
}
