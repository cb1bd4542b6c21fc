internal import Locking

/// This player's seat in the real-time match of a context.
///
/// Reliable data reaches every receiver once and in order, also over lost connections and a
/// restarted server, for as long as this client and the receiver's client live. A lost connection
/// is made again without the game; the other players see `disconnected` and `connected`.
public final class Match: Sendable {
  /// What any thread may read of the match.
  struct Posted {
    var players: [PlayerID] = []
    var states: [PlayerID: MatchPlayerState] = [:]
    var expectedPlayerCount = 0
    var hasBegun = false
    var host: PlayerID?
    var isEnded = false
    /// Events of an ended match that nobody has taken yet.
    var leftover: [MatchEvent] = []
    /// The call that leaves the match, from `leave` until it has succeeded.
    var leaveCall: LeaveMatch?
  }

  public let context: ContextID
  let client: MusterClient
  let posted = Locked(Posted())

  init(context: ContextID, client: MusterClient) {
    self.context = context
    self.client = client
  }

  /// The others who have joined and not left, never the local player.
  public var players: [PlayerID] { posted.withLock { $0.players } }
  /// Players who have not joined yet; at least 1 until the match begins, and 0 then.
  public var expectedPlayerCount: Int { posted.withLock { $0.expectedPlayerCount } }
  /// Whether data can be sent: nobody was expected any more at some time.
  public var hasBegun: Bool { posted.withLock { $0.hasBegun } }
  /// The player who was chosen as host, perhaps the local one; nil before `chooseHost` of anybody.
  public var host: PlayerID? { posted.withLock { $0.host } }
  public var isEnded: Bool { posted.withLock { $0.isEnded } }
  public func state(of player: PlayerID) -> MatchPlayerState {
    posted.withLock { $0.states[player] ?? .absent }
  }

  func takeLeftover() -> MatchEvent? {
    posted.withLock { $0.leftover.isEmpty ? nil : $0.leftover.removeFirst() }
  }

  /// What happens in the match, for one consumer at a time. While the consumer does not keep up,
  /// reliable data stays with its senders, and their buffers fill.
  public var events: MatchEvents { MatchEvents(match: self) }

  /// Sends data to all other players, or to those in `players`, and repeats it until each has it.
  ///
  /// It returns when the data is in the buffer, before the data has arrived.
  /// - Throws: `matchEnded`; `notOpen` before the match begins; `invalidArgument` (recipients,
  ///   payload); `backpressure` when the buffer for one receiver is full, and then nothing was sent
  ///   to anyone. A player who takes no data is out of the match after the grace time.
  public func sendReliable(_ bytes: [UInt8], to players: [PlayerID]? = nil)
    async throws(MusterError)
  {
    try await client.send(bytes, to: players, isReliable: true, in: self)
  }

  /// Sends data to all other players, or to those in `players`, at most once. Where it would have
  /// to wait, newer data to the same players takes its place.
  public func sendUnreliable(_ bytes: [UInt8], to players: [PlayerID]? = nil)
    async throws(MusterError)
  {
    try await client.send(bytes, to: players, isReliable: false, in: self)
  }

  /// Asks which player is to run what only one can run: the one whose longest way to another is the
  /// shortest. The answer is the same for all players while that one is connected; it is nil while
  /// players are expected, and until each has been asked or has played for a few seconds.
  public func chooseHost() async throws(MusterError) -> PlayerID? {
    try await client.host(of: self)
  }

  /// Has others of the context play along, also those who have left the match. They are expected
  /// until they join; the match goes on meanwhile.
  ///
  /// - Throws: the errors of `AddMatchPlayers`.
  public func addPlayers(_ players: [PlayerID]) async throws(MusterError) {
    var operation = AddMatchPlayers()
    operation.context = context
    operation.players = players
    _ = try await client.call(operation)
  }

  /// Starts the next match of the context with the players of this one, or joins it when another
  /// player has started it. This match must have ended, or this client have left it.
  public func rematch() async throws(MusterError) -> Match {
    try await client.match(in: context, MatchStart(startsNew: true, isRematch: true))
  }

  /// Leaves the match for good. Reliable data that has not arrived may be lost.
  ///
  /// When it throws, the match is over for this client all the same, but the other players may
  /// still see this player in it: call it again to tell them.
  public func leave() async throws(MusterError) { try await client.leave(self) }
}

/// The events of a match, until it has ended.
public struct MatchEvents: AsyncSequence, Sendable {
  public typealias Element = MatchEvent
  public typealias Failure = Never

  let match: Match

  public func makeAsyncIterator() -> Iterator { Iterator(match: match) }

  public struct Iterator: AsyncIteratorProtocol {
    let match: Match

    public mutating func next() async -> MatchEvent? { await match.client.nextEvent(match) }
    public mutating func next(isolation actor: isolated (any Actor)?) async -> MatchEvent? {
      await match.client.nextEvent(match)
    }
  }
}

extension MusterClient {
  /// Takes this player's seat in the match of a context, starting the match when there is none.
  ///
  /// - Parameters:
  ///   - context: a context that this player is in.
  ///   - startsNew: whether to start a new match if the last one has ended. A running match is
  ///     joined in any case.
  ///   - players: who plays besides this player if the match starts now.
  ///   - playerCount: in a group, how many play if the match starts now and nobody is named: those
  ///     who join first. With neither, all who are in the context play.
  /// - Throws: `alreadyExists` when this client is in the match; the errors of `JoinMatch`.
  public func match(
    in context: ContextID, startsNew: Bool = false, players: [PlayerID] = [],
    playerCount: Int = 0
  ) async throws(MusterError) -> Match {
    try await match(
      in: context,
      MatchStart(startsNew: startsNew, players: players, playerCount: playerCount))
  }

  func match(in context: ContextID, _ start: MatchStart) async throws(MusterError) -> Match {
    let match = Match(context: context, client: self)
    let result = await withTaskCancellationHandler {
      await self.joined(match, start)
    } onCancel: {
      Task { await self.giveUp(match) }
    }
    try result.get()
    return match
  }

  func host(of match: Match) async throws(MusterError) -> PlayerID? {
    try await call(core().openMatch(match).seat.hostCall).host
  }

  private func joined(_ match: Match, _ start: MatchStart) async -> Result<Void, MusterError> {
    await withCheckedContinuation { continuation in
      do throws(MusterError) {
        let core = try core()
        core.join(match, start: start) { continuation.resume(returning: $0) }
        if Task.isCancelled { try? core.openMatch(match).giveUp() }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }

  private func giveUp(_ match: Match) { try? core().openMatch(match).giveUp() }

  func send(_ bytes: [UInt8], to players: [PlayerID]?, isReliable: Bool, in match: Match)
    throws(MusterError)
  {
    try core().openMatch(match).send(bytes, to: players, isReliable: isReliable)
  }

  func leave(_ match: Match) async throws(MusterError) {
    let core = try core()
    if let open = try? core.openMatch(match) {
      let operation = open.seat.leaveCall
      match.posted.withLock { $0.leaveCall = operation }
      open.end(.left)
    }
    guard let operation = match.posted.withLock({ $0.leaveCall }) else { return }
    do throws(MusterError) {
      _ = try await call(operation)
    } catch {
      // Another client of the player has the seat: there is none to leave here.
      if error.code != .notAllowed { throw error }
    }
    match.posted.withLock { $0.leaveCall = nil }
  }

  func nextEvent(_ match: Match) async -> MatchEvent? {
    await withTaskCancellationHandler {
      await self.wait(match)
    } onCancel: {
      Task { await self.stopWaiting(match) }
    }
  }

  private func wait(_ match: Match) async -> MatchEvent? {
    await withCheckedContinuation { continuation in
      guard let open = try? core().openMatch(match) else {
        continuation.resume(returning: match.takeLeftover())
        return
      }
      open.wait { continuation.resume(returning: $0) }
      if Task.isCancelled { open.stopWaiting() }
    }
  }

  private func stopWaiting(_ match: Match) { try? core().openMatch(match).stopWaiting() }
}
