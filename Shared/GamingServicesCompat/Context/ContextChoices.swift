internal import MusterKit

/// The contexts that a player may choose from, the most recently active first, page by page.
@MainActor
public final class ContextChoices {
  private let client: any GamingServicesClient
  private let filter: ChooseContextFilter
  private let sizeMin: Int
  private let sizeMax: Int
  private var cursor: String? = ""
  private var isAppUser: [PlayerID: Bool] = [:]

  init(_ client: any GamingServicesClient, _ content: ChooseContextContent) {
    self.client = client
    filter = content.filter
    sizeMin = content.minParticipants
    sizeMax = content.maxParticipants == 0 ? .max : content.maxParticipants
  }

  /// Loads the next contexts to choose from; the page after the last one is empty.
  public func nextPage() async throws(GamingServicesError) -> [GamingContext] {
    while let cursor {
      var operation = ListContexts()
      operation.cursor = cursor
      let reply = try await client.call(operation)
      self.cursor = reply.cursor.isEmpty ? nil : reply.cursor
      var page: [GamingContext] = []
      for info in reply.contexts where try await offers(info) { page.append(GamingContext(info)) }
      if !page.isEmpty { return page }
    }
    return []
  }

  private func offers(_ info: ContextInfo) async throws(GamingServicesError) -> Bool {
    guard info.size >= sizeMin, info.size <= sizeMax else { return false }
    if filter == .none { return true }
    let others = info.players.filter {
      $0.state != .left && $0.player != client.session?.player
    }
    for other in others where try await hasPlayed(other.player) { return false }
    return !others.isEmpty
  }

  private func hasPlayed(_ player: PlayerID) async throws(GamingServicesError) -> Bool {
    if let known = isAppUser[player] { return known }
    let answer = try await client.isAppUser(player) ?? true
    isAppUser[player] = answer
    return answer
  }
}

extension GamingServicesClient {
  /// Returns whether a player has signed in to this game; nil for a player who cannot be reached.
  func isAppUser(_ player: PlayerID) async throws(GamingServicesError) -> Bool? {
    var operation = GetProfile()
    operation.player = player
    do throws(GamingServicesError) {
      return try await call(operation).isAppUser
    } catch {
      if error.code == .notReachable { return nil }
      throw error
    }
  }
}
