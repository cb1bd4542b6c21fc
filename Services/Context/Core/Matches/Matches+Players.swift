import Domain
import Operations
import Wire

// Players of a match come and go: by their own will, with their connection, with the process.

extension Matches {
  func leaveMatch(_ operation: LeaveMatch, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let context = try self.context(operation.context, call)
    guard let match = table[context.key], !match.isEnded,
      match.seat(of: call.player)?.state == .joined,
      operation.number == 0 || operation.number == match.number
    else {
      // Who knows no number was not told of a seat: the join may still come.
      if operation.number == 0 && operation.seat != 0 {
        givenUp.add(
          GivenUpSeatKey(
            context: context.key, player: call.player, seat: operation.seat), &transaction)
      }
      return
    }
    guard mayLeave(operation, match, call) else {
      throw .refuse(.notAllowed, "Only the client that has this seat can leave it: name its value.")
    }
    leave(matchOf: context.key, call.player, isForGood: false, &transaction)
  }

  private func mayLeave(_ operation: LeaveMatch, _ match: MatchRow, _ call: Call) -> Bool {
    guard let place = match.place(of: call.player) else { return false }
    if operation.seat != 0 { return operation.seat == match.seats[place].client }
    let channel = live[match.key]?.seats[place].channel
    return channel != nil && channel == call.channel
  }

  /// Takes a player out of the running match of a context, if it is in one. A match that has not
  /// begun waits for it to come back, or for whoever else comes, unless it is gone for good; then
  /// the match may begin without it, which is returned.
  @discardableResult
  func leave(
    matchOf context: ContextID, _ player: PlayerID, isForGood: Bool,
    _ transaction: inout Transaction
  ) -> Bool {
    guard var match = table[context], !match.isEnded, let place = match.place(of: player),
      case let state = match.seats[place].state,
      state == .joined || (state == .absent && isForGood)
    else { return false }
    // In an open match somebody else may come in the player's place.
    let isVacant = match.isOpen && !match.hasBegun
    let isOut = match.hasBegun || isForGood || isVacant
    match.seats[place].state = isOut && !isVacant ? .left : .absent
    if isVacant { match.seats[place] = RosterSeat() }
    match.isEnded = match.isDeserted
    let begins = !match.isEnded && !match.hasBegun && isComplete(match)
    if begins {
      match.hasBegun = true
      forgetFound(context, &transaction)
    }
    if match.host == player { match.host = nil }
    live[context]?.hasBegun = match.hasBegun
    table.put(match, &transaction)
    live.leave(
      context, place, wasJoined: state == .joined, heir: isVacant ? PlayerID() : player)
    announce(match, place, of: player, isOut ? .left : .absent, &transaction)
    if begins { recordMeeting(in: match, &transaction) }
    guard match.isEnded else { return begins }
    announceEnd(of: match, besides: place, &transaction)
    return false
  }

  /// Ends the running match of a context for all its players.
  func end(matchOf context: ContextID, _ transaction: inout Transaction) {
    guard var match = table[context], !match.isEnded else { return }
    match.isEnded = true
    table.put(match, &transaction)
    announceEnd(of: match, besides: nil, &transaction)
  }

  private func announceEnd(
    of match: MatchRow, besides place: Int?, _ transaction: inout Transaction
  ) {
    var event = MatchEnded()
    event.context = match.key
    event.incarnation = live[match.key]?.incarnation ?? 0
    event.number = match.number
    transaction.push(event, to: channels(of: match.key, besides: place))
    live.end(match.key, match)
  }

  /// Tells the others in a match of a change, which makes a new version of the roster.
  func announce(
    _ match: MatchRow, _ place: Int, of player: PlayerID? = nil, _ state: MatchPlayerState,
    _ transaction: inout Transaction
  ) {
    // A connection made one already.
    if state != .connected { live[match.key]?.version += 1 }
    guard let live = live[match.key] else { return }
    var event = MatchPlayerChanged()
    event.context = match.key
    event.incarnation = live.incarnation
    event.player = player ?? match.seats[place].player
    event.seat = live.seats[place].client
    event.state = state
    event.expectedPlayerCount = match.awaitedPlayerCount
    event.place = UInt8(place)
    event.roster = live.version
    transaction.push(event, to: channels(of: match.key, besides: place))
  }

  /// The connections of the other players, in the order of the roster.
  func channels(of context: ContextID, besides place: Int?) -> [Channel] {
    guard let seats = live[context]?.seats else { return [] }
    return seats.indices.compactMap { $0 == place ? nil : seats[$0].channel }
  }
}

// MARK: Grace times

extension Matches {
  /// Begins the memory of a match in this life of the process: whoever is in the roster has a fresh
  /// grace time to come back.
  func revive(_ match: MatchRow, _ transaction: inout Transaction) {
    if let old = table[match.key], old.number != match.number { live.end(match.key, old) }
    live.start(
      match, game: contexts[match.key]?.game ?? "", incarnation: transaction.randomInteger())
    for (place, seat) in match.seats.enumerated() where seat.state == .joined {
      beginGrace(match.key, place, seat.player, &transaction)
    }
  }

  private func beginGrace(
    _ context: ContextID, _ place: Int, _ player: PlayerID, _ transaction: inout Transaction
  ) {
    guard let grace = live.disconnect(context, place, now: transaction.now) else { return }
    setTimer(grace, context, player, &transaction)
  }

  func setTimer(
    _ grace: GraceTime, _ context: ContextID, _ player: PlayerID,
    _ transaction: inout Transaction
  ) {
    var operation = EndGraceStep()
    operation.player = player
    // Who is connected is not kept either.
    transaction.setTimer(
      operation, on: context, item: RoutingKey(reinterpreting: player), at: grace.stepEnd,
      isKept: false)
  }

  func disconnect(_ channel: Channel, _ transaction: inout Transaction) {
    for context in live.contexts(of: channel) {
      guard let match = table[context],
        let place = live[context]?.seats.firstIndex(where: { $0.channel == channel })
      else { continue }
      beginGrace(context, place, match.seats[place].player, &transaction)
      announce(match, place, .disconnected, &transaction)
    }
  }

  func endGraceStep(
    _ operation: EndGraceStep, _ call: Call, _ transaction: inout Transaction
  ) {
    let (context, player) = (ContextID(reinterpreting: call.key), operation.player)
    guard let place = live[context]?.place(of: player), live[context]?.seats[place].grace != nil,
      !speaksAgain(place, in: context, &transaction)
    else { return }
    live[context]?.seats[place].grace?.endStep(now: transaction.now)
    guard let grace = live[context]?.seats[place].grace else { return }
    if grace.isOver {
      tellEnd(to: place, in: context, &transaction)
      leave(matchOf: context, player, isForGood: false, &transaction)
    } else {
      setTimer(grace, context, player, &transaction)
    }
  }

  /// Whoever is out although its connection lives hears of it before the seat is nobody's.
  private func tellEnd(
    to place: Int, in context: ContextID, _ transaction: inout Transaction
  ) {
    guard let match = live[context], let channel = match.seats[place].channel else { return }
    var event = MatchEnded()
    event.context = context
    event.incarnation = match.incarnation
    event.number = table[context]?.number ?? 0
    transaction.push(event, to: channel)
  }

  /// A match of the process before, unless somebody has joined it already.
  func reviveMatch(_ operation: ReviveMatch, _ call: Call, _ transaction: inout Transaction) {
    let context = ContextID(reinterpreting: call.key)
    if live[context] == nil, let match = table[context], !match.isEnded {
      revive(match, &transaction)
    }
  }
}
