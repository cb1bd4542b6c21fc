import MusterKit
import Operations
import Wire

/// A match that a simulated client plays: does what the client library's own `MatchSeat` says, and
/// is the game that takes its events.
final class SimulatedMatch {
  static let pieceSizeMax = 48
  /// So small that messages go in pieces, buffers fill and slow games hold up their senders.
  private static var limits: MatchSeat.Limits {
    var limits = MatchSeat.Limits()
    limits.exchange.pieceSizeMax = pieceSizeMax
    limits.exchange.messageSizeMax = 400
    limits.exchange.bufferSizeMax = 2_200
    limits.exchange.windowSizeMax = 500
    limits.exchange.bufferCountMax = 24
    limits.bufferMax = 16
    return limits
  }
  private static let patience: UInt64 = 30_000

  private(set) var seat: MatchSeat
  private unowned let client: SimulatedClient
  private let log: MatchLog
  /// In milliseconds.
  private let askedAt: Int64
  /// The last call that takes the seat.
  private var joinCall: UInt64?
  private var isDraining = false
  private var hasHeardEnd = false
  /// Why it is over, for whoever looks for a fault.
  private var ending = ""
  private(set) var hasBegun = false
  /// Whether this client has left the context since, so that the seat is to come to its end.
  var mustEnd = false
  /// Others of whom the game knows that they have left, or not come yet.
  private var absentees: Set<PlayerID> = []

  init(_ context: ContextID, _ client: SimulatedClient, _ start: MatchStart) {
    self.client = client
    log = client.deployment.matchLog
    askedAt = client.schedule.now
    seat = MatchSeat(
      context: context, seat: client.schedule.random.next() | 1,
      start: start,
      joinDeadline: client.now + client.joinPatience, limits: Self.limits)
    log.opened(context, client.player, seat: seat.exchange.seat, now: client.schedule.now)
    tickLater()
  }

  var context: ContextID { seat.exchange.context }
  var name: MatchName { MatchName(context: context, number: seat.exchange.number) }
  var isJoined: Bool { seat.exchange.isJoined }

  /// Nothing is on its way, and everybody of the roster is there or gone.
  var isIdle: Bool {
    if seat.isOver || mustEnd { return hasHeardEnd }
    // The other player has left, and the news that the match is over comes after that.
    if hasBegun && seat.exchange.players.isEmpty { return false }
    return seat.exchange.isJoined && seat.waitingEventCount == 0
      && seat.exchange.players.allSatisfy {
        seat.exchange.state(of: $0) == .connected
          && seat.exchange.unacknowledgedCount(for: $0) == 0
      }
  }

  var state: String {
    let others = seat.exchange.players.map {
      "\(seat.exchange.state(of: $0)) owed \(seat.exchange.unacknowledgedCount(for: $0))"
    }
    return "\(name) joined \(isJoined) begun \(hasBegun) over \(seat.isOver) \(ending) "
      + "waiting \(seat.waitingEventCount) \(others)"
  }

  private func tickLater() {
    client.later(Int64(MatchSeat.tickMilliseconds)) { [weak self] in
      guard let self, !seat.isOver else { return }
      perform(seat.tick(now: client.now))
      tickLater()
    }
  }

  // MARK: What happens

  func sessionBegan() {
    if seat.exchange.number != 0 { log.count(.matchesResumed) }
    perform(seat.sessionBegan())
  }

  func serviceRestored() { perform(seat.serviceRestored()) }

  func disconnected() { seat.disconnected() }

  func received(_ opcode: Opcode, _ body: [UInt8]) { perform(seat.received(opcode, body)) }

  func end(_ reason: MatchEnd) { perform(seat.end(reason)) }

  /// The client's process dies; what it had was its game's.
  func die() {
    drain()
    perform(seat.end(.closed))
    drain()
  }

  func send(size: Int, isReliable: Bool) {
    let exchange = seat.exchange
    guard exchange.hasBegun, !exchange.players.isEmpty else { return }
    let some = exchange.players.filter { _ in client.schedule.isChance(oneIn: 2) }
    let chosen = client.schedule.isChance(oneIn: 4) && !some.isEmpty ? some : nil
    let message = MatchLog.Message(
      match: name, sender: client.player, senderSeat: exchange.seat, isReliable: isReliable,
      size: size)
    let bytes = log.sent(message, to: chosen ?? exchange.players, now: client.schedule.now)
    do throws(MusterError) {
      let actions = try seat.send(bytes, to: chosen, isReliable: isReliable)
      if size > Self.pieceSizeMax { log.count(.messagesInPieces) }
      perform(actions)
    } catch {
      log.unsent()
      if error.code == .backpressure { return log.count(.matchBackpressure) }
      log.require(false, "3.5 \(client.player) may not send in \(name): \(error)")
    }
  }

  /// Leaves as the client library's `leave` does.
  func leave() {
    let (call, name, own) = (seat.leaveCall, name, seat.exchange.seat)
    log.willLeave(name, client.player, seat: own)
    end(.left)
    client.call(CallBook.Request(call), within: SimulatedClient.patience) { [log, client] result in
      switch result {
      case .success: log.left(name, seat: own)
      case .failure(let error) where error.code == .notAuthenticated: break
      case .failure(let error):
        log.require(
          error.isOutcomeUnknown || log.mayNotLeave(name, client.player, seat: own),
          "3.4 \(client.player) may not leave \(name): \(error)")
      }
    }
  }

  // MARK: Doing what the seat says

  private func perform(_ actions: [MatchSeat.Action]) {
    for action in actions {
      switch action {
      case .call(let request, let purpose): call(request, purpose)
      case .giveUpJoin: if let joinCall { client.cancel(joinCall) }
      case .acknowledgeLater:
        client.later(Int64(seat.limits.acknowledgementMilliseconds)) { [self] in
          perform(seat.acknowledgementIsDue())
        }
      case .joined, .over: break
      }
    }
    if isJoined && seat.exchange.hasBegun && !hasBegun {
      hasBegun = true
      if log.found.contexts.contains(context) { log.found.begun.insert(name) }
    }
    if seat.waitingEventCount > 0 { drainLater() }
  }

  private func call(_ request: CallBook.Request, _ purpose: MatchSeat.Purpose) {
    let (madeAt, ended) = (client.schedule.now, log.endedThrough[context] ?? 0)
    if purpose == .leave { return undo(request) }
    let id = client.nextCallID()
    if case .join = purpose { joinCall = id }
    client.callOfMatch(request, id, within: Self.patience) { [self] result in
      let wasOver = seat.isOver
      let actions = seat.answered(purpose, result)
      if case .success(let body) = result, !wasOver {
        switch purpose {
        case .join: took(body, madeAt, ended)
        case .acknowledgement: log.acknowledged(name, client.player, madeAt)
        default: log.contact(name, client.player, madeAt)
        }
        if client.deployment.options.canary == .lostData { feign(request) }
      }
      perform(actions)
    }
  }

  /// Tells the seat that data has come which was only taken to be passed on.
  private func feign(_ request: CallBook.Request) {
    guard request.opcode == SendMatchData.opcode,
      let data = try? SendMatchData(decoding: request.body), data.isReliable
    else { return }
    for place in UInt8(0)..<16 where data.receivers & 1 << place != 0 {
      guard let receiver = seat.exchange.player(at: place) else { continue }
      var event = MatchDataAcknowledged()
      event.context = data.context
      event.incarnation = data.incarnation
      event.seat = data.seat
      let own = data.exceptions.first { $0.place == place }?.sequence ?? data.sequence
      event.receipts = [
        MatchReceipt(place: place, seat: seat.exchange.seat(of: receiver), through: own)
      ]
      received(MatchDataAcknowledged.opcode, event.encoded)
    }
  }

  /// The join that was given up may have taken the seat, in whatever match there was.
  private func undo(_ request: CallBook.Request) {
    log.count(.joinsUndone)
    log.willAbandon(context, client.player)
    client.callOfMatch(request, client.nextCallID(), within: Self.patience) { [self] result in
      if case .success = result {
        log.hasLeft(context, client.player, now: client.schedule.now)
      }
    }
  }

  private func took(_ body: [UInt8], _ madeAt: Int64, _ ended: UInt64) {
    guard let reply = try? JoinMatch.Reply(decoding: body) else {
      return log.require(false, "the reply to a join cannot be read")
    }
    let match = MatchName(context: context, number: reply.number)
    log.joined(
      match, client.player, seat: seat.exchange.seat, reply, askedAt: madeAt, endedThen: ended,
      now: client.schedule.now)
  }

  // MARK: The game

  private func drainLater() {
    if isDraining { return }
    isDraining = true
    let wait = client.schedule.isChance(oneIn: 20) ? client.schedule.number(0...500) : 0
    client.later(wait) { [self] in
      isDraining = false
      drain()
    }
  }

  private func drain() {
    while let event = seat.take() {
      log.require(!hasHeardEnd, "3.4 \(client.player) hears of \(name) after its end")
      hear(event)
    }
  }

  private func hear(_ event: MatchEvent) {
    switch event {
    case .data(let sender, let bytes, let isReliable):
      log.require(
        !absentees.contains(sender), "3.4 \(client.player) gets data of \(sender), who has left")
      take(bytes, from: sender, isReliable: isReliable)
    case .playerChanged(let player, let state, let isNewClient):
      log.require(player != client.player, "3.4 \(client.player) is told of itself")
      if [.left, .absent].contains(state) {
        absentees.insert(player)
      } else {
        absentees.remove(player)
      }
      if isNewClient { log.count(.newClientsMet) }
    case .messageLost: log.require(false, "3.5 a message was too long that was taken")
    case .ended(let reason):
      hasHeardEnd = true
      ending = "\(reason) at \(client.schedule.now)"
      if case .failed(let error) = reason, seat.exchange.number == 0,
        [.notAllowed, .matchEnded, .notFound].contains(error.code)
      {
        log.refused(
          context, client.player, seat: seat.exchange.seat, "\(error)", askedAt: askedAt,
          now: client.schedule.now)
      }
      log.ended(
        name, client.player, seat: seat.exchange.seat, cause(of: reason), hasBegun: hasBegun,
        now: client.schedule.now)
    }
  }

  /// The game gets a message, from the seat or past it.
  func take(_ bytes: [UInt8], from sender: PlayerID, isReliable: Bool) {
    log.received(
      bytes, in: name, from: sender, by: client.player, seat: seat.exchange.seat,
      isReliable: isReliable, now: client.schedule.now)
  }

  private func cause(of reason: MatchEnd) -> EndCause {
    switch reason {
    case .ended: .over
    case .seatTaken: .seatTaken
    case .left, .closed: .own
    // Nothing was promised to whoever never joined.
    case .failed(let error): seat.exchange.number == 0 ? .own : .failed("\(error)")
    }
  }
}
