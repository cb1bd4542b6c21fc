internal import MusterKit

/// Finds matches of the local player: with a friend, in the context of the two; with friends who
/// are invited; and with anybody who waits in the same player group.
@preconcurrency @MainActor
public final class GKMatchmaker {
  private static let only = GKMatchmaker()
  public static func shared() -> GKMatchmaker { only }

  private var search: Task<Void, Never>?

  private init() {}

  /// Finds the match that a request asks for, and joins it. With one friend, both players call
  /// this, each naming the other. The match begins when its `expectedPlayerCount` is 0.
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

  /// Cancels the running search, and its ticket; its handler gets an error, unless the match was
  /// found before.
  public func cancel() { search?.cancel() }

  /// Returns how many players wait in a player group or were matched in it in the last ten minutes.
  public func queryPlayerGroupActivity(
    _ playerGroup: Int,
    withCompletionHandler completionHandler: (@MainActor (Int, (any Error)?) -> Void)?
  ) {
    Task {
      do throws(GKError) {
        var operation = QueueActivity()
        operation.playerGroup = "\(playerGroup)"
        let reply = try await GameKit.signedInClient().call(operation)
        completionHandler?(Int(reply.waitingPlayers) + Int(reply.matchedPlayers), nil)
      } catch {
        completionHandler?(0, error)
      }
    }
  }

  /// As `queryPlayerGroupActivity` for the group of requests that name none.
  public func queryActivity(
    completionHandler: (@MainActor (Int, (any Error)?) -> Void)?
  ) {
    queryPlayerGroupActivity(0, withCompletionHandler: completionHandler)
  }

  private static func match(for request: GKMatchRequest) async throws(GKError) -> GKMatch {
    let client = try GameKit.signedInClient()
    if Task.isCancelled { throw GKError(.cancelled, "The search was cancelled.") }
    switch try request.way() {
    case .friend(let friend): return try await match(with: friend, request, client)
    case .invited(let players): return try await match(inviting: players, request, client)
    case .anybody:
      var operation = FindMatch()
      operation.playerGroup = "\(request.playerGroup)"
      operation.criteria = try request.criteria
      let ticket = try await client.call(operation).ticket
      return try await match(by: ticket, operation.playerGroup, client)
    }
  }

  private static func match(
    with friend: PlayerID, _ request: GKMatchRequest, _ client: any GameKitClient
  ) async throws(GKError) -> GKMatch {
    var operation = CreatePairContext()
    operation.player = friend
    let context = try await client.call(operation).context
    if let message = request.inviteMessage, !message.isEmpty {
      try await invite(friend, to: context, message, client)
    }
    let names = try await client.displayNames(of: [friend])
    do throws(MusterError) {
      return GKMatch(try await client.seat(in: context), names: names)
    } catch {
      throw GKError(error)
    }
  }

  // MARK: Anybody

  private static func match(
    by ticket: MatchTicketID, _ playerGroup: String, _ client: any GameKitClient
  ) async throws(GKError) -> GKMatch {
    do throws(MusterError) {
      let info = try await client.ticketOutcome(of: ticket, in: playerGroup)
      guard info.state == .matched, let context = info.context else { throw MusterError(info) }
      let found = FoundMatch(in: context, client)
      return GKMatch(try await found.seat(), names: [:], found: found)
    } catch {
      throw GKError(error)
    }
  }

  /// Invites friends, and waits until all have answered or the time for it is over.
  private static func match(
    inviting players: [PlayerID], _ request: GKMatchRequest, _ client: any GameKitClient
  ) async throws(GKError) -> GKMatch {
    var operation = InvitePlayers()
    operation.recipients = players
    operation.message = request.inviteMessage ?? ""
    operation.playerGroup = "\(request.playerGroup)"
    operation.criteria = try request.criteria
    operation.isAutomatching = true
    let invite = try await client.call(operation).invite
    guard let ended = await end(of: invite, in: client.playerEvents(after: nil)) else {
      var cancel = CancelMatchInvite()
      cancel.invite = invite
      let cancelling = Task { [cancel] in _ = try? await client.call(cancel, deadline: nil) }
      await cancelling.value
      throw GKError(.cancelled, "The search was cancelled.")
    }
    if let ticket = ended.ticket { return try await match(by: ticket, ended.playerGroup, client) }
    guard let context = ended.context else {
      throw GKError(.notReachable, argument: "recipients", "Too few friends have accepted.")
    }
    let names = try await client.displayNames(of: players)
    do throws(MusterError) {
      let found = FoundMatch(in: context, client)
      return GKMatch(try await found.seat(), names: names, found: found)
    } catch {
      throw GKError(error)
    }
  }

  private static func end(
    of invite: MatchInviteID, in events: any AsyncSequence<PlayerEvent, Never>
  ) async -> MatchInviteEnded? {
    for await event in events {
      if let ended = event.decode(MatchInviteEnded.self), ended.invite == invite { return ended }
    }
    return nil
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
