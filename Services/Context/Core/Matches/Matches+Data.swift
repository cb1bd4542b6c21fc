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
    guard !operation.context.isNil else {
      throw .requiredArgument("context", "A context must be named.")
    }
    let now = transaction.now
    let passed = try live.change(operation.context) { match throws(Stop) in
      try match.pass(operation, of: call, now: now)
    }
    guard let passed else { throw notSeated(operation.context, call) }
    let lane: PushLane =
      operation.isReliable ? .ordered : .newest(operation.context, UInt64(passed.place))
    transaction.push(
      operation.asPassed(from: passed.place), to: passed.channels, lane: lane)
    // A sender who repeats what was acknowledged has not heard of it.
    if passed.isBehind { tellReceipts(to: passed.place, in: operation.context, &transaction) }
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
    take(operation.receipts, of: place, in: context, tellsAgain: true, &transaction)
  }

  /// Notes what a client has received, and tells the senders a moment later.
  func take(
    _ receipts: [MatchReceipt], of place: Int, in context: ContextID, tellsAgain: Bool,
    _ transaction: inout Transaction
  ) {
    let before = live[context]?.owed ?? 0
    live[context]?.take(receipts, of: place, tellsAgain: tellsAgain, now: transaction.now)
    guard before == 0, let owed = live[context]?.owed, owed != 0 else { return }
    let time = transaction.now + Int64(ContextLimits.matchReceiptMilliseconds)
    transaction.setTimer(TellMatchReceipts(), on: context, at: time, isKept: false)
  }

  /// Tells all senders of what has been acknowledged.
  func tellReceipts(in context: ContextID, _ transaction: inout Transaction) {
    guard let owed = live[context]?.owed, owed != 0 else { return }
    live[context]?.owed = 0
    for sender in 0..<(live[context]?.seats.count ?? 0) where owed & 1 << sender != 0 {
      tellReceipts(to: sender, in: context, &transaction)
    }
  }

  func tellMatchReceipts(
    _ operation: TellMatchReceipts, _ call: Call, _ transaction: inout Transaction
  ) {
    let context = ContextID(reinterpreting: call.key)
    tellReceipts(in: context, &transaction)
    lookForSilence(in: context, &transaction)
  }

  private func tellReceipts(
    to sender: Int, in context: ContextID, _ transaction: inout Transaction
  ) {
    guard let receipts = live[context]?.takeReceipts(for: sender), !receipts.isEmpty,
      let match = live[context], let channel = match.seats[sender].channel
    else { return }
    var event = MatchDataAcknowledged()
    event.receipts = receipts
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
    let place = try live.change(context) { match throws(Stop) in
      try match.seat(incarnation, client, of: call)
    }
    guard let place else { throw notSeated(context, call) }
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

extension LiveMatches.Match {
  /// What became of data that a player has sent.
  fileprivate struct Passed {
    /// The sender's.
    let place: Int
    let channels: [Channel]
    let isBehind: Bool
  }

  /// Passes data on, if its sender is in this life of the match; nil otherwise.
  fileprivate mutating func pass(_ operation: SendMatchData, of call: Call, now: Int64)
    throws(Stop) -> Passed?
  {
    guard let place = try seat(operation.incarnation, operation.seat, of: call) else { return nil }
    let receivers = try receivers(of: operation, from: place)
    let (channels, isBehind) = pass(operation, from: place, to: receivers, now: now)
    return Passed(place: place, channels: channels, isBehind: isBehind)
  }

  /// Who gets the data, by the bits of their places.
  private func receivers(of operation: SendMatchData, from place: Int) throws(Stop) -> UInt16 {
    guard hasBegun else {
      throw .refuse(.notOpen, "The match begins when nobody is expected any more.")
    }
    let all = UInt16(truncatingIfNeeded: 1 << seats.count - 1) & ~(1 << place)
    guard operation.receivers & ~all == 0 else {
      throw .invalidArgument("receivers", "Only others in the match can receive data.")
    }
    var named: UInt16 = 0
    for exception in operation.exceptions {
      guard exception.place < seats.count, named & 1 << exception.place == 0 else {
        throw .invalidArgument("exceptions", "Each place of the match is named at most once.")
      }
      named |= 1 << exception.place
    }
    return operation.receivers == 0 ? all : operation.receivers
  }
}

extension SendMatchData {
  /// What receivers get of the data of the player at a place.
  fileprivate func asPassed(from place: Int) -> MatchData {
    var event = MatchData()
    event.context = context
    event.incarnation = incarnation
    event.place = UInt8(place)
    event.seat = seat
    event.roster = roster
    event.isReliable = isReliable
    event.isPartial = isPartial
    event.sequence = sequence
    event.exceptions = exceptions
    event.payload = payload
    return event
  }
}
