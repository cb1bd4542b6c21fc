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
    /// Events that may wait for the consumer, and bytes of reliable data among them; past either,
    /// reliable data is not taken and stays with its senders.
    package var bufferMax = 4096
    package var bufferSizeMax = 4 << 20
    /// Ticks after which the seat joins again. If nothing has changed that costs next to nothing;
    /// otherwise the reply tells what this client has missed.
    package var joinTicks = 10
    /// Calls with reliable data that may be open. The others wait here; past the second value they
    /// are dropped, and repeated when nobody acknowledges them. How many of all matches are under
    /// way at once, `CallBook` bounds.
    package var reliableOpenMax = 32
    package var reliableWaitingMax = 1024
    /// Calls with unreliable data that may be open; past it, the newest piece waits in the place of
    /// the one before, so that it never delays reliable data.
    package var unreliableOpenMax = 32
    /// Bytes of them, of which one may have more.
    package var unreliableOpenSizeMax = 16 << 10
    /// Different choices of receivers for whom a piece of unreliable data may wait.
    package var unreliableWaitingMax = 16
    /// How long an acknowledgement may wait for what else comes.
    package var acknowledgementMilliseconds = UInt64(
      ContextLimits.matchAcknowledgementMilliseconds)

    package init() {}
  }

  /// What a call of the seat is for.
  package enum Purpose: Equatable {
    /// To take the seat. The number tells the answer from that to an earlier attempt.
    case join(Int)
    /// To acknowledge data.
    case acknowledgement
    /// To pass on reliable data.
    case reliable
    /// To pass on so many bytes of unreliable data.
    case unreliable(Int)
    /// To leave the match that a join which was given up may have taken a seat in.
    case leave

    /// Whether the call is live: nobody waits for its reply, so the reply may be late.
    var isLive: Bool {
      switch self {
      case .join, .leave: false
      case .acknowledgement, .reliable, .unreliable: true
      }
    }
  }

  package enum Action {
    /// Make this call, and give its outcome to `answered`.
    case call(CallBook.Request, Purpose)
    /// Cancel the call that takes the seat, so that it is not made again later, and give its
    /// outcome to `answered`.
    case giveUpJoin
    /// Call `acknowledgementIsDue` after `Limits.acknowledgementMilliseconds`.
    case acknowledgeLater
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
  private var start: MatchStart
  private var ticks = 0
  private var awaitsAcknowledgement = false
  private var buffer: MatchEventBuffer
  private var reliableOpen = 0
  private var reliableWaiting: ArraySlice<SendMatchData> = []
  private var unreliableOpen = 0
  private var unreliableOpenSize = 0
  /// The newest unreliable data for each choice of receivers that waits for an open call's end.
  private var unreliableWaiting: [(receivers: UInt16, operation: SendMatchData)] = []

  /// - Parameters:
  ///   - seat: tells this client from others of the same player; chosen at random, never 0.
  ///   - start: what becomes of the match if this client starts it.
  ///   - joinDeadline: when the first attempts to join are given up, in milliseconds.
  package init(
    context: ContextID, seat: UInt64, start: MatchStart, joinDeadline: UInt64,
    limits: Limits = Limits()
  ) {
    self.limits = limits
    self.start = start
    buffer = MatchEventBuffer(countMax: limits.bufferMax, sizeMax: limits.bufferSizeMax)
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

  /// The call that asks who is host.
  package var hostCall: ChooseMatchHost {
    var operation = ChooseMatchHost()
    operation.context = exchange.context
    operation.incarnation = exchange.incarnation
    operation.seat = exchange.seat
    operation.latencyMilliseconds = exchange.latencyMilliseconds
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
    forgetWaiting()
    if !isOver { stage = .offline }
  }

  private mutating func join() -> [Action] {
    guard stage == .online(joining: nil) else { return [] }
    joinCount += 1
    stage = .online(joining: joinCount)
    var operation = exchange.join(startsNew: start.startsNew)
    if exchange.number == 0 {
      operation.players = start.players
      operation.playerCount = UInt32(clamping: start.playerCount)
      operation.isRematch = start.isRematch
    }
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
    let actions = decide(exchange.timePassed(now: Int64(now))) + sendReliableWaiting()
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
    mayHaveJoined ? [.call(CallBook.Request(leaveCall), .leave)] : []
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
  /// makes it again by itself where that is needed; only the one that leaves outlives the seat, and
  /// so is repeated like other calls.
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
    case (.acknowledgement, .failure(let error)):
      return isOver ? [] : decide(exchange.failed(error.failure))
    case (.reliable, _):
      reliableOpen -= 1
      if isOver { return [] }
      // After a failure the others wait for a success or a tick: they would meet the same.
      guard case .failure(let error) = result else { return sendReliableWaiting() }
      return decide(exchange.failed(error.failure))
    case (.unreliable(let size), _):
      unreliableOpen -= 1
      unreliableOpenSize -= size
      if isOver { return [] }
      guard case .failure(let error) = result else { return sendWaiting() }
      return decide(exchange.failed(error.failure)) + sendWaiting()
    case (.acknowledgement, .success), (.leave, _): return []
    }
  }

  /// A call of the seat was answered after so many milliseconds.
  ///
  /// What is measured are the calls that join, one every ten seconds.
  package mutating func measured(roundTrip: UInt64, of purpose: Purpose) {
    if purpose.isLive { return }
    let latest = UInt32(clamping: max(1, roundTrip))
    let before = exchange.latencyMilliseconds
    // A late answer says little: the call may have waited, or what it asked for. An early one does.
    // Four late ones, of 40 seconds, make up two thirds of a difference.
    exchange.latencyMilliseconds =
      before == 0 || latest < before ? latest : before + (latest - before + 3) / 4
  }

  private mutating func joined(_ result: Result<[UInt8], MusterError>) -> [Action] {
    switch result {
    case .success(let body):
      guard let reply = try? JoinMatch.Reply(decoding: body) else {
        return end(.failed(MusterError(.malformed, "The reply to JoinMatch cannot be read.")))
      }
      if reply.hasNoSeat {
        return joined(
          .failure(MusterError(.notAllowed, "The match has no seat for you.")))
      }
      start = MatchStart()
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
      guard let event = try? MatchData(decoding: body), !event.isReliable || !buffer.isFull else {
        return []
      }
      return decide(exchange.received(event)) + (event.isReliable ? acknowledgeLater() : [])
    case MatchDataAcknowledged.opcode:
      let event = try? MatchDataAcknowledged(decoding: body)
      return decide(event.map { exchange.received($0) } ?? [])
    case MatchPlayerChanged.opcode:
      let event = try? MatchPlayerChanged(decoding: body)
      return decide(event.map { exchange.received($0) } ?? [])
    case MatchHostChosen.opcode:
      let event = try? MatchHostChosen(decoding: body)
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

  /// One acknowledgement goes out for all data that comes within a moment.
  private mutating func acknowledgeLater() -> [Action] {
    if isOver { return [] }
    if exchange.isAcknowledgementUrgent { return decide(exchange.acknowledge()) }
    if awaitsAcknowledgement { return [] }
    awaitsAcknowledgement = true
    return [.acknowledgeLater]
  }

  package mutating func acknowledgementIsDue() -> [Action] {
    awaitsAcknowledgement = false
    return isOver ? [] : decide(exchange.acknowledge())
  }
}

// MARK: Data and the consumer

extension MatchSeat {
  /// Sends data to all other players, or to those in `players`.
  package mutating func send(
    _ bytes: [UInt8], to players: [PlayerID]?, isReliable: Bool
  ) throws(MusterError) -> [Action] {
    let actions: [MatchExchange.Action]
    do {
      actions = try exchange.send(bytes, to: players, isReliable: isReliable)
    } catch {
      throw MusterError(error)
    }
    return decide(actions)
  }

  /// Turns what the exchange says into actions and events.
  private mutating func decide(_ actions: [MatchExchange.Action]) -> [Action] {
    var decided: [Action] = []
    for action in actions where !isOver {
      switch action {
      case .send(let operation) where !operation.isReliable:
        decided += sendUnreliable(operation)
      case .send(let operation): decided += sendReliable(operation)
      case .acknowledge(let operation):
        decided.append(
          .call(CallBook.Request(operation, diesWithConnection: true), .acknowledgement))
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

  private mutating func sendReliable(_ operation: SendMatchData) -> [Action] {
    if reliableOpen < limits.reliableOpenMax && reliableWaiting.isEmpty {
      reliableOpen += 1
      return [Self.call(operation, .reliable)]
    }
    if reliableWaiting.count < limits.reliableWaitingMax { reliableWaiting.append(operation) }
    return []
  }

  /// Sends reliable data that has waited, if it is of this life of the match: all of it is sent
  /// anew in the next one.
  private mutating func sendReliableWaiting() -> [Action] {
    var actions: [Action] = []
    while reliableOpen < limits.reliableOpenMax, !reliableWaiting.isEmpty {
      let operation = reliableWaiting.removeFirst()
      guard exchange.isJoined, operation.incarnation == exchange.incarnation else { continue }
      reliableOpen += 1
      actions.append(Self.call(operation, .reliable))
    }
    // A slice keeps what was taken from its front for as long as it has the same memory.
    if reliableWaiting.isEmpty { reliableWaiting = [] }
    return actions
  }

  private static func call(_ operation: SendMatchData, _ purpose: Purpose) -> Action {
    var request = CallBook.Request(operation, diesWithConnection: true)
    request.isMatchData = true
    request.waitsForBudget = operation.isReliable
    return .call(request, purpose)
  }

  private mutating func forgetWaiting() {
    reliableWaiting = []
    unreliableWaiting = []
  }

  private mutating func sendUnreliable(_ operation: SendMatchData) -> [Action] {
    unreliableWaiting.removeAll { $0.receivers == operation.receivers }
    let size = operation.payload.array.count
    let isFree =
      unreliableOpen < limits.unreliableOpenMax
      && unreliableOpenSize + size <= limits.unreliableOpenSizeMax
    if isFree || unreliableOpen == 0 {
      unreliableOpen += 1
      unreliableOpenSize += size
      return [Self.call(operation, .unreliable(size))]
    }
    if unreliableWaiting.count == limits.unreliableWaitingMax { unreliableWaiting.removeFirst() }
    unreliableWaiting.append((operation.receivers, operation))
    return []
  }

  /// Sends unreliable data that has waited, if it is of this life of the match.
  private mutating func sendWaiting() -> [Action] {
    unreliableWaiting.removeAll { $0.operation.incarnation != exchange.incarnation }
    guard exchange.isJoined, !unreliableWaiting.isEmpty else { return [] }
    return sendUnreliable(unreliableWaiting.removeFirst().operation)
  }

  /// Events that wait for the consumer.
  package var waitingEventCount: Int { buffer.count }

  /// The next event for the consumer.
  package mutating func take() -> MatchEvent? { buffer.take() }

  /// All events that nobody has taken yet.
  package mutating func takeAll() -> [MatchEvent] { buffer.takeAll() }
}

/// What a client asks for when it joins a match that is not there yet.
package struct MatchStart: Sendable {
  /// Whether to start a new match if the last one has ended.
  package var startsNew = false
  package var players: [PlayerID] = []
  package var playerCount = 0
  package var isRematch = false

  package init(
    startsNew: Bool = false, players: [PlayerID] = [], playerCount: Int = 0,
    isRematch: Bool = false
  ) {
    self.startsNew = startsNew
    self.players = players
    self.playerCount = playerCount
    self.isRematch = isRematch
  }
}
