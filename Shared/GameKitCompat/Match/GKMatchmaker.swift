internal import MusterKit

/// Finds the match of the local player and a friend, which is the match of their context.
@preconcurrency @MainActor
public final class GKMatchmaker {
  private static let only = GKMatchmaker()
  public static func shared() -> GKMatchmaker { only }

  private var search: Task<Void, Never>?

  private init() {}

  /// Starts the match, or joins it if the friend has started it. Both players call this, each
  /// naming the other. The match begins when its `expectedPlayerCount` is 0.
  public func findMatch(
    for request: GKMatchRequest,
    withCompletionHandler completionHandler: (@MainActor (GKMatch?, (any Error)?) -> Void)?
  ) {
    // Searches run one after the other.
    let previousSearch = search
    search = Task {
      await previousSearch?.value
      do throws(GKError) {
        completionHandler?(try await Self.match(for: request), nil)
      } catch {
        completionHandler?(nil, error)
      }
    }
  }

  /// Cancels the running search; its handler gets an error.
  public func cancel() { search?.cancel() }

  private static func match(for request: GKMatchRequest) async throws(GKError) -> GKMatch {
    let client = try GameKit.signedInClient()
    if Task.isCancelled { throw GKError(.cancelled, "The search was cancelled.") }
    var operation = CreatePairContext()
    operation.player = try request.friend()
    let context = try await client.call(operation).context
    if let message = request.inviteMessage, !message.isEmpty {
      try await invite(operation.player, to: context, message, client)
    }
    let names = try await client.displayNames(of: [operation.player])
    do throws(MusterError) {
      return GKMatch(try await client.seat(in: context), names: names)
    } catch {
      throw GKError(error)
    }
  }

  private static func invite(
    _ player: PlayerID, to context: ContextID, _ message: String, _ client: any GameKitClient
  ) async throws(GKError) {
    var operation = SendRequest()
    operation.message = message
    operation.actionType = .invite
    operation.recipients = [player.description]
    operation.data = context.description
    if let failure = RequestContentRules.failure(in: operation) { throw GKError(failure) }
    let outcomes = try await client.call(operation).recipients
    if outcomes.contains(where: { $0.outcome != .delivered && $0.outcome != .queued }) {
      throw GKError(.notReachable, argument: "recipients", "The invitation cannot be delivered.")
    }
  }
}
