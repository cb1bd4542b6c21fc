internal import MusterKit

extension GKMatchmaker {
  /// Adds players to a match that goes on: the request's recipients, or else whoever waits. The
  /// handler is called when all have answered or somebody was found; who comes is then expected in
  /// the match. One player of the match does this.
  public func addPlayers(
    to match: GKMatch, matchRequest: GKMatchRequest,
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in
      try await Self.add(to: match, matchRequest, SearchObserver())
    }
  }

  public func addPlayers(to match: GKMatch, matchRequest: GKMatchRequest) async throws {
    try await outcome { addPlayers(to: match, matchRequest: matchRequest, completionHandler: $0) }
  }

  static func add(to match: GKMatch, _ request: GKMatchRequest, _ observer: SearchObserver)
    async throws(GKError)
  {
    let client = try GameKit.signedInClient()
    let finder = MatchFinder(request: request, client: client, observer: observer)
    var operation = GetContext()
    operation.context = match.context
    let info = try await client.call(operation)
    guard let details = info.details, details.isMatchRunning else {
      throw GKError(.matchEnded, "The match is over.")
    }
    let invited = try request.invited()
    if invited.isEmpty {
      try await fill(info, details.matchNumber, finder)
    } else {
      var operation = InvitePlayers()
      operation.recipients = invited
      operation.message = request.inviteMessage ?? ""
      operation.playerGroup = request.groupName
      operation.criteria = try request.criteria
      (operation.party, operation.match) = (match.context, details.matchNumber)
      if let fault = operation.fault { throw GKError(fault) }
      _ = try await finder.end(of: operation)
    }
  }

  private static func fill(_ info: ContextInfo, _ number: UInt64, _ finder: MatchFinder)
    async throws(GKError)
  {
    var operation = FindMatch()
    operation.playerGroup = finder.request.groupName
    operation.criteria = try finder.request.criteria
    (operation.party, operation.match) = (info.context, number)
    operation.members =
      info.players.filter { $0.state == .active && $0.player != GKLocalPlayer.local.identifier }
      .map(\.player)
    if let fault = operation.fault { throw GKError(fault) }
    let ticket = try await finder.client.call(operation).ticket
    _ = try await finder.match(of: ticket, operation.playerGroup)
  }
}
