internal import MusterKit

/// The contexts that a player may choose from, the most recently active first, page by page, as the
/// server chooses them.
@MainActor
public final class ContextChoices {
  private let client: any GamingServicesClient
  /// The call for the next page; nil after the last one.
  private var next: ChooseContexts?

  /// - Parameter content: valid, so that its bounds are not negative.
  init(_ client: any GamingServicesClient, _ content: ChooseContextContent) {
    self.client = client
    var operation = ChooseContexts()
    operation.filter = content.filter.filter
    operation.minParticipants = UInt32(clamping: content.minParticipants)
    operation.maxParticipants = UInt32(clamping: content.maxParticipants)
    next = operation
  }

  /// Loads the next contexts to choose from; the page after the last one is empty.
  public func nextPage() async throws(GamingServicesError) -> [GamingContext] {
    while let operation = next {
      let reply = try await client.call(operation)
      next?.cursor = reply.cursor
      if reply.cursor.isEmpty { next = nil }
      if !reply.contexts.isEmpty { return reply.contexts.map { GamingContext($0) } }
    }
    return []
  }
}
