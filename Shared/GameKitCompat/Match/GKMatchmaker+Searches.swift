internal import MusterKit

extension GKMatchmaker {
  static func match(for request: GKMatchRequest) async throws(GKError) -> GKMatch {
    let client = try GameKit.signedInClient()
    if Task.isCancelled { throw GKError(.cancelled, "The search was cancelled.") }
    let finder = MatchFinder(request: request, client: client)
    switch try request.way() {
    case .friend(let friend): return try await match(with: friend, request, client)
    case .invited(let players): return try await finder.join(try await finder.invited(players))
    case .anybody: return try await finder.join(try await finder.anybody())
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

  /// The players whom a request has brought together, without the local one.
  static func hostedPlayers(
    for request: GKMatchRequest, isAutomatching: Bool = true,
    _ observer: SearchObserver = SearchObserver()
  ) async throws(GKError) -> [GKPlayer] {
    let client = try GameKit.signedInClient()
    if Task.isCancelled { throw GKError(.cancelled, "The search was cancelled.") }
    let finder = MatchFinder(
      request: request, client: client, observer: observer, isAutomatching: isAutomatching)
    let invited = try request.invited()
    let found =
      invited.isEmpty ? try await finder.anybody() : try await finder.invited(invited)
    var operation = GetContext()
    operation.context = found.context
    let others = try await client.call(operation).players
      .filter { $0.state == .active && $0.player != client.session?.player }.map(\.player)
    let profiles = try await client.profiles(of: others)
    return others.map { id in profiles[id].map { GKPlayer($0) } ?? GKPlayer(id, displayName: "") }
  }
}
