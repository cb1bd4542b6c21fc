public import MusterKit

/// What this library needs of a client; tests put another one in its place.
package protocol GameKitClient: AnyObject, Sendable {
  var session: SessionInfo? { get }
  var states: AsyncStream<ConnectionState> { get }
  func signIn(_ credential: Credential, deadline: Duration?) async throws(MusterError)
    -> SessionInfo
  func call<O: Operation>(_ operation: O, deadline: Duration?) async throws(MusterError) -> O.Reply
  /// Returns friends, invitations and blocks, with the profiles of now where friends can be asked.
  func friends() async throws(MusterError) -> [Friend]
  /// Waits until a ticket has ended; cancels it when the task is cancelled.
  func ticketOutcome(of ticket: MatchTicketID, in playerGroup: String) async throws(MusterError)
    -> TicketInfo
  /// Takes the seat in a match that was found, whose context may open a moment later.
  /// Leaves the context when the task is cancelled.
  func foundSeat(in context: ContextID) async throws(MusterError) -> any MatchSeating
  /// Returns the player's events after a place; nil begins after the last acknowledged one. An
  /// iterator ends with the session that it was made in.
  func playerEvents(after place: StreamPlace?) -> any AsyncSequence<PlayerEvent, Never>
  /// The player's events about matchmaking from now on, until the player signs out. Nothing is
  /// acknowledged by it: only who tells the game's listeners of events is a consumer of
  /// `playerEvents`, so that events wait on the server while nobody listens.
  var matchmakingEvents: AsyncStream<PlayerEvent> { get }
  /// What is lost while the client is not connected: each use hears what comes from then on, until
  /// the player signs out.
  var hints: AsyncStream<PlayerHint> { get }
  /// News of invitations to matches, as `MusterClient.matchInvites`.
  var matchInvites: AsyncStream<MatchInviteNews> { get }
  func acceptMatchInvite(_ invite: MatchInviteReference) async throws(MusterError)
  func photo(_ photo: PhotoID, of player: PlayerID) async throws(MusterError) -> [UInt8]
  func challengeablePlayers(toEarn achievement: String, among players: [PlayerID]?)
    async throws(MusterError) -> ChallengeablePlayers
  func issueChallenge(
    toEarn achievement: String, receivers: [PlayerID], message: String, lifetime: Duration?
  ) async throws(MusterError) -> IssuedChallengeOutcomes
}

extension GameKitClient {
  func call<O: Operation>(_ operation: O) async throws(GKError) -> O.Reply {
    do throws(MusterError) {
      return try await call(operation, deadline: nil)
    } catch {
      throw GKError(error)
    }
  }

  /// The players who are in a context now, the local one among them.
  func activePlayers(in context: ContextID) async throws(GKError) -> [PlayerID] {
    var operation = GetContext()
    operation.context = context
    return try await call(operation).players.filter { $0.state == .active }.map(\.player)
  }
}

/// What this library needs of a seat in a match; tests put another one in its place.
package protocol MatchSeating: Sendable {
  var context: ContextID { get }
  var players: [PlayerID] { get }
  var expectedPlayerCount: Int { get }
  var isEnded: Bool { get }
  func sendReliable(_ bytes: [UInt8], to players: [PlayerID]?) async throws(MusterError)
  func sendUnreliable(_ bytes: [UInt8], to players: [PlayerID]?) async throws(MusterError)
  /// Has others of the context play along, also those who have left the match.
  func addPlayers(_ players: [PlayerID]) async throws(MusterError)
  func leave() async throws(MusterError)
  func chooseHost() async throws(MusterError) -> PlayerID?
  /// Takes the seat in the next match of the same players.
  func rematchSeat() async throws(MusterError) -> any MatchSeating
  /// Returns the next event; nil after the last one, and when the task was cancelled.
  func nextEvent() async -> MatchEvent?
}

extension MusterClient: GameKitClient {
  package nonisolated func foundSeat(in context: ContextID) async throws(MusterError)
    -> any MatchSeating
  {
    try await joinFound(context)
  }

  package nonisolated func playerEvents(after place: StreamPlace?)
    -> any AsyncSequence<PlayerEvent, Never>
  {
    events(after: place)
  }
}

extension Match: MatchSeating {
  package func rematchSeat() async throws(MusterError) -> any MatchSeating { try await rematch() }

  package func nextEvent() async -> MatchEvent? {
    var iterator = events.makeAsyncIterator()
    return await iterator.next()
  }
}
