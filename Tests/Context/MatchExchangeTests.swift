import Domain
import MusterKit
import Operations
import TestKit
import Testing
import Wire

@Suite struct MatchExchangeTests {
  let context = ContextID.sample(1)

  func reply(
    number: UInt64 = 1, incarnation: UInt64 = 1, seat: UInt64 = 12,
    _ state: MatchPlayerState = .connected
  ) -> JoinMatch.Reply {
    var reply = JoinMatch.Reply()
    reply.number = number
    reply.incarnation = incarnation
    reply.place = 0
    reply.roster = 2
    reply.since = 1
    reply.players = [MatchPlayer(player: ben, seat: seat, state: state, place: 1)]
    return reply
  }

  /// Ann's exchange in a match with ben.
  func joined(limits: MatchExchange.Limits = .init()) -> MatchExchange {
    var exchange = MatchExchange(context: context, seat: 11, limits: limits)
    #expect(exchange.join().number == 0)
    let actions = exchange.joined(reply())
    #expect(actions == [.playerChanged(ben, .connected, isNewClient: false)])
    return exchange
  }

  /// Each change makes a new version of the roster.
  func changed(_ state: MatchPlayerState, seat: UInt64 = 12, _ roster: UInt32 = 3)
    -> MatchPlayerChanged
  {
    var event = MatchPlayerChanged()
    event.context = context
    event.incarnation = 1
    event.player = ben
    event.seat = seat
    event.state = state
    event.place = 1
    event.roster = roster
    return event
  }

  func data(
    _ sequence: UInt64, _ payload: [UInt8], isReliable: Bool = true, isPartial: Bool = false
  ) -> MatchData {
    var event = MatchData()
    event.context = context
    event.incarnation = 1
    event.place = 1
    event.seat = 12
    event.roster = 2
    event.sequence = sequence
    event.isReliable = isReliable
    event.isPartial = isPartial
    event.payload = Bytes(payload)
    return event
  }

  func acknowledged(_ through: UInt64) -> MatchDataAcknowledged {
    var event = MatchDataAcknowledged()
    event.context = context
    event.incarnation = 1
    event.seat = 11
    event.receipts = [MatchReceipt(place: 1, seat: 12, through: through)]
    return event
  }

  /// Payloads and numbers of the data that the actions send.
  func sent(_ actions: [MatchExchange.Action]) -> [String] {
    actions.compactMap { action in
      guard case .send(let operation) = action else { return nil }
      return "\(operation.sequence):\(operation.payload.array)\(operation.isPartial ? "+" : "")"
    }
  }

  @Test("3.9 what is not acknowledged is sent again when the player is back, the rest is not")
  func comeBack() throws {
    var exchange = joined()
    #expect(sent(try exchange.send([1], isReliable: true)) == ["1:[1]"])
    #expect(sent(try exchange.send([2], isReliable: true)) == ["2:[2]"])
    #expect(exchange.received(acknowledged(1)).isEmpty)
    _ = exchange.received(changed(.disconnected))
    #expect(try exchange.send([3], isReliable: true).isEmpty)
    #expect(sent(exchange.received(changed(.connected, 4))) == ["2:[2]", "3:[3]"])
    // A second "connected" in a row: what was sent in between may be lost.
    #expect(sent(exchange.received(changed(.connected, 5))) == ["2:[2]", "3:[3]"])
    // What is told late or twice changes nothing.
    #expect(exchange.received(changed(.left, 5)).isEmpty)
  }

  @Test("3.7 after the own connection was lost, joining repeats what is open")
  func ownConnection() throws {
    var exchange = joined()
    _ = try exchange.send([1], isReliable: true)
    _ = exchange.received(data(1, [7]))
    exchange.disconnected()
    #expect(try exchange.send([2], isReliable: true).isEmpty)
    let call = exchange.join()
    #expect(call.number == 1)
    #expect(call.received == [MatchCursor(player: ben, seat: 12, through: 1)])
    #expect(sent(exchange.joined(reply())) == ["1:[1]", "2:[2]"])
    // As a heartbeat, joining repeats nothing; in a new life of the service it does.
    #expect(exchange.joined(reply()).isEmpty)
    #expect(sent(exchange.joined(reply(incarnation: 2))) == ["1:[1]", "2:[2]"])
  }

  @Test("3.9 a conflict means joining again, once")
  func conflict() {
    var exchange = joined()
    #expect(exchange.failed(Failure(.conflict, "")) == [.rejoin])
    #expect(exchange.failed(Failure(.conflict, "")).isEmpty)
    #expect(exchange.failed(Failure(.rateLimited, "")).isEmpty)
  }

  @Test("3.9 a full buffer is backpressure, all or nothing, and empties by acknowledgement")
  func backpressure() throws {
    var limits = MatchExchange.Limits()
    limits.bufferCountMax = 2
    var exchange = joined(limits: limits)
    for _ in 1...2 { _ = try exchange.send([1], isReliable: true) }
    #expect(throws: Failure.self) { try exchange.send([1], isReliable: true) }
    #expect(exchange.unacknowledgedCount(for: ben) == 2)
    _ = exchange.received(acknowledged(9))
    #expect(exchange.unacknowledgedCount(for: ben) == 2)
    _ = exchange.received(acknowledged(2))
    #expect(sent(try exchange.send([3], isReliable: true)) == ["3:[3]"])
  }

  @Test("3.9 doubles are dropped, gaps wait, acknowledgements are cumulative")
  func order() {
    var exchange = joined()
    #expect(exchange.received(data(2, [2])).isEmpty)
    #expect(
      exchange.received(data(1, [1])) == [
        .deliver(from: ben, payload: [1], isReliable: true),
        .deliver(from: ben, payload: [2], isReliable: true),
      ])
    #expect(exchange.received(data(1, [1])).isEmpty)
    guard case .acknowledge(let operation)? = exchange.acknowledge().first else {
      Issue.record("no acknowledgement")
      return
    }
    #expect(operation.receipts == [MatchReceipt(place: 1, seat: 12, through: 2)])
    #expect(exchange.acknowledge().isEmpty)
  }

  @Test("3.9 time repeats what nobody acknowledged")
  func time() throws {
    var exchange = joined()
    _ = exchange.timePassed(now: 1000)
    _ = try exchange.send([1], isReliable: true)
    #expect(exchange.timePassed(now: 2999).isEmpty)
    #expect(sent(exchange.timePassed(now: 3000)) == ["1:[1]"])
    #expect(exchange.timePassed(now: 4999).isEmpty)
    _ = exchange.received(acknowledged(1))
    #expect(exchange.timePassed(now: 9000).isEmpty)
  }

  @Test("3.5 large reliable messages go in pieces; too large ones are refused or reported")
  func pieces() throws {
    var limits = MatchExchange.Limits()
    limits.pieceSizeMax = 2
    limits.messageSizeMax = 5
    var exchange = joined(limits: limits)
    let actions = try exchange.send([1, 2, 3, 4, 5], isReliable: true)
    #expect(sent(actions) == ["1:[1, 2]+", "2:[3, 4]+", "3:[5]"])
    #expect(throws: Failure.self) {
      try exchange.send([1, 2, 3, 4, 5, 6], isReliable: true)
    }
    #expect(exchange.received(data(1, [1, 2], isPartial: true)).isEmpty)
    #expect(
      exchange.received(data(2, [3])) == [
        .deliver(from: ben, payload: [1, 2, 3], isReliable: true)
      ])
    #expect(exchange.received(data(3, [1, 2, 3, 4, 5], isPartial: true)).isEmpty)
    #expect(exchange.received(data(4, [6], isPartial: true)).isEmpty)
    #expect(exchange.received(data(5, [7])) == [.oversized(from: ben)])
    #expect(
      exchange.received(data(6, [8])) == [.deliver(from: ben, payload: [8], isReliable: true)])
  }

  @Test("3.5 unreliable data is never kept, and the newest wins")
  func unreliable() throws {
    var exchange = joined()
    #expect(sent(try exchange.send([1], isReliable: false)) == ["1:[1]"])
    #expect(exchange.unacknowledgedCount(for: ben) == 0)
    #expect(exchange.received(data(2, [2], isReliable: false)).count == 1)
    #expect(exchange.received(data(1, [1], isReliable: false)).isEmpty)
    _ = exchange.received(changed(.disconnected))
    #expect(try exchange.send([3], isReliable: false).isEmpty)
  }

  @Test("3.9 with a new client in a seat both directions begin anew, at whole messages")
  func newClient() throws {
    var limits = MatchExchange.Limits()
    limits.pieceSizeMax = 1
    var exchange = joined(limits: limits)
    _ = try exchange.send([1, 2, 3], isReliable: true)
    _ = try exchange.send([4], isReliable: true)
    _ = exchange.received(acknowledged(1))
    _ = exchange.received(data(1, [9]))
    let actions = exchange.received(changed(.connected, seat: 99))
    #expect(actions.first == .playerChanged(ben, .connected, isNewClient: true))
    #expect(sent(actions) == ["1:[4]"])
    #expect(exchange.received(data(2, [8])).isEmpty)
    var fresh = data(1, [5])
    fresh.seat = 99
    #expect(
      exchange.received(fresh) == [.deliver(from: ben, payload: [5], isReliable: true)])
  }

  @Test("3.9 a new client of whom only the reply to a join tells gets what waits for it")
  func newClientInReply() throws {
    var exchange = joined()
    _ = try exchange.send([1], isReliable: true)
    let actions = exchange.joined(reply(seat: 99))
    #expect(actions.first == .playerChanged(ben, .connected, isNewClient: true))
    #expect(sent(actions) == ["1:[1]"])
    #expect(sent(exchange.timePassed(now: 2000)) == ["1:[1]"])
  }

  @Test("3.4 players never include oneself; after the end nothing can be sent")
  func end() throws {
    var exchange = joined()
    #expect(exchange.players == [ben])
    #expect(throws: Failure.self) { try exchange.send([1], to: [ann], isReliable: true) }
    _ = exchange.received(changed(.left))
    #expect(exchange.players.isEmpty)
    var ended = MatchEnded()
    ended.context = context
    ended.number = 1
    #expect(exchange.received(ended) == [.ended])
    #expect(exchange.received(ended).isEmpty)
    #expect(throws: Failure.self) { try exchange.send([1], isReliable: true) }
    _ = exchange.joined(reply(number: 2))
    #expect(sent(try exchange.send([1], isReliable: true)) == ["1:[1]"])
  }

  /// Ann's exchange in a match with ben and cho.
  func three() -> MatchExchange {
    var exchange = MatchExchange(context: context, seat: 11)
    var reply = reply()
    reply.players.append(MatchPlayer(player: cho, seat: 13, state: .connected, place: 2))
    _ = exchange.joined(reply)
    return exchange
  }

  /// Receivers, number and exceptions of the one call that the actions make.
  func numbers(_ actions: [MatchExchange.Action]) -> String {
    guard actions.count == 1, case .send(let operation) = actions[0] else { return "\(actions)" }
    let others = operation.exceptions.map { " \($0.place):\($0.sequence)" }.joined()
    return "\(operation.receivers) \(operation.sequence)\(others)"
  }

  @Test("3.5 data to all is one call with one number; whose number differs is an exception")
  func exceptions() throws {
    var exchange = three()
    #expect(numbers(try exchange.send([1], isReliable: true)) == "6 1")
    #expect(numbers(try exchange.send([2], to: [cho], isReliable: true)) == "4 2")
    #expect(numbers(try exchange.send([3], isReliable: true)) == "6 2 2:3")
    var event = data(7, [1])
    event.exceptions = [MatchNumber(place: 0, sequence: 1)]
    #expect(exchange.received(event) == [.deliver(from: ben, payload: [1], isReliable: true)])
    // Unreliable data has one number for all.
    #expect(numbers(try exchange.send([4], isReliable: false)) == "6 1")
    #expect(numbers(try exchange.send([5], to: [ben], isReliable: false)) == "2 2")
  }

  @Test("3.9 a change of the roster that was missed is asked for, and an old reply changes nothing")
  func versions() {
    var exchange = joined()
    #expect(
      exchange.received(changed(.disconnected, 4)) == [
        .playerChanged(ben, .disconnected, isNewClient: false), .rejoin,
      ])
    #expect(exchange.joined(reply()).isEmpty)
    #expect(exchange.state(of: ben) == .disconnected)
    // Data for the client that had this seat before.
    var old = data(1, [1])
    old.roster = 0
    #expect(exchange.received(old).isEmpty)
  }

  @Test("3.3 nothing can be sent before the match begins, and all once it has, whoever is added")
  func begins() throws {
    var exchange = MatchExchange(context: context, seat: 11)
    var early = reply(.absent)
    early.expectedPlayerCount = 1
    _ = exchange.joined(early)
    let refused = failure { _ = try exchange.send([1], isReliable: true) }
    #expect(refused?.code == .notOpen)
    _ = exchange.received(changed(.connected))
    #expect(sent(try exchange.send([1], isReliable: true)) == ["1:[1]"])
    var added = changed(.absent, 4)
    (added.player, added.place, added.expectedPlayerCount) = (cho, 2, 1)
    _ = exchange.received(added)
    #expect(exchange.expectedPlayerCount == 1 && exchange.hasBegun)
    #expect(sent(try exchange.send([2], isReliable: true)) == ["2:[2]"])
  }

  @Test("3.7 only a window of data is under way to one player; acknowledgements move it on")
  func window() throws {
    var limits = MatchExchange.Limits()
    limits.windowSizeMax = 3 * (MatchPieceCost.overhead + 1)
    var exchange = joined(limits: limits)
    for byte in 1...3 as ClosedRange<UInt8> {
      #expect(try exchange.send([byte], isReliable: true).count == 1)
    }
    for byte in 4...8 as ClosedRange<UInt8> {
      #expect(try exchange.send([byte], isReliable: true).isEmpty)
    }
    #expect(sent(exchange.received(acknowledged(2))) == ["4:[4]", "5:[5]"])
    // What nobody sent, or was never under way, is not acknowledged.
    #expect(exchange.received(acknowledged(9)).isEmpty)
    #expect(exchange.unacknowledgedCount(for: ben) == 6)
    #expect(sent(exchange.received(changed(.connected))) == ["3:[3]", "4:[4]", "5:[5]"])
  }
}

extension MatchExchangeTests {
  @Test("3.4 a player whom the roster names no more has left, and holds nobody up")
  func unnamed() throws {
    for isTold in [false, true] {
      var exchange = joined()
      _ = try exchange.send([1], isReliable: true)
      var actions: [MatchExchange.Action]
      if isTold {
        var event = changed(.connected, seat: 13)
        event.player = cho
        actions = exchange.received(event)
      } else {
        exchange.disconnected()
        var reply = reply()
        reply.players = [MatchPlayer(player: cho, seat: 13, state: .connected, place: 1)]
        actions = exchange.joined(reply)
      }
      #expect(
        actions == [
          .playerChanged(ben, .left, isNewClient: false),
          .playerChanged(cho, .connected, isNewClient: false),
        ])
      #expect(exchange.players == [cho])
      #expect(numbers(try exchange.send([2], isReliable: true)) == "2 1")
    }
  }

  @Test("3.7 what waits for all goes out once for all who come back, not once for each")
  func together() throws {
    var exchange = three()
    exchange.disconnected()
    for byte in 1...9 as ClosedRange<UInt8> { _ = try exchange.send([byte], isReliable: true) }
    _ = try exchange.send([10], to: [cho], isReliable: true)
    var back = reply()
    back.players.append(MatchPlayer(player: cho, seat: 13, state: .connected, place: 2))
    let actions = exchange.joined(back)
    #expect(sent(actions).count == 10)
    #expect(numbers([actions[3]]) == "6 4" && numbers([actions[9]]) == "4 10")
  }

  @Test("3.7 to a player who comes back little is sent until it acknowledges, and then more")
  func firstWindow() throws {
    var limits = MatchExchange.Limits()
    limits.firstWindowSize = 2 * (MatchPieceCost.overhead + 1)
    var exchange = joined(limits: limits)
    for _ in 1...20 { _ = try exchange.send([1], isReliable: true) }
    #expect(exchange.unacknowledgedCount(for: ben) == 20)
    #expect(exchange.received(acknowledged(2)).count == 4)
    #expect(exchange.received(acknowledged(6)).count == 8)
    #expect(exchange.received(changed(.connected)).count == 2)
  }

  @Test("3.9 whose seat went to another player of an open match asks, and is not told of a client")
  func seatOfNobody() {
    for code in [FailureCode.notAllowed, .conflict] {
      var exchange = joined()
      #expect(exchange.failed(Failure(code, "no")) == [.rejoin])
      #expect(!exchange.isJoined)
      // Calls that were under way ask no second time.
      #expect(exchange.failed(Failure(code, "no")) == [])
    }
  }

  @Test("3.9 one piece is repeated at a time, after twice as long each time")
  func repeats() throws {
    var exchange = joined()
    for byte in 1...3 as ClosedRange<UInt8> { _ = try exchange.send([byte], isReliable: true) }
    var times: [Int64] = []
    for now in stride(from: Int64(0), through: 30_000, by: 1000) {
      let actions = sent(exchange.timePassed(now: now))
      if actions.isEmpty { continue }
      #expect(actions == ["1:[1]"])
      times.append(now)
    }
    #expect(times == [2000, 6000, 14_000, 22_000, 30_000])
    // The others go out anew with the first acknowledgement.
    #expect(sent(exchange.received(acknowledged(1))) == ["2:[2]", "3:[3]"])
  }
}

enum MatchPieceCost {
  /// What a piece counts besides its bytes.
  static let overhead = 64
}
