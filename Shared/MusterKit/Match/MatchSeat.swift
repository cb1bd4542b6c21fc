internal import Locking
internal import Synchronization
internal import Transport

/// A match on the client's loop: it performs what its `MatchExchange` decides.
final class MatchSeat {
  /// Events that may wait for the consumer; past it, reliable data is not taken and stays with its
  /// senders.
  static let bufferMax = 4096
  static let tickMilliseconds: UInt64 = 1_000
  /// Ticks after which the seat joins again. If nothing has changed that costs next to nothing;
  /// otherwise the reply tells what this client has missed.
  static let joinTicks = 10
  /// Open calls at which unreliable data is dropped, so that it never delays reliable data.
  static let unreliableOpenMax = 32

  let match: Match
  unowned let core: ClientCore
  private(set) var exchange: MatchExchange
  private var buffer: [MatchEvent] = []
  private var waiter: ((MatchEvent?) -> Void)?
  /// Whoever waits to have joined for the first time.
  private var joining: ((Result<Void, MusterError>) -> Void)?
  private let joinDeadline: UInt64
  private var startsNew: Bool
  private var isJoining = false
  private var isAcknowledging = false
  private(set) var isOver = false
  private var ticker: LoopTimer?
  private var ticks = 0

  init(
    _ match: Match, core: ClientCore, startsNew: Bool,
    joined: @escaping (Result<Void, MusterError>) -> Void
  ) {
    self.match = match
    self.core = core
    self.startsNew = startsNew
    joining = joined
    joinDeadline = core.now + core.configuration.callDeadline.milliseconds
    exchange = MatchExchange(context: match.context, seat: UInt64.random(in: 1 ... .max))
    ticker = core.loop.every(Self.tickMilliseconds) { [weak self] in self?.tick() }
  }

  private func tick() {
    ticks += 1
    if joining != nil && core.now >= joinDeadline {
      let text = "The match could not be joined in time."
      let error = MusterError(.deadlineExceeded, text)
      finishJoining(.failure(error))
      end(.failed(error))
      return
    }
    perform(exchange.timePassed(now: Int64(core.now)))
    if ticks % Self.joinTicks == 0 || !exchange.isJoined { join() }
  }

  // MARK: Joining

  /// Takes the seat. It is called again after each lost connection and each restart of the service.
  func join() {
    guard !isOver, !isJoining, core.machine.gate == .session else { return }
    isJoining = true
    let operation = exchange.join(startsNew: startsNew)
    core.call(
      core.reserveCall(), CallBook.Request(operation, diesWithConnection: true),
      within: core.configuration.callDeadline.milliseconds
    ) { [weak self] result in
      guard let self else { return }
      isJoining = false
      joined(result)
    }
  }

  private func joined(_ result: Result<[UInt8], MusterError>) {
    if isOver { return }
    switch result {
    case .success(let body):
      guard let reply = try? JoinMatch.Reply(decoding: body) else {
        end(.failed(MusterError(.malformed, "The reply to JoinMatch cannot be read.")))
        return
      }
      startsNew = false
      perform(exchange.joined(reply))
      finishJoining(.success(()))
    case .failure(let error) where error.code.isTransient && !error.failure.isLeftOut:
      // The next tick, or the next session, tries again.
      break
    case .failure(let error):
      if joining != nil {
        finishJoining(.failure(error))
        end(.failed(error))
      } else {
        perform(exchange.failed(error.failure))
        if !isOver { end(.failed(error)) }
      }
    }
  }

  private func finishJoining(_ result: Result<Void, MusterError>) {
    let done = joining
    joining = nil
    done?(result)
  }

  /// Ends the seat if whoever wanted to join has left before it was joined.
  func giveUp() {
    if joining == nil { return }
    let error = MusterError(.cancelled, "Joining the match was cancelled.")
    finishJoining(.failure(error))
    end(.failed(error))
  }

  func disconnected() { exchange.disconnected() }

  // MARK: Data

  func send(_ bytes: [UInt8], to players: [PlayerID]?, isReliable: Bool) throws(MusterError) {
    do {
      perform(try exchange.send(bytes, to: players, isReliable: isReliable))
    } catch {
      throw MusterError(error)
    }
  }

  func received(_ opcode: UInt16, _ body: [UInt8]) {
    if isOver { return }
    switch Opcode(rawValue: opcode) {
    case MatchData.opcode:
      // Data that is not taken is not acknowledged, so the sender of reliable data sends it again.
      guard buffer.count < Self.bufferMax, let event = try? MatchData(decoding: body) else {
        return
      }
      perform(exchange.received(event))
      acknowledgeLater()
    case MatchDataAcknowledged.opcode:
      if let event = try? MatchDataAcknowledged(decoding: body) {
        perform(exchange.received(event))
      }
    case MatchPlayerChanged.opcode:
      if let event = try? MatchPlayerChanged(decoding: body) { perform(exchange.received(event)) }
    case MatchSeatTaken.opcode:
      if let event = try? MatchSeatTaken(decoding: body) { perform(exchange.received(event)) }
    case MatchEnded.opcode:
      if let event = try? MatchEnded(decoding: body) { perform(exchange.received(event)) }
    default: break
    }
  }

  /// Sends one acknowledgement for all data that came in this turn.
  private func acknowledgeLater() {
    if isAcknowledging { return }
    isAcknowledging = true
    core.loop.atEndOfTurn { [weak self] in
      guard let self else { return }
      isAcknowledging = false
      if !isOver { perform(exchange.acknowledge()) }
    }
  }

  private func perform(_ actions: [MatchExchange.Action]) {
    // The state is posted first, so that whoever hears of a change can already read it.
    post()
    for action in actions where !isOver {
      switch action {
      case .send(let operation): send(operation)
      case .acknowledge(let operation): tell(operation)
      case .rejoin: join()
      case .deliver(let player, let payload, let isReliable):
        emit(.data(from: player, bytes: payload, isReliable: isReliable))
      case .playerChanged(let player, let state, let isNewClient):
        emit(.playerChanged(player, state, isNewClient: isNewClient))
      case .oversized(let player): emit(.messageLost(from: player))
      case .seatTaken: end(.seatTaken)
      case .ended: end(.ended)
      }
    }
  }

  private func send(_ operation: SendMatchData) {
    if !operation.isReliable && core.book.calls.count >= Self.unreliableOpenMax { return }
    tell(operation)
  }

  /// Makes a call of the exchange. The call itself dies with the connection, because the exchange
  /// repeats what was lost.
  private func tell<O: Operation>(_ operation: O) {
    core.call(
      core.reserveCall(), CallBook.Request(operation, diesWithConnection: true),
      within: core.configuration.callDeadline.milliseconds
    ) { [weak self] result in
      guard let self, !isOver, case .failure(let error) = result else { return }
      perform(exchange.failed(error.failure))
    }
  }

  private func post() {
    let players = exchange.players
    let states = players.reduce(into: [:]) { $0[$1] = exchange.state(of: $1) }
    match.posted.withLock { posted in
      posted.players = players
      posted.states = states
      posted.expectedPlayerCount = Int(exchange.expectedPlayerCount)
      posted.isEnded = isOver
    }
  }

  // MARK: The consumer

  private func emit(_ event: MatchEvent) {
    buffer.append(event)
    serve()
  }

  func wait(_ done: @escaping (MatchEvent?) -> Void) {
    stopWaiting()
    waiter = done
    serve()
  }

  private func serve() {
    guard let waiter, !buffer.isEmpty else { return }
    self.waiter = nil
    waiter(buffer.removeFirst())
  }

  func stopWaiting() {
    let done = waiter
    waiter = nil
    done?(nil)
  }

  /// Ends the match for this client. The consumer still gets the events that came before.
  func end(_ reason: MatchEnd) {
    if isOver { return }
    isOver = true
    ticker?.cancel()
    post()
    finishJoining(.failure(MusterError(.matchEnded, "The match is over.")))
    emit(.ended(reason))
    // The seat is released now, so the events that the consumer has not taken wait in the match.
    match.posted.withLock { $0.leftover = buffer }
    buffer = []
    core.matchEnded(self)
  }
}

extension ClientCore {
  func join(
    _ match: Match, startsNew: Bool, done: @escaping (Result<Void, MusterError>) -> Void
  ) {
    if machine.isSignedOut {
      done(.failure(MusterError(.notAuthenticated, "Sign in first.")))
    } else if matches[match.context] != nil {
      let text = "This client is in the match already."
      done(.failure(MusterError(.alreadyExists, argument: "contextToken", text)))
    } else {
      let seat = MatchSeat(match, core: self, startsNew: startsNew, joined: done)
      matches[match.context] = seat
      seat.join()
    }
  }

  func seat(of match: Match) throws(MusterError) -> MatchSeat {
    guard let seat = matches[match.context], seat.match === match else {
      throw MusterError(.matchEnded, "The match is over.")
    }
    return seat
  }

  func matchEnded(_ seat: MatchSeat) {
    if matches[seat.match.context] === seat { matches[seat.match.context] = nil }
  }
}
