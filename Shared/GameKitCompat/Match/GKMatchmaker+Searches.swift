internal import MusterKit

extension GKMatchmaker {
  static func match(for request: GKMatchRequest) async throws(GKError) -> GKMatch {
    let client = try GameKit.signedInClient()
    if Task.isCancelled { throw GKError(.cancelled, "The search was cancelled.") }
    let finder = MatchFinder(request: request, client: client)
    return try await finder.join(try await finder.found())
  }

  /// The players whom a request has brought together, without the local one.
  static func hostedPlayers(
    for request: GKMatchRequest, isAutomatching: Bool = true,
    _ observer: SearchObserver = SearchObserver()
  ) async throws(GKError) -> [GKPlayer] {
    let client = try GameKit.signedInClient()
    if Task.isCancelled { throw GKError(.cancelled, "The search was cancelled.") }
    let finder = MatchFinder(
      request: request, client: client, observer: observer, isAutomatching: isAutomatching,
      isHosted: true)
    return try await finder.use(try await finder.found()) { (context) async throws(GKError) in
      try await players(in: context, client)
    }
  }

  /// The players who were brought together, without the local one.
  static func players(in context: ContextID, _ client: any GameKitClient)
    async throws(GKError) -> [GKPlayer]
  {
    let others = try await client.activePlayers(in: context)
      .filter { $0 != client.session?.player }
    let profiles = try await client.profiles(of: others)
    return others.map { id in profiles[id].map { GKPlayer($0) } ?? GKPlayer(id, displayName: "") }
  }
}
