/// Decides what a client does to get its seat in a match, to keep it over lost connections, and to
/// bring the match's events to one consumer.
///
/// It is a value without clock or connection: events go in by its methods, and actions come out in
/// the order in which to perform them. The data of the match is its `MatchExchange`'s.
///
/// Its owner calls `sessionBegan` whenever a session begins or goes on, `disconnected` whenever the
/// connection is lost, `received` for each event of a match, and `tick` every second.
package struct MatchSeat {
  package struct Limits: Sendable {
    package var exchange = MatchExchange.Limits()
    /// Events that may wait for the consumer; past it, data is not taken, and reliable data stays
    /// with its senders.
    package var bufferMax = 4096
    /// Ticks after which the seat joins again. If nothing has changed that costs next to nothing;
    /// otherwise the reply tells what this client has missed.
    package var joinTicks = 10
    /// Open calls at which unreliable data is dropped, so that it never delays reliable data.
    package var unreliableOpenMax = 32

    package init() {}
  }

  /// What a call of the seat is for.
  package enum Purpose: Equatable {
    /// To take the seat. The number tells the answer from that to an earlier attempt.
    case join(Int)
    /// To pass on data or an acknowledgement.
    case data
    /// To leave the match that a join which was given up may have taken a seat in.
    case leave
  }

  package enum Action {
    /// Make this call, and give its outcome to `answered`.
    case call(CallBook.Request, Purpose)
    /// Cancel the call that takes the seat, so that it is not made again later, and give its
    /// outcome to `answered`.
    case giveUpJoin
    /// Call `turnEnded` when what came together with this event was given to `received`.
    case awaitTurnEnd
    /// Tell whoever asked to join what came of it.
    case joined(Result<Void, MusterError>)
    /// Let go of the seat: `ended` is in the buffer, and nothing comes after it.
    case over
  }

  private enum Stage: Equatable {
    /// Waits for a session.
    case offline
    /// There is a session, and perhaps a call under way that takes the seat.
    case online(joining: Int?)
    case over
  }

  package static let tickMilliseconds: UInt64 = 1_000

  package let limits: Limits
  package private(set) var exchange: MatchExchange
  private var stage = Stage.offline
  /// When joining for the first time has taken too long; nil once that has come to its end.
  private var joinDeadline: UInt64?
  private var joinCount = 0
  /// Whether a join of this connection that has failed may have taken the seat all the same.
  private var mayHaveJoined = false
  /// The join that was given up; nil once its outcome is known.
  private var joinGivenUp: Int?
  private var startsNew: Bool
  private var ticks = 0
  private var awaitsTurnEnd = false
  private var buffer: [MatchEvent] = []

  /// - Parameters:
  ///   - seat: tells this client from others of the same player; chosen at random, never 0.
  ///   - startsNew: whether to start a new match if the last one has ended.
  ///   - joinDeadline: when the first attempts to join are given up, in milliseconds.
  package init(
    context: ContextID, seat: UInt64, startsNew: Bool, joinDeadline: UInt64,
    limits: Limits = Limits()
  ) {
    self.limits = limits
    self.startsNew = startsNew
    self.joinDeadline = joinDeadline
    exchange = MatchExchange(context: context, seat: seat, limits: limits.exchange)
  }

  package var isOver: Bool { stage == .over }

  /// The call that leaves the match on the server; the seat itself is left by `end`.
  package var leaveCall: LeaveMatch {
    var operation = LeaveMatch()
    operation.context = exchange.context
    operation.number = exchange.number
    operation.seat = exchange.seat
    return operation
  }

  // MARK: Joining

  /// A session has begun or goes on: takes the seat, again after each lost connection.
  package mutating func sessionBegan() -> [Action] {
    if stage == .offline { stage = .online(joining: nil) }
    return join()
  }

  /// The context service has started again, and knows no seats.
  package mutating func serviceRestored() -> [Action] { join() }

  package mutating func disconnected() {
    exchange.disconnected()
    mayHaveJoined = false
    if !isOver { stage = .offline }
  }

  private mutating func join() -> [Action] {
    guard stage == .online(joining: nil) else { return [] }
    joinCount += 1
    stage = .online(joining: joinCount)
    let operation = exchange.join(startsNew: startsNew)
    return [
      .call(CallBook.Request(operation, diesWithConnection: true), .join(joinCount))
    ]
  }

  /// A second has passed.
  package mutating func tick(now: UInt64) -> [Action] {
    if isOver { return [] }
    ticks += 1
    if let joinDeadline, now >= joinDeadline {
      return abandon(MusterError(.deadlineExceeded, "The match could not be joined in time."))
    }
    let actions = decide(exchange.timePassed(now: Int64(now)))
    return ticks % limits.joinTicks == 0 || !exchange.isJoined ? actions + join() : actions
  }

  /// Ends the seat if whoever wanted to join has left before it was joined.
  package mutating func giveUp() -> [Action] {
    if joinDeadline == nil { return [] }
    return abandon(MusterError(.cancelled, "Joining the match was cancelled."))
  }

  /// Gives up joining. A join that still waits to be sent would come after any leave, so it is
  /// given up first, and its outcome tells whether there may be a seat to leave.
  private mutating func abandon(_ error: MusterError) -> [Action] {
    guard case .online(let joining) = stage else { return fail(error) }
    joinGivenUp = joining
    return (joining == nil ? undoJoin() : [.giveUpJoin]) + fail(error)
  }

  /// Leaves the seat that a join of this connection may have taken: otherwise the player would be
  /// there for the others and never answer them.
  private func undoJoin() -> [Action] {
    mayHaveJoined
      ? [.call(CallBook.Request(leaveCall, diesWithConnection: true), .leave)] : []
  }

  /// Ends the match for this client. The consumer still gets the events that came before.
  package mutating func end(_ reason: MatchEnd) -> [Action] {
    if isOver { return [] }
    stage = .over
    buffer.append(.ended(reason))
    return finishJoining(.failure(MusterError(.matchEnded, "The match is over."))) + [.over]
  }

  private mutating func fail(_ error: MusterError) -> [Action] {
    finishJoining(.failure(error)) + end(.failed(error))
  }

  private mutating func finishJoining(_ result: Result<Void, MusterError>) -> [Action] {
    if joinDeadline == nil { return [] }
    joinDeadline = nil
    return [.joined(result)]
  }
}

// MARK: Answers and events

extension MatchSeat {
  /// A call of the seat has come to its end. Such a call dies with the connection, because the seat
  /// makes it again by itself where that is needed.
  package mutating func answered(_ purpose: Purpose, _ result: Result<[UInt8], MusterError>)
    -> [Action]
  {
    switch (purpose, result) {
    case (.join(let number), _):
      let isGivenUp = joinGivenUp == number
      guard isGivenUp || stage == .online(joining: number) else { return [] }
      if case .failure(let error) = result, error.isOutcomeUnknown { mayHaveJoined = true }
      if isGivenUp {
        joinGivenUp = nil
        return undoJoin()
      }
      stage = .online(joining: nil)
      return joined(result)
    case (.data, .failure(let error)):
      return isOver ? [] : decide(exchange.failed(error.failure))
    case (.data, .success), (.leave, _): return []
    }
  }

  private mutating func joined(_ result: Result<[UInt8], MusterError>) -> [Action] {
    switch result {
    case .success(let body):
      guard let reply = try? JoinMatch.Reply(decoding: body) else {
        return end(.failed(MusterError(.malformed, "The reply to JoinMatch cannot be read.")))
      }
      startsNew = false
      return decide(exchange.joined(reply)) + finishJoining(.success(()))
    // The next tick, or the next session, tries again.
    case .failure(let error) where error.code.isTransient && !error.failure.isLeftOut: return []
    // The session is over, and the seat with it.
    case .failure(let error) where error.code == .notAuthenticated:
      return finishJoining(.failure(error)) + end(.closed)
    case .failure(let error):
      return joinDeadline == nil ? end(reason(of: error)) : fail(error)
    }
  }

  /// Why a client that had its seat cannot come back to it.
  private func reason(of error: MusterError) -> MatchEnd {
    switch error.code {
    case .matchEnded: .ended
    case .conflict: .seatTaken
    default: .failed(error)
    }
  }

  /// An event of any match has come to this client.
  package mutating func received(_ opcode: Opcode, _ body: [UInt8]) -> [Action] {
    if isOver { return [] }
    switch opcode {
    case MatchData.opcode:
      // Data that is not taken is not acknowledged, so the sender of reliable data sends it again.
      guard buffer.count < limits.bufferMax, let event = try? MatchData(decoding: body) else {
        return []
      }
      return decide(exchange.received(event)) + acknowledgeLater()
    case MatchDataAcknowledged.opcode:
      let event = try? MatchDataAcknowledged(decoding: body)
      return decide(event.map { exchange.received($0) } ?? [])
    case MatchPlayerChanged.opcode:
      let event = try? MatchPlayerChanged(decoding: body)
      return decide(event.map { exchange.received($0) } ?? [])
    case MatchSeatTaken.opcode:
      let event = try? MatchSeatTaken(decoding: body)
      return decide(event.map { exchange.received($0) } ?? [])
    case MatchEnded.opcode:
      let event = try? MatchEnded(decoding: body)
      return decide(event.map { exchange.received($0) } ?? [])
    default: return []
    }
  }

  /// One acknowledgement goes out for all data that came in this turn.
  private mutating func acknowledgeLater() -> [Action] {
    if awaitsTurnEnd { return [] }
    awaitsTurnEnd = true
    return [.awaitTurnEnd]
  }

  package mutating func turnEnded() -> [Action] {
    awaitsTurnEnd = false
    return isOver ? [] : decide(exchange.acknowledge())
  }
}

// MARK: Data and the consumer

extension MatchSeat {
  /// Sends data to all other players, or to those in `players`.
  ///
  /// - Parameter openCallCount: calls of this client that are not answered yet.
  package mutating func send(
    _ bytes: [UInt8], to players: [PlayerID]?, isReliable: Bool, openCallCount: Int
  ) throws(MusterError) -> [Action] {
    let actions: [MatchExchange.Action]
    do {
      actions = try exchange.send(bytes, to: players, isReliable: isReliable)
    } catch {
      throw MusterError(error)
    }
    return !isReliable && openCallCount >= limits.unreliableOpenMax ? [] : decide(actions)
  }

  /// Turns what the exchange says into actions and events.
  private mutating func decide(_ actions: [MatchExchange.Action]) -> [Action] {
    var decided: [Action] = []
    for action in actions where !isOver {
      switch action {
      case .send(let operation):
        decided.append(.call(CallBook.Request(operation, diesWithConnection: true), .data))
      case .acknowledge(let operation):
        decided.append(.call(CallBook.Request(operation, diesWithConnection: true), .data))
      case .rejoin: decided += join()
      case .deliver(let player, let payload, let isReliable):
        buffer.append(.data(from: player, bytes: payload, isReliable: isReliable))
      case .playerChanged(let player, let state, let isNewClient):
        buffer.append(.playerChanged(player, state, isNewClient: isNewClient))
      case .oversized(let player): buffer.append(.messageLost(from: player))
      case .seatTaken: decided += end(.seatTaken)
      case .ended: decided += end(.ended)
      }
    }
    return decided
  }

  /// Events that wait for the consumer.
  package var waitingEventCount: Int { buffer.count }

  /// The next event for the consumer.
  package mutating func take() -> MatchEvent? { buffer.isEmpty ? nil : buffer.removeFirst() }

  /// All events that nobody has taken yet.
  package mutating func takeAll() -> [MatchEvent] {
    defer { buffer = [] }
    return buffer
  }
}
