import Operations
import Testing
import Wire

@testable import MusterKit

@Suite("Match seat")
struct MatchSeatTests {
  static let context = ContextID(high: 4, low: 2)
  static let other = PlayerID(high: 1, low: 2)

  var seat = MatchSeat(context: context, seat: 7, start: MatchStart(), joinDeadline: 5_000)

  /// What an action asks for, in short.
  static func names(_ actions: [MatchSeat.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .call(let request, let purpose):
        if case .join(let number) = purpose { "\(request.name) \(number)" } else { request.name }
      case .giveUpJoin: "giveUpJoin"
      case .acknowledgeLater: "acknowledgeLater"
      case .joined(.success): "joined"
      case .joined(.failure(let error)): "joined \(error.code)"
      case .over: "over"
      }
    }
  }

  static func reply(incarnation: UInt64 = 1) -> Result<[UInt8], MusterError> {
    var reply = JoinMatch.Reply()
    reply.number = 3
    reply.incarnation = incarnation
    reply.players = [MatchPlayer(player: other, seat: 8, state: .connected, place: 1)]
    return .success(reply.encoded)
  }

  static func failure(_ code: FailureCode, isOutcomeUnknown: Bool = false)
    -> Result<[UInt8], MusterError>
  {
    var error = MusterError(code, "no")
    error.isOutcomeUnknown = isOutcomeUnknown
    return .failure(error)
  }

  static func data(_ sequence: UInt64, _ payload: [UInt8], isReliable: Bool = true) -> [UInt8] {
    var event = MatchData()
    event.context = context
    event.incarnation = 1
    event.place = 1
    event.seat = 8
    event.sequence = sequence
    event.isReliable = isReliable
    event.payload = Bytes(payload)
    return event.encoded
  }

  mutating func sit() {
    #expect(Self.names(seat.sessionBegan()) == ["JoinMatch 1"])
    #expect(Self.names(seat.answered(.join(1), Self.reply())) == ["joined"])
    #expect(seat.take() == .playerChanged(Self.other, .connected, isNewClient: false))
  }

  @Test("3.7 the seat is taken with each session, and by one call at a time")
  mutating func joins() {
    #expect(seat.serviceRestored().isEmpty)
    sit()
    #expect(Self.names(seat.serviceRestored()) == ["JoinMatch 2"])
    #expect(seat.serviceRestored().isEmpty)
    seat.disconnected()
    #expect(!seat.exchange.isJoined)
    #expect(Self.names(seat.sessionBegan()) == ["JoinMatch 3"])
    // The answer to an attempt on the connection before says nothing of this one.
    #expect(seat.answered(.join(2), Self.failure(.disconnected)).isEmpty)
    #expect(seat.serviceRestored().isEmpty)
    #expect(seat.answered(.join(3), Self.reply()).isEmpty)
    #expect(seat.exchange.isJoined)
  }

  @Test("3.9 a conflict takes the seat again, once for all calls that met it")
  mutating func conflict() throws {
    sit()
    #expect(Self.names(seat.answered(.acknowledgement, Self.failure(.conflict))) == ["JoinMatch 2"])
    #expect(seat.answered(.acknowledgement, Self.failure(.conflict)).isEmpty)
  }

  @Test("3.7 what passes is tried again with the next tick, and joins every ten of them")
  mutating func ticks() {
    #expect(Self.names(seat.sessionBegan()) == ["JoinMatch 1"])
    #expect(seat.answered(.join(1), Self.failure(.unavailable)).isEmpty)
    #expect(Self.names(seat.tick(now: 1_000)) == ["JoinMatch 2"])
    #expect(Self.names(seat.answered(.join(2), Self.reply())) == ["joined"])
    for tick in UInt64(2)...9 { #expect(seat.tick(now: tick * 1_000).isEmpty) }
    #expect(Self.names(seat.tick(now: 10_000)) == ["JoinMatch 3"])
  }

  @Test("3.7 whoever cannot join is told, and the seat is over", arguments: [true, false])
  mutating func refusals(isFirst: Bool) {
    if isFirst {
      _ = seat.sessionBegan()
      let actions = seat.answered(.join(1), Self.failure(.notAllowed))
      #expect(Self.names(actions) == ["joined notAllowed", "over"])
      #expect(seat.take() == .ended(.failed(MusterError(.notAllowed, "no"))))
    } else {
      sit()
      _ = seat.serviceRestored()
      #expect(Self.names(seat.answered(.join(2), Self.failure(.matchEnded))) == ["over"])
      #expect(seat.take() == .ended(.ended))
    }
    #expect(seat.isOver)
    #expect(seat.take() == nil)
    #expect(seat.tick(now: 90_000).isEmpty)
    #expect(seat.sessionBegan().isEmpty)
  }

  @Test(
    "3.7 a join that is given up is undone if it may have taken the seat",
    arguments: [true, false])
  mutating func givingUp(mayHaveRun: Bool) throws {
    _ = seat.sessionBegan()
    let actions = seat.tick(now: 5_000)
    #expect(Self.names(actions) == ["giveUpJoin", "joined deadlineExceeded", "over"])
    let outcome = Self.failure(.cancelled, isOutcomeUnknown: mayHaveRun)
    let undoing = seat.answered(.join(1), outcome)
    #expect(Self.names(undoing) == (mayHaveRun ? ["LeaveMatch"] : []))
    #expect(seat.answered(.join(1), outcome).isEmpty)
    guard case .call(let request, .leave)? = undoing.first else { return }
    #expect(try LeaveMatch(decoding: request.body).seat == 7)
  }

  @Test("3.7 a join that failed is undone, too, unless its connection is lost since")
  mutating func givingUpAfterFailure() {
    _ = seat.sessionBegan()
    _ = seat.answered(.join(1), Self.failure(.unavailable, isOutcomeUnknown: true))
    var reconnected = seat
    #expect(Self.names(seat.giveUp()) == ["LeaveMatch", "joined cancelled", "over"])
    reconnected.disconnected()
    _ = reconnected.sessionBegan()
    #expect(Self.names(reconnected.giveUp()) == ["giveUpJoin", "joined cancelled", "over"])
    #expect(reconnected.answered(.join(2), Self.failure(.cancelled)).isEmpty)
  }

  @Test(
    "3.4 the leave that undoes a join is repeated until it has its answer",
    arguments: [FailureCode.unavailable, .deadlineExceeded, .disconnected, .rateLimited])
  mutating func undoingFails(code: FailureCode) throws {
    _ = seat.sessionBegan()
    _ = seat.answered(.join(1), Self.failure(.unavailable, isOutcomeUnknown: true))
    let undoing = try #require(seat.giveUp().first)
    guard case .call(let request, .leave) = undoing else {
      Issue.record("\(undoing)")
      return
    }
    var book = CallBook()
    let id: UInt64 = 1
    #expect(book.add(id, request, deadline: 10_000, isSignedOut: false) == nil)
    let first = book.transmissions(.session, now: 0)
    #expect(book.answered(id, attempt: 1, .failure(Failure(code, "no")), now: 0) == nil)
    #expect(book.connectionLost().isEmpty)
    let second = book.transmissions(.session, now: 1_000)
    #expect(second.map(\.body) == [request.body])
    #expect(second.map(\.envelope.idempotency.counter) == first.map(\.envelope.idempotency.counter))
  }

  @Test("3.7 what never went out, or died with its connection, needs no undoing")
  mutating func givingUpOffline() {
    var early = seat
    #expect(Self.names(early.giveUp()) == ["joined cancelled", "over"])
    _ = seat.sessionBegan()
    seat.disconnected()
    #expect(Self.names(seat.giveUp()) == ["joined cancelled", "over"])
  }

  @Test("3.9 a refusal to join again does not say that another client has the seat")
  mutating func mayNotJoinAgain() {
    sit()
    _ = seat.serviceRestored()
    #expect(Self.names(seat.answered(.join(2), Self.failure(.notAllowed))) == ["over"])
    #expect(seat.take() == .ended(.failed(MusterError(.notAllowed, "no"))))
  }

  @Test("3.9 whoever comes back to a seat that another client has got hears so")
  mutating func takenMeanwhile() {
    sit()
    _ = seat.serviceRestored()
    #expect(Self.names(seat.answered(.join(2), Self.failure(.conflict))) == ["over"])
    #expect(seat.take() == .ended(.seatTaken))
  }

  @Test("3.7 a session that ends while the seat is being taken closes the match")
  mutating func signsOut() {
    sit()
    _ = seat.serviceRestored()
    #expect(Self.names(seat.answered(.join(2), Self.failure(.notAuthenticated))) == ["over"])
    #expect(seat.take() == .ended(.closed))
  }

  @Test("3.9 data is acknowledged once for all that came in a moment, not when the game is slow")
  mutating func acknowledgements() {
    sit()
    let first = seat.received(MatchData.opcode, Self.data(2, [2]))
    #expect(Self.names(first) == ["acknowledgeLater"])
    #expect(seat.received(MatchData.opcode, Self.data(1, [1])).isEmpty)
    #expect(Self.names(seat.acknowledgementIsDue()) == ["AcknowledgeMatchData"])
    #expect(seat.takeAll().count == 2)
    for number in 3...UInt64(2 + seat.limits.bufferMax) {
      _ = seat.received(MatchData.opcode, Self.data(number, []))
    }
    _ = seat.acknowledgementIsDue()
    let late = UInt64(3 + seat.limits.bufferMax)
    #expect(seat.received(MatchData.opcode, Self.data(late, [])).isEmpty)
    #expect(seat.acknowledgementIsDue().isEmpty)
    #expect(seat.waitingEventCount == seat.limits.bufferMax)
  }

  @Test("3.6 the latency is that of calls whose replies do not wait, and follows within a minute")
  mutating func latency() {
    seat.measured(roundTrip: 20, of: .join(1))
    #expect(seat.hostCall.latencyMilliseconds == 20)
    for purpose in [.acknowledgement, .reliable, .unreliable(5)] as [MatchSeat.Purpose] {
      seat.measured(roundTrip: 1, of: purpose)
      for _ in 0..<100 { seat.measured(roundTrip: 60, of: purpose) }
    }
    #expect(seat.hostCall.latencyMilliseconds == 20)
    for number in 2...7 { seat.measured(roundTrip: 100, of: .join(number)) }
    #expect((80...100).contains(seat.hostCall.latencyMilliseconds))
    seat.measured(roundTrip: 30, of: .join(8))
    #expect(seat.hostCall.latencyMilliseconds == 30, "an early answer counts at once")
  }

  @Test("3.9 so much data that its sender would have to wait is acknowledged at once")
  mutating func urgentAcknowledgement() {
    sit()
    let size = seat.limits.exchange.urgentSizeMax
    let actions = seat.received(
      MatchData.opcode, Self.data(1, [UInt8](repeating: 1, count: size)))
    #expect(Self.names(actions) == ["AcknowledgeMatchData"])
  }

  @Test("3.5 of unreliable data that has to wait to be sent, the newest is sent")
  mutating func unreliable() throws {
    sit()
    let open = seat.limits.unreliableOpenMax
    for number in 1...open {
      let sent = try seat.send([UInt8(number)], to: nil, isReliable: false)
      #expect(Self.names(sent) == ["SendMatchData"])
    }
    for byte in [100, 101, 102] as [UInt8] {
      #expect(try seat.send([byte], to: nil, isReliable: false).isEmpty)
    }
    #expect(Self.names(try seat.send([1], to: nil, isReliable: true)) == ["SendMatchData"])
    let sent = seat.answered(.unreliable(1), .success([]))
    guard case .call(let request, .unreliable(_))? = sent.first else {
      Issue.record("nothing was sent when a call was answered")
      return
    }
    #expect(try SendMatchData(decoding: request.body).payload.array == [102])
    #expect(seat.answered(.unreliable(1), .success([])).isEmpty)
  }

  @Test("3.9 reliable data has a bounded number of open calls, and the others follow in order")
  mutating func reliableCalls() throws {
    sit()
    let open = seat.limits.reliableOpenMax
    func numbers(_ actions: [MatchSeat.Action]) throws -> [UInt64] {
      try actions.compactMap { action in
        guard case .call(let request, .reliable) = action else { return nil }
        return try SendMatchData(decoding: request.body).sequence
      }
    }
    var sent: [UInt64] = []
    for _ in 1...open + 20 { sent += try numbers(seat.send([1], to: nil, isReliable: true)) }
    #expect(sent == Array(1...UInt64(open)))
    #expect(Self.names(try seat.send([1], to: nil, isReliable: false)) == ["SendMatchData"])
    #expect(try numbers(seat.answered(.reliable, .success([]))) == [UInt64(open) + 1])
    // What was refused is followed by others later, not at once by all that wait.
    #expect(seat.answered(.reliable, Self.failure(.rateLimited)).isEmpty)
    let next = UInt64(open) + 2
    #expect(try numbers(seat.answered(.reliable, .success([]))) == [next, next + 1])
    for _ in 1...3 { #expect(seat.answered(.reliable, Self.failure(.backpressure)).isEmpty) }
    #expect(try numbers(seat.tick(now: 1_000)) == Array(next + 2...next + 4))
    // What waits is not sent into another life of the match, where everything is sent anew.
    seat.disconnected()
    for _ in 1...open { #expect(seat.answered(.reliable, Self.failure(.disconnected)).isEmpty) }
    _ = seat.sessionBegan()
    let again = seat.answered(.join(2), Self.reply(incarnation: 2))
    #expect(try numbers(again) == Array(1...UInt64(open)))
    #expect(try numbers(seat.answered(.reliable, .success([]))) == [UInt64(open) + 1])
  }

  @Test("3.4 a player who comes and goes fills no buffer, and the newest changes are told")
  mutating func changes() {
    sit()
    for version in 1...10_000 as ClosedRange<UInt32> {
      var event = MatchPlayerChanged()
      event.context = Self.context
      event.incarnation = 1
      event.player = Self.other
      event.place = 1
      event.roster = version
      event.state = version % 2 == 0 ? .connected : .disconnected
      // Another client has the seat, once.
      event.seat = version < 5_000 ? 8 : 9
      _ = seat.received(MatchPlayerChanged.opcode, event.encoded)
    }
    let kept = MatchEventBuffer.changesMax
    #expect(seat.waitingEventCount == kept)
    var data = MatchData()
    data.context = Self.context
    data.incarnation = 1
    (data.place, data.seat, data.sequence, data.isReliable) = (1, 9, 1, true)
    #expect(!seat.received(MatchData.opcode, data.encoded).isEmpty, "there is room for data")
    let told = seat.takeAll()
    #expect(told.count == kept + 1)
    #expect(told.first == .playerChanged(Self.other, .disconnected, isNewClient: true))
    #expect(told[kept - 1] == .playerChanged(Self.other, .connected, isNewClient: false))
    #expect(told.last == .data(from: Self.other, bytes: [], isReliable: true))
  }

  @Test("3.5 a game that does not keep up gets the newest unreliable data, and bounded memory")
  mutating func slowGame() {
    sit()
    let kept = MatchEventBuffer.unreliableMax
    for number in 1...UInt64(kept + 10) {
      let data = Self.data(number, [UInt8(number)], isReliable: false)
      #expect(seat.received(MatchData.opcode, data).isEmpty)
    }
    _ = seat.received(MatchData.opcode, Self.data(1, [200]))
    let taken = seat.takeAll().compactMap { event -> UInt8? in
      guard case .data(_, let bytes, _) = event else { return nil }
      return bytes.first
    }
    #expect(taken == (11...UInt8(kept + 10)) + [200])
  }
}
