internal import Locking
internal import Synchronization
internal import Transport

/// A match that this client plays, on the client's loop: it performs what its `MatchSeat` decides.
final class OpenMatch {
  let match: Match
  unowned let core: ClientCore
  private(set) var seat: MatchSeat
  private var waiter: ((MatchEvent?) -> Void)?
  /// Whoever waits to have joined for the first time.
  private var joining: ((Result<Void, MusterError>) -> Void)?
  /// The last call that takes the seat.
  private var joinCall: UInt64?
  private var ticker: LoopTimer?

  init(
    _ match: Match, core: ClientCore, start: MatchStart,
    joined: @escaping (Result<Void, MusterError>) -> Void
  ) {
    self.match = match
    self.core = core
    joining = joined
    seat = MatchSeat(
      context: match.context, seat: UInt64.random(in: 1 ... .max), start: start,
      joinDeadline: core.now + core.configuration.callDeadline.milliseconds)
    ticker = core.loop.every(MatchSeat.tickMilliseconds) { [weak self] in
      guard let self else { return }
      perform(seat.tick(now: core.now))
    }
  }

  // MARK: What happens

  func sessionBegan() { perform(seat.sessionBegan()) }

  func serviceRestored() { perform(seat.serviceRestored()) }

  func disconnected() { seat.disconnected() }

  func received(_ opcode: Opcode, _ body: [UInt8]) { perform(seat.received(opcode, body)) }

  /// Ends the seat if whoever wanted to join has left before it was joined.
  func giveUp() { perform(seat.giveUp()) }

  func end(_ reason: MatchEnd) { perform(seat.end(reason)) }

  func send(_ bytes: [UInt8], to players: [PlayerID]?, isReliable: Bool) throws(MusterError) {
    perform(try seat.send(bytes, to: players, isReliable: isReliable))
  }

  // MARK: Doing what the seat says

  private func perform(_ actions: [MatchSeat.Action]) {
    // The state is posted first, so that whoever hears of a change can already read it.
    post()
    serve()
    for action in actions {
      switch action {
      case .call(let request, let purpose): call(request, purpose)
      case .giveUpJoin: if let joinCall { core.cancel(joinCall) }
      case .acknowledgeLater:
        core.loop.after(seat.limits.acknowledgementMilliseconds) { [weak self] in
          guard let self else { return }
          perform(seat.acknowledgementIsDue())
        }
      case .joined(let result):
        let done = joining
        joining = nil
        done?(result)
      case .over: release()
      }
    }
  }

  private func call(_ request: CallBook.Request, _ purpose: MatchSeat.Purpose) {
    let id = core.reserveCall()
    if case .join = purpose { joinCall = id }
    let calledAt = core.now
    core.call(id, request, within: core.configuration.callDeadline.milliseconds) {
      [weak self] result in
      guard let self else { return }
      if case .success = result { seat.measured(roundTrip: core.now - calledAt, of: purpose) }
      perform(seat.answered(purpose, result))
    }
  }

  private func post() {
    let exchange = seat.exchange
    let players = exchange.players
    let states = players.reduce(into: [:]) { $0[$1] = exchange.state(of: $1) }
    match.posted.withLock { posted in
      posted.players = players
      posted.states = states
      posted.expectedPlayerCount = Int(exchange.expectedPlayerCount)
      posted.hasBegun = exchange.hasBegun
      posted.host = exchange.host
      posted.isEnded = seat.isOver
    }
  }

  /// The seat is released now, so the events that the consumer has not taken wait in the match.
  private func release() {
    ticker?.cancel()
    let leftover = seat.takeAll()
    match.posted.withLock { $0.leftover = leftover }
    core.matchEnded(self)
  }

  // MARK: The consumer

  func wait(_ done: @escaping (MatchEvent?) -> Void) {
    stopWaiting()
    waiter = done
    serve()
  }

  private func serve() {
    guard let waiter, let event = seat.take() else { return }
    self.waiter = nil
    waiter(event)
  }

  func stopWaiting() {
    let done = waiter
    waiter = nil
    done?(nil)
  }
}

extension ClientCore {
  func join(
    _ match: Match, start: MatchStart, done: @escaping (Result<Void, MusterError>) -> Void
  ) {
    if machine.isSignedOut {
      done(.failure(MusterError(.notAuthenticated, "Sign in first.")))
    } else if matches[match.context] != nil {
      let text = "This client is in the match already."
      done(.failure(MusterError(.alreadyExists, argument: "context", text)))
    } else {
      let open = OpenMatch(match, core: self, start: start, joined: done)
      matches[match.context] = open
      if machine.gate == .session { open.sessionBegan() }
    }
  }

  func openMatch(_ match: Match) throws(MusterError) -> OpenMatch {
    guard let open = matches[match.context], open.match === match else {
      throw MusterError(.matchEnded, "The match is over.")
    }
    return open
  }

  func matchEnded(_ open: OpenMatch) {
    if matches[open.match.context] === open { matches[open.match.context] = nil }
  }
}
