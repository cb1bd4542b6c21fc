internal import Foundation
internal import MusterKit

extension GKTurnBasedMatch {
  /// Starts a match with the request's recipients, who are invited; or waits for others who ask for
  /// one in the same player group. Real-time matches and turn-based ones have groups of their own.
  ///
  /// A match with recipients is among these alone: strangers are not put with friends, so fewer
  /// than the request's `minPlayers` are an error (`matchRequestInvalid`), and neither its
  /// `defaultNumberOfPlayers` nor its `inviteMessage` counts.
  public static func find(
    for request: GKMatchRequest,
    withCompletionHandler completionHandler:
      @escaping @MainActor (GKTurnBasedMatch?, (any Error)?) -> Void
  ) {
    complete(completionHandler) { () async throws(GKError) in
      try await find(for: request, SearchObserver())
    }
  }

  public static func find(for request: GKMatchRequest) async throws -> GKTurnBasedMatch {
    try await outcome { find(for: request, withCompletionHandler: $0) }
  }

  static func find(for request: GKMatchRequest, _ observer: SearchObserver)
    async throws(GKError) -> GKTurnBasedMatch
  {
    let client = try GameKit.signedInClient()
    let invited = try request.invited()
    if !invited.isEmpty {
      guard invited.count + 1 >= request.minPlayers else {
        throw GKError(
          .invalidArgument, argument: "minPlayers",
          "A match with friends has no seats for others: name more friends, or nobody.")
      }
      return try await start(with: invited, client)
    }
    let own = request.copy()
    if own.queueName == nil { own.queueName = "turns-\(request.playerGroup)" }
    let finder = MatchFinder(request: own, client: client, observer: observer)
    return try await finder.use(try await finder.anybody()) { (context) async throws(GKError) in
      try await begin(in: context, try await client.activePlayers(in: context), client)
    }
  }

  /// In the context of the two where it is free: a context has one match at a time.
  private static func start(with players: [PlayerID], _ client: any GameKitClient)
    async throws(GKError) -> GKTurnBasedMatch
  {
    let all = [GKLocalPlayer.local.identifier] + players
    if players.count == 1 {
      var pair = CreatePairContext()
      pair.player = players[0]
      do throws(GKError) {
        return try await start(in: try await client.call(pair).context, all, client)
      } catch  where error.failure == .conflict {}
    }
    var group = CreateGroupContext()
    (group.players, group.sizeMax) = (players, UInt32(all.count))
    let reply = try await client.call(group)
    if let refused = reply.outcomes.first(where: { $0.outcome != .invited }) {
      // Those who can be reached are not left with an invitation to a group without a match.
      var close = CloseContext()
      (close.context, close.isForGood) = (reply.info.context, true)
      _ = try? await client.call(close, deadline: nil)
      throw GKError(
        .notReachable, argument: "recipients", "\(refused.player) cannot be invited.")
    }
    return try await start(in: reply.info.context, all, client)
  }

  /// Starts the match of players who were found, or takes part in it where another was faster.
  private static func begin(
    in context: ContextID, _ players: [PlayerID], _ client: any GameKitClient
  ) async throws(GKError) -> GKTurnBasedMatch {
    do throws(GKError) {
      return try await start(in: context, players, client)
    } catch  where error.failure == .conflict {
      let match = try await load(context, 0, client)
      try await match.answer(accept: true, client)
      return match
    }
  }

  static func start(
    in context: ContextID, _ players: [PlayerID], rematchOf number: UInt32 = 0,
    options: TurnOptions = TurnOptions(), _ client: any GameKitClient
  ) async throws(GKError) -> GKTurnBasedMatch {
    var operation = StartTurnGame()
    (operation.context, operation.players) = (context, players)
    (operation.rematchOf, operation.options) = (number, options)
    if let fault = operation.fault { throw GKError(fault) }
    let info = try await client.call(operation)
    let match = GKTurnBasedMatch(info, names: try await client.displayNames(of: players))
    match.update(info, state: Data())
    match.exchanges = []
    return match
  }

  // MARK: Invitations and rematches

  /// Takes part in a match to which the local player is invited.
  public func acceptInvite(
    completionHandler: (@MainActor (GKTurnBasedMatch?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      try self.expectInvited()
      // Who was invited to a group enters it first; being in the context already is no error.
      var enter = SwitchContext()
      enter.context = self.info.context
      do throws(GKError) {
        _ = try await client.call(enter)
      } catch  where error.failure == .sameContext {}
      try await self.answer(accept: true, client)
      return self
    }
  }

  public func acceptInvite() async throws -> GKTurnBasedMatch {
    try await outcome { acceptInvite(completionHandler: $0) }
  }

  public func declineInvite(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      try self.expectInvited()
      try await self.answer(accept: false, client)
    }
  }

  public func declineInvite() async throws {
    try await outcome { declineInvite(completionHandler: $0) }
  }

  private func expectInvited() throws(GKError) {
    let local = GKLocalPlayer.local.identifier
    guard participant(of: local)?.status == .invited else {
      throw GKError(
        .notAllowed, as: .turnBasedInvalidState, "You are not invited to this match.")
    }
  }

  private func answer(accept: Bool, _ client: any GameKitClient) async throws(GKError) {
    var operation = AnswerTurnGame()
    (operation.context, operation.number, operation.accept) = (info.context, info.number, accept)
    update(try await client.call(operation))
    if accept { try await reload(client) }
  }

  /// Starts the match that comes after this one, which has ended, with the same players; or returns
  /// the one that another of them has started.
  public func rematch(
    completionHandler: (@MainActor (GKTurnBasedMatch?, (any Error)?) -> Void)? = nil
  ) {
    let (info, players) = (info, info.seats.map(\.player).filter { !$0.isNil })
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      do throws(GKError) {
        return try await Self.start(
          in: info.context, players, rematchOf: info.number, options: info.options, client)
      } catch  where error.failure == .conflict {
        let next = try await Self.load(info.context, 0, client)
        if next.info.number == info.number + 1 { return next }
        throw error
      }
    }
  }

  public func rematch() async throws -> GKTurnBasedMatch {
    try await outcome { rematch(completionHandler: $0) }
  }

  /// Does nothing for a match that is over for the local player: `loadMatches` leaves it out by
  /// itself. For any other it is an error.
  public func remove(completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
    complete(completionHandler) { () async throws(GKError) in
      let local = self.participant(of: GKLocalPlayer.local.identifier)?.status
      if self.status == .ended || local == .declined || local == .done { return }
      throw GKError(
        .conflict, as: .turnBasedInvalidState, "A match that goes on is left before.")
    }
  }

  public func remove() async throws { try await outcome { remove(completionHandler: $0) } }
}
