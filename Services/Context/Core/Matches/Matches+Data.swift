import Domain
import Operations
import Wire

// The relay of match data: from connection to connection, with nothing kept on the way.

extension Matches {
  func sendMatchData(_ operation: SendMatchData, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    guard operation.payload.array.count <= ContextLimits.matchPayloadSizeMax else {
      throw .invalidArgument(
        "payload", "A piece of match data has at most \(ContextLimits.matchPayloadSizeMax) bytes.")
    }
    let place = try seated(operation.context, operation.incarnation, operation.seat, call)
    let receivers = try receivers(of: operation, from: place)
    var event = MatchData()
    event.context = operation.context
    event.incarnation = operation.incarnation
    event.place = UInt8(place)
    event.seat = operation.seat
    event.roster = operation.roster
    event.isReliable = operation.isReliable
    event.isPartial = operation.isPartial
    event.sequence = operation.sequence
    event.exceptions = operation.exceptions
    event.payload = operation.payload
    let channels = pass(event, to: receivers, now: transaction.now)
    let lane: PushLane =
      operation.isReliable ? .ordered : .newest(operation.context, UInt64(place))
    transaction.push(event, to: channels, lane: lane)
  }

  /// Who gets the data, by the bits of their places.
  private func receivers(of operation: SendMatchData, from place: Int) throws(Stop) -> UInt16 {
    guard let match = live[operation.context], match.hasBegun else {
      throw .refuse(.notOpen, "The match begins when nobody is expected any more.")
    }
    let all = UInt16(truncatingIfNeeded: 1 << match.seats.count - 1) & ~(1 << place)
    guard operation.receivers & ~all == 0 else {
      throw .invalidArgument("receivers", "Only others in the match can receive data.")
    }
    var named: UInt16 = 0
    for exception in operation.exceptions {
      guard exception.place < match.seats.count, named & 1 << exception.place == 0 else {
        throw .invalidArgument("exceptions", "Each place of the match is named at most once.")
      }
      named |= 1 << exception.place
    }
    return operation.receivers == 0 ? all : operation.receivers
  }

  /// Notes that data goes to those of its receivers who are connected, and returns their
  /// connections. A client that came after the roster that the sender knew is not meant.
  private func pass(_ event: MatchData, to receivers: UInt16, now: Int64) -> [Channel] {
    let count = live[event.context]?.seats.count ?? 0
    var channels: [Channel] = []
    channels.reserveCapacity(count)
    for place in 0..<count where receivers & 1 << place != 0 {
      guard let channel = live[event.context]?.seats[place].channel,
        live[event.context]?.seats[place].since ?? 0 <= event.roster
      else { continue }
      channels.append(channel)
      if event.isReliable {
        live[event.context]?.seats[place].pass(
          event.sequence(for: UInt8(place)), from: Int(event.place), now: now)
      }
    }
    return channels
  }

  func acknowledgeMatchData(
    _ operation: AcknowledgeMatchData, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard operation.receipts.count <= ContextLimits.matchPlayersMax else {
      throw .invalidArgument("receipts", "A match has fewer players than are named here.")
    }
    let context = operation.context
    let place = try seated(context, operation.incarnation, operation.seat, call)
    note(operation.latencyMilliseconds, of: place, in: context)
    let before = live[context]?.owed ?? 0
    for receipt in operation.receipts {
      let sender = Int(receipt.place)
      guard sender != place, let match = live[context], match.seats.indices.contains(sender),
        match.seats[sender].client == receipt.seat
      else { continue }
      live[context]?.seats[place].acknowledge(
        through: receipt.through, from: sender, now: transaction.now)
      live[context]?.owed |= 1 << sender
    }
    guard before == 0, live[context]?.owed != 0 else { return }
    let time = transaction.now + Int64(ContextLimits.matchReceiptMilliseconds)
    transaction.setTimer(TellMatchReceipts(), on: context, at: time, isKept: false)
  }

  func tellMatchReceipts(
    _ operation: TellMatchReceipts, _ call: Call, _ transaction: inout Transaction
  ) {
    let context = ContextID(reinterpreting: call.key)
    guard let owed = live[context]?.owed, owed != 0 else { return }
    live[context]?.owed = 0
    for sender in 0..<(live[context]?.seats.count ?? 0) where owed & 1 << sender != 0 {
      tellReceipts(to: sender, in: context, &transaction)
    }
    lookForSilence(in: context, &transaction)
  }

  private func tellReceipts(
    to sender: Int, in context: ContextID, _ transaction: inout Transaction
  ) {
    guard let count = live[context]?.seats.count else { return }
    var event = MatchDataAcknowledged()
    for place in 0..<count {
      guard let through = live[context]?.seats[place].takeReceipt(from: sender),
        let client = live[context]?.seats[place].client
      else { continue }
      event.receipts.append(MatchReceipt(place: UInt8(place), seat: client, through: through))
    }
    tell(&event, to: sender, in: context, &transaction)
  }

  /// Tells a sender how far receivers have its data, if it is connected.
  func tell(
    _ event: inout MatchDataAcknowledged, to sender: Int, in context: ContextID,
    _ transaction: inout Transaction
  ) {
    guard let match = live[context], let channel = match.seats[sender].channel,
      !event.receipts.isEmpty
    else { return }
    event.context = context
    event.incarnation = match.incarnation
    event.seat = match.seats[sender].client
    transaction.push(event, to: channel)
  }

  /// The caller's place in the running match in which its connection has the seat that it says.
  func seated(
    _ context: ContextID, _ incarnation: UInt64, _ client: UInt64, _ call: Call
  ) throws(Stop) -> Int {
    guard !context.isNil else {
      throw .requiredArgument("context", "A context must be named.")
    }
    guard let match = live[context], match.game == call.game,
      let place = match.place(of: call.player), match.incarnation == incarnation,
      match.seats[place].client != 0
    else { throw notSeated(context, call) }
    guard match.seats[place].client == client else {
      throw .refuse(.notAllowed, "Another client has this seat.")
    }
    guard let channel = call.channel, match.seats[place].channel == channel else {
      throw .refuse(.conflict, "This connection has no seat yet: join the match again.")
    }
    return place
  }

  /// Why the caller has no seat in a running match.
  private func notSeated(_ context: ContextID, _ call: Call) -> Stop {
    guard contexts[context]?.game == call.game, let roster = table[context],
      let seat = roster.seat(of: call.player)
    else { return .refuse(.notAllowed, "You are not in a match of this context.") }
    guard !roster.isEnded, seat.state != .left else {
      return .refuse(.matchEnded, "The match is over.")
    }
    // Whoever is absent from this match may speak of the one before, whose end it has not heard of:
    // the attempt to join that one again tells it.
    return .refuse(.conflict, "The match was started again: join it again.")
  }
}
