import Domain
import MusterKit
import Operations
import TestKit
import Testing
import Wire

@Suite struct ReliableChannelTests {
  let context = ContextID.sample(1)

  func reply(
    number: UInt64 = 1, incarnation: UInt64 = 1, seat: UInt64 = 12,
    _ state: MatchPlayerState = .connected
  ) -> JoinMatch.Reply {
    var reply = JoinMatch.Reply()
    reply.number = number
    reply.incarnation = incarnation
    reply.players = [MatchPlayer(player: ben, seat: seat, state: state)]
    return reply
  }

  /// Ann's channel in a match with ben.
  func joined(limits: ReliableChannel.Limits = .init()) -> ReliableChannel {
    var channel = ReliableChannel(context: context, seat: 11, limits: limits)
    #expect(channel.join().number == 0)
    let actions = channel.joined(reply())
    #expect(actions == [.playerChanged(ben, .connected, isNewClient: false)])
    return channel
  }

  func changed(_ state: MatchPlayerState, seat: UInt64 = 12) -> MatchPlayerChanged {
    var event = MatchPlayerChanged()
    event.context = context
    event.incarnation = 1
    event.player = ben
    event.seat = seat
    event.state = state
    return event
  }

  func data(
    _ sequence: UInt64, _ payload: [UInt8], isReliable: Bool = true, isPartial: Bool = false
  ) -> MatchData {
    var event = MatchData()
    event.context = context
    event.incarnation = 1
    event.sender = ben
    event.senderSeat = 12
    event.receiverSeat = 11
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
    event.receiver = ben
    event.receiverSeat = 12
    event.senderSeat = 11
    event.through = through
    return event
  }

  /// Payloads and numbers of the data that the actions send.
  func sent(_ actions: [ReliableChannel.Action]) -> [String] {
    actions.compactMap { action in
      guard case .send(let operation) = action else { return nil }
      let numbers = operation.receivers.map { "\($0.sequence)" }.joined(separator: ",")
      return "\(numbers):\(operation.payload.array)\(operation.isPartial ? "+" : "")"
    }
  }

  @Test("3.9 what is not acknowledged is sent again when the player is back, the rest is not")
  func comeBack() throws {
    var channel = joined()
    #expect(sent(try channel.send([1], isReliable: true)) == ["1:[1]"])
    #expect(sent(try channel.send([2], isReliable: true)) == ["2:[2]"])
    #expect(channel.received(acknowledged(1)).isEmpty)
    _ = channel.received(changed(.disconnected))
    #expect(try channel.send([3], isReliable: true).isEmpty)
    #expect(sent(channel.received(changed(.connected))) == ["2:[2]", "3:[3]"])
    // A second "connected" in a row: what was sent in between may be lost.
    #expect(sent(channel.received(changed(.connected))) == ["2:[2]", "3:[3]"])
  }

  @Test("3.7 after the own connection was lost, joining repeats what is open")
  func ownConnection() throws {
    var channel = joined()
    _ = try channel.send([1], isReliable: true)
    _ = channel.received(data(1, [7]))
    channel.disconnected()
    #expect(try channel.send([2], isReliable: true).isEmpty)
    let call = channel.join()
    #expect(call.number == 1)
    #expect(call.received == [MatchCursor(player: ben, seat: 12, through: 1)])
    #expect(sent(channel.joined(reply())) == ["1:[1]", "2:[2]"])
    // As a heartbeat, joining repeats nothing; in a new life of the service it does.
    #expect(channel.joined(reply()).isEmpty)
    #expect(sent(channel.joined(reply(incarnation: 2))) == ["1:[1]", "2:[2]"])
  }

  @Test("3.9 a conflict means joining again, once")
  func conflict() {
    var channel = joined()
    #expect(channel.failed(Failure(.conflict, "")) == [.rejoin])
    #expect(channel.failed(Failure(.conflict, "")).isEmpty)
    #expect(channel.failed(Failure(.rateLimited, "")).isEmpty)
  }

  @Test("3.9 a full buffer is backpressure, all or nothing, and empties by acknowledgement")
  func backpressure() throws {
    var limits = ReliableChannel.Limits()
    limits.bufferCountMax = 2
    var channel = joined(limits: limits)
    for _ in 1...2 { _ = try channel.send([1], isReliable: true) }
    #expect(throws: Failure.self) { try channel.send([1], isReliable: true) }
    #expect(channel.unacknowledgedCount(for: ben) == 2)
    _ = channel.received(acknowledged(9))
    #expect(channel.unacknowledgedCount(for: ben) == 2)
    _ = channel.received(acknowledged(2))
    #expect(sent(try channel.send([3], isReliable: true)) == ["3:[3]"])
  }

  @Test("3.9 doubles are dropped, gaps wait, acknowledgements are cumulative")
  func order() {
    var channel = joined()
    #expect(channel.received(data(2, [2])).isEmpty)
    #expect(
      channel.received(data(1, [1])) == [
        .deliver(from: ben, payload: [1], isReliable: true),
        .deliver(from: ben, payload: [2], isReliable: true),
      ])
    #expect(channel.received(data(1, [1])).isEmpty)
    guard case .acknowledge(let operation)? = channel.acknowledge().first else {
      Issue.record("no acknowledgement")
      return
    }
    #expect(operation.through == 2)
    #expect(operation.senderSeat == 12)
    #expect(channel.acknowledge().isEmpty)
  }

  @Test("3.9 time repeats what nobody acknowledged")
  func time() throws {
    var channel = joined()
    _ = channel.timePassed(now: 1000)
    _ = try channel.send([1], isReliable: true)
    #expect(channel.timePassed(now: 2999).isEmpty)
    #expect(sent(channel.timePassed(now: 3000)) == ["1:[1]"])
    #expect(channel.timePassed(now: 4999).isEmpty)
    _ = channel.received(acknowledged(1))
    #expect(channel.timePassed(now: 9000).isEmpty)
  }

  @Test("3.5 large reliable messages go in pieces; too large ones are refused or reported")
  func pieces() throws {
    var limits = ReliableChannel.Limits()
    limits.pieceSizeMax = 2
    limits.messageSizeMax = 5
    var channel = joined(limits: limits)
    let actions = try channel.send([1, 2, 3, 4, 5], isReliable: true)
    #expect(sent(actions) == ["1:[1, 2]+", "2:[3, 4]+", "3:[5]"])
    #expect(throws: Failure.self) {
      try channel.send([1, 2, 3, 4, 5, 6], isReliable: true)
    }
    #expect(channel.received(data(1, [1, 2], isPartial: true)).isEmpty)
    #expect(
      channel.received(data(2, [3])) == [
        .deliver(from: ben, payload: [1, 2, 3], isReliable: true)
      ])
    #expect(channel.received(data(3, [1, 2, 3, 4, 5], isPartial: true)).isEmpty)
    #expect(channel.received(data(4, [6], isPartial: true)).isEmpty)
    #expect(channel.received(data(5, [7])) == [.oversized(from: ben)])
    #expect(
      channel.received(data(6, [8])) == [.deliver(from: ben, payload: [8], isReliable: true)])
  }

  @Test("3.5 unreliable data is never kept, and the newest wins")
  func unreliable() throws {
    var channel = joined()
    #expect(sent(try channel.send([1], isReliable: false)) == ["1:[1]"])
    #expect(channel.unacknowledgedCount(for: ben) == 0)
    #expect(channel.received(data(2, [2], isReliable: false)).count == 1)
    #expect(channel.received(data(1, [1], isReliable: false)).isEmpty)
    _ = channel.received(changed(.disconnected))
    #expect(try channel.send([3], isReliable: false).isEmpty)
  }

  @Test("3.9 with a new client in a seat both directions begin anew, at whole messages")
  func newClient() throws {
    var limits = ReliableChannel.Limits()
    limits.pieceSizeMax = 1
    var channel = joined(limits: limits)
    _ = try channel.send([1, 2, 3], isReliable: true)
    _ = try channel.send([4], isReliable: true)
    _ = channel.received(acknowledged(1))
    _ = channel.received(data(1, [9]))
    let actions = channel.received(changed(.connected, seat: 99))
    #expect(actions.first == .playerChanged(ben, .connected, isNewClient: true))
    #expect(sent(actions) == ["1:[4]"])
    #expect(channel.received(data(2, [8])).isEmpty)
    var fresh = data(1, [5])
    fresh.senderSeat = 99
    #expect(
      channel.received(fresh) == [.deliver(from: ben, payload: [5], isReliable: true)])
  }

  @Test("3.4 players never include oneself; after the end nothing can be sent")
  func end() throws {
    var channel = joined()
    #expect(channel.players == [ben])
    #expect(throws: Failure.self) { try channel.send([1], to: [ann], isReliable: true) }
    _ = channel.received(changed(.left))
    #expect(channel.players.isEmpty)
    var ended = MatchEnded()
    ended.context = context
    ended.number = 1
    #expect(channel.received(ended) == [.ended])
    #expect(channel.received(ended).isEmpty)
    #expect(throws: Failure.self) { try channel.send([1], isReliable: true) }
    _ = channel.joined(reply(number: 2))
    #expect(sent(try channel.send([1], isReliable: true)) == ["1:[1]"])
  }
}
