import MusterKit
import Transport

/// The relay of one match of two.
struct FakeMatch {
  private struct Seat {
    var player: PlayerID
    var number: UInt64
    var session: FakeSession?
    var state = MatchPlayerState.connected
  }

  private var seats: [Seat] = []
  private var context = ContextID()
  private var version: UInt32 = 0
  var incarnation: UInt64 = 1
  private(set) var isEnded = false
  var leavingFails: FailureCode?

  private func holder(_ session: FakeSession) -> Int? {
    seats.firstIndex { $0.session === session }
  }

  /// The service has started again and knows no connections.
  mutating func restart() {
    incarnation += 1
    version = 0
    for index in seats.indices {
      seats[index].session = nil
      seats[index].state = .disconnected
    }
  }

  mutating func join(_ operation: JoinMatch, _ session: FakeSession)
    -> Result<JoinMatch.Reply, Failure>
  {
    guard let player = session.player, !isEnded else {
      return .failure(Failure(.matchEnded, "The match is over."))
    }
    context = operation.context
    var seat = Seat(player: player, number: operation.seat, session: session)
    let index = seats.firstIndex { $0.player == player } ?? seats.endIndex
    if index == seats.endIndex { seats.append(seat) }
    let isSame = seats[index].session === session && seats[index].state == .connected
    seat.state = .connected
    seats[index] = seat
    if !isSame || seats.count == 2 {
      version += 1
      for cursor in operation.received { tell(cursor, of: seat) }
      announce(seat)
    }
    var reply = JoinMatch.Reply()
    reply.number = 1
    reply.incarnation = incarnation
    reply.expectedPlayerCount = UInt32(2 - seats.count)
    (reply.place, reply.roster) = (UInt8(index), version)
    for (place, other) in seats.enumerated() where other.player != player {
      let number = other.session == nil ? 0 : other.number
      reply.players.append(
        MatchPlayer(
          player: other.player, seat: number, state: other.state, place: UInt8(place)))
    }
    return .success(reply)
  }

  private func tell(_ cursor: MatchCursor, of seat: Seat) {
    guard let other = seats.first(where: { $0.player == cursor.player }) else { return }
    var event = MatchDataAcknowledged()
    event.context = context
    event.incarnation = incarnation
    event.seat = cursor.seat
    event.receipts = [
      MatchReceipt(place: place(of: seat.player), seat: seat.number, through: cursor.through)
    ]
    other.session?.push(event)
  }

  private func announce(_ seat: Seat) {
    var event = MatchPlayerChanged()
    event.context = context
    event.incarnation = incarnation
    event.player = seat.player
    event.seat = seat.number
    event.state = seat.state
    event.expectedPlayerCount = UInt32(2 - seats.count)
    (event.place, event.roster) = (place(of: seat.player), version)
    for other in seats where other.player != seat.player { other.session?.push(event) }
  }

  private func place(of player: PlayerID) -> UInt8 {
    UInt8(seats.firstIndex { $0.player == player } ?? 0)
  }

  private func check(_ incarnation: UInt64, _ session: FakeSession) -> Failure? {
    if isEnded { return Failure(.matchEnded, "The match is over.") }
    guard incarnation == self.incarnation, holder(session) != nil else {
      return Failure(.conflict, "Join first.")
    }
    return nil
  }

  func send(_ operation: SendMatchData, _ session: FakeSession) -> Result<Empty, Failure> {
    if let failure = check(operation.incarnation, session) { return .failure(failure) }
    var event = MatchData()
    event.context = context
    event.incarnation = incarnation
    event.place = place(of: session.player ?? PlayerID())
    event.seat = operation.seat
    event.roster = operation.roster
    event.sequence = operation.sequence
    event.exceptions = operation.exceptions
    event.isReliable = operation.isReliable
    event.isPartial = operation.isPartial
    event.payload = operation.payload
    for (place, receiver) in seats.enumerated() where operation.receivers & 1 << place != 0 {
      receiver.session?.push(event)
    }
    return .success(Empty())
  }

  func acknowledge(_ operation: AcknowledgeMatchData, _ session: FakeSession)
    -> Result<Empty, Failure>
  {
    if let failure = check(operation.incarnation, session) { return .failure(failure) }
    guard let index = holder(session) else { return .success(Empty()) }
    for receipt in operation.receipts {
      tell(
        MatchCursor(
          player: seats[Int(receipt.place)].player, seat: receipt.seat, through: receipt.through),
        of: seats[index])
    }
    return .success(Empty())
  }

  mutating func lost(_ session: FakeSession) {
    guard let index = holder(session), !isEnded else { return }
    seats[index].session = nil
    seats[index].state = .disconnected
    version += 1
    announce(seats[index])
  }

  mutating func leave(_ session: FakeSession) -> Result<Empty, Failure> {
    if let leavingFails { return .failure(Failure(leavingFails, "as the test wants it")) }
    guard let index = seats.firstIndex(where: { $0.player == session.player }), !isEnded else {
      return .success(Empty())
    }
    isEnded = true
    seats[index].state = .left
    version += 1
    announce(seats[index])
    var event = MatchEnded()
    event.context = context
    event.incarnation = incarnation
    event.number = 1
    for other in seats where other.player != session.player { other.session?.push(event) }
    return .success(Empty())
  }
}
