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
    let (roster, match) = try seated(
      operation.context, operation.incarnation, seat: operation.seat, call)
    var receivers = operation.receivers
    if receivers.isEmpty {
      guard !operation.isReliable else {
        throw .requiredArgument("receivers", "Reliable data is numbered per receiver.")
      }
      receivers = roster.seats.filter { $0.player != call.player }.map {
        MatchReceiver(
          player: $0.player, seat: match.seats[$0.player]?.client ?? 0, sequence: 0)
      }
    }
    guard receivers.count < ContextLimits.matchPlayersMax,
      Set(receivers.map(\.player)).count == receivers.count,
      receivers.allSatisfy({ $0.player != call.player && roster[$0.player] != nil })
    else {
      throw .invalidArgument(
        "receivers", "Only others in the match can receive data, and each is named once.")
    }
    var event = MatchData()
    event.context = operation.context
    event.incarnation = operation.incarnation
    event.sender = call.player
    event.senderSeat = operation.seat
    event.isReliable = operation.isReliable
    event.isPartial = operation.isPartial
    event.payload = operation.payload
    for receiver in receivers {
      guard let seat = match.seats[receiver.player], seat.client == receiver.seat,
        let channel = seat.channel
      else { continue }
      event.receiverSeat = receiver.seat
      event.sequence = receiver.sequence
      transaction.push(event, to: channel)
    }
  }

  func acknowledgeMatchData(
    _ operation: AcknowledgeMatchData, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    _ = try seated(operation.context, operation.incarnation, seat: operation.seat, call)
    let cursor = MatchCursor(
      player: operation.sender, seat: operation.senderSeat, through: operation.through)
    acknowledge(cursor, by: call.player, in: operation.context, &transaction)
  }

  /// Tells a sender how far a receiver has its data. Tells nobody when another client has the
  /// sender's seat by now.
  func acknowledge(
    _ cursor: MatchCursor, by receiver: PlayerID, in context: ContextID,
    _ transaction: inout Transaction
  ) {
    guard cursor.player != receiver, let match = live[context],
      let seat = match.seats[cursor.player], seat.client == cursor.seat, let channel = seat.channel
    else { return }
    var event = MatchDataAcknowledged()
    event.context = context
    event.incarnation = match.incarnation
    event.receiver = receiver
    event.receiverSeat = match.seats[receiver]?.client ?? 0
    event.senderSeat = cursor.seat
    event.through = cursor.through
    transaction.push(event, to: channel)
  }

  /// The running match in which the caller's connection has the seat it says.
  private func seated(
    _ context: ContextID, _ incarnation: UInt64, seat client: UInt64, _ call: Call
  ) throws(Stop) -> (MatchRow, LiveMatches.Match) {
    guard !context.isNil else {
      throw .requiredArgument("context", "A context must be named.")
    }
    guard contexts[context]?.game == call.game, let roster = table[context],
      let state = roster[call.player]?.state
    else { throw .refuse(.notAllowed, "You are not in a match of this context.") }
    guard !roster.isEnded, state != .left else {
      throw .refuse(.matchEnded, "The match is over.")
    }
    // Whoever is absent from this match may speak of the one before, whose end it has not heard of:
    // the attempt to join that one again tells it.
    guard let match = live[context], match.incarnation == incarnation,
      let seat = match.seats[call.player], seat.client != 0
    else { throw .refuse(.conflict, "The match was started again: join it again.") }
    guard seat.client == client else {
      throw .refuse(.notAllowed, "Another client has this seat.")
    }
    guard let channel = call.channel, seat.channel == channel else {
      throw .refuse(.conflict, "This connection has no seat yet: join the match again.")
    }
    return (roster, match)
  }
}
