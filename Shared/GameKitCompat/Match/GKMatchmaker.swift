internal import MusterKit

/// Finds matches of the local player: with friends, who are invited, and with anybody who waits in
/// the same player group.
@preconcurrency @MainActor
public final class GKMatchmaker {
  private static let only = GKMatchmaker()
  public static func shared() -> GKMatchmaker { only }

  /// What goes on or waits for its turn.
  private var searches: [Int: Task<Void, Never>] = [:]
  private var searchCount = 0
  /// The search that the next one waits for.
  private var newestSearch: Task<Void, Never>?

  private init() {}

  // MARK: Matches

  /// Finds the match that a request asks for, and joins it. It begins when its
  /// `expectedPlayerCount` is 0.
  public func findMatch(
    for request: GKMatchRequest,
    withCompletionHandler completionHandler: (@MainActor (GKMatch?, (any Error)?) -> Void)? = nil
  ) {
    inTurn(completionHandler) { () async throws(GKError) in try await Self.match(for: request) }
  }

  public func findMatch(for request: GKMatchRequest) async throws -> GKMatch {
    try await outcome { findMatch(for: request, withCompletionHandler: $0) }
  }

  /// Waits for the match of an invitation that the local player has accepted, and joins it. It
  /// waits for no search. For a game on the game's own server there is no match to join.
  public func match(
    for invite: GKInvite,
    completionHandler: (@MainActor (GKMatch?, (any Error)?) -> Void)? = nil
  ) {
    _ = begin(after: nil, completionHandler) { () async throws(GKError) in
      if invite.isHosted {
        throw GKError(
          .invalidArgument, argument: "invite", "The match is on the game's own server.")
      }
      return try await MatchFinder.joined(invite, try GameKit.signedInClient())
    }
  }

  public func match(for invite: GKInvite) async throws -> GKMatch {
    try await outcome { match(for: invite, completionHandler: $0) }
  }

  /// Finds players for a game on the game's own server, and begins no match of Muster's. They do
  /// not include the local player.
  public func findPlayers(
    forHostedRequest request: GKMatchRequest,
    withCompletionHandler completionHandler: (@MainActor ([GKPlayer]?, (any Error)?) -> Void)? = nil
  ) {
    inTurn(completionHandler) { () async throws(GKError) in
      try await Self.hostedPlayers(for: request)
    }
  }

  public func findPlayers(forHostedRequest request: GKMatchRequest) async throws -> [GKPlayer] {
    try await outcome { findPlayers(forHostedRequest: request, withCompletionHandler: $0) }
  }

  /// Cancels every search that goes on or waits for its turn, and its ticket; its handler gets an
  /// error, unless the match was found before.
  public func cancel() {
    for search in searches.values { search.cancel() }
  }

  /// Takes back an invitation to this player alone. An invitation to several goes on.
  public func cancelPendingInvite(to player: GKPlayer) {
    for invite in PendingInvites.shared.invites(to: player.identifier) {
      var operation = CancelMatchInvite()
      operation.invite = invite
      Task { [operation] in _ = try? await GameKit.signedInClient().call(operation) }
    }
  }

  /// Does nothing: a match that has begun takes nobody in by itself.
  public func finishMatchmaking(for match: GKMatch) {}

  /// Searches run one after the other.
  private func inTurn<Value>(
    _ handler: (@MainActor (Value?, (any Error)?) -> Void)?,
    _ work: @escaping @MainActor () async throws(GKError) -> Value
  ) {
    newestSearch = begin(after: newestSearch, handler, work)
  }

  private func begin<Value>(
    after previousSearch: Task<Void, Never>?,
    _ handler: (@MainActor (Value?, (any Error)?) -> Void)?,
    _ work: @escaping @MainActor () async throws(GKError) -> Value
  ) -> Task<Void, Never> {
    searchCount += 1
    let number = searchCount
    let search = Task {
      await previousSearch?.value
      // The handler may begin or cancel others: this one is over by then.
      do throws(GKError) {
        let value = try await work()
        searches[number] = nil
        handler?(value, nil)
      } catch {
        searches[number] = nil
        handler?(nil, error)
      }
    }
    searches[number] = search
    return search
  }

  // MARK: Activity

  /// Returns how many players wait in a player group or were matched in it in the last ten minutes.
  public func queryPlayerGroupActivity(
    _ playerGroup: Int,
    withCompletionHandler completionHandler: (@MainActor (Int, (any Error)?) -> Void)? = nil
  ) {
    queryQueueActivity("\(playerGroup)", withCompletionHandler: completionHandler)
  }

  public func queryPlayerGroupActivity(_ playerGroup: Int) async throws -> Int {
    try await queryQueueActivity("\(playerGroup)")
  }

  /// As `queryPlayerGroupActivity`, for a queue by its name.
  public func queryQueueActivity(
    _ queueName: String,
    withCompletionHandler completionHandler: (@MainActor (Int, (any Error)?) -> Void)? = nil
  ) {
    Task {
      do throws(GKError) {
        var operation = QueueActivity()
        operation.playerGroup = queueName
        let reply = try await GameKit.signedInClient().call(operation)
        completionHandler?(Int(reply.waitingPlayers) + Int(reply.matchedPlayers), nil)
      } catch {
        completionHandler?(0, error)
      }
    }
  }

  public func queryQueueActivity(_ queueName: String) async throws -> Int {
    try await outcome { handler in
      queryQueueActivity(queueName) { handler($0, $1) }
    }
  }

  /// As `queryPlayerGroupActivity` for the group of requests that name none.
  public func queryActivity(
    completionHandler: (@MainActor (Int, (any Error)?) -> Void)? = nil
  ) {
    queryPlayerGroupActivity(0, withCompletionHandler: completionHandler)
  }

  public func queryActivity() async throws -> Int { try await queryPlayerGroupActivity(0) }

  @available(*, unavailable, message: "Muster does not know which players are nearby.")
  public func startBrowsingForNearbyPlayers(handler: ((GKPlayer, Bool) -> Void)? = nil) {}

  @available(*, unavailable, message: "Muster does not know which players are nearby.")
  public func stopBrowsingForNearbyPlayers() {}
}
