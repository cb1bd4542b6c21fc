import Domain
import Operations
import Wire

// Players of a match come and go: by their own will, with their connection, with the process.

extension Matches {
  /// Begins the memory of a match in this life of the process: whoever is in the roster has a fresh
  /// grace time to come back.
  func revive(_ match: MatchRow, _ transaction: inout Transaction) {
    live.start(match.key, incarnation: transaction.randomInteger())
    for seat in match.seats where seat.state == .joined {
      beginGrace(match.key, seat.player, &transaction)
    }
  }

  private func beginGrace(
    _ context: ContextID, _ player: PlayerID, _ transaction: inout Transaction
  ) {
    guard let grace = live.disconnect(context, player, now: transaction.now) else { return }
    setTimer(grace, context, player, &transaction)
  }

  private func setTimer(
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

  /// Takes a player out of the running match of a context, if it is in one. A match that has not
  /// begun waits for it to come back, unless it is gone for good.
  func leave(
    matchOf context: ContextID, _ player: PlayerID, isForGood: Bool,
    _ transaction: inout Transaction
  ) {
    guard var match = table[context], !match.isEnded, let state = match[player]?.state,
      state == .joined || (state == .absent && isForGood)
    else { return }
    let isOut = match.hasBegun || isForGood
    match[player]?.state = isOut ? .left : .absent
    match.isEnded = match.isDeserted
    table.put(match, &transaction)
    live.leave(context, player)
    announce(match, player, isOut ? .left : .absent, &transaction)
    guard match.isEnded else { return }
    var event = MatchEnded()
    event.context = context
    event.incarnation = live[context]?.incarnation ?? 0
    event.number = match.number
    for channel in channels(of: match, besides: player) { transaction.push(event, to: channel) }
    live.end(context)
  }

  func announce(
    _ match: MatchRow, _ player: PlayerID, _ state: MatchPlayerState,
    _ transaction: inout Transaction
  ) {
    var event = MatchPlayerChanged()
    event.context = match.key
    event.incarnation = live[match.key]?.incarnation ?? 0
    event.player = player
    event.seat = live[match.key]?.seats[player]?.client ?? 0
    event.state = state
    event.expectedPlayerCount = match.expectedPlayerCount
    for channel in channels(of: match, besides: player) { transaction.push(event, to: channel) }
  }

  /// The connections of the other players, in the order of the roster.
  func channels(of match: MatchRow, besides player: PlayerID) -> [Channel] {
    match.seats.filter { $0.player != player }
      .compactMap { live[match.key]?.seats[$0.player]?.channel }
  }

  func disconnect(_ channel: Channel, _ transaction: inout Transaction) {
    for context in live.contexts(of: channel) {
      guard let match = table[context],
        let player = match.seats.first(where: {
          live[context]?.seats[$0.player]?.channel == channel
        })?.player
      else { continue }
      beginGrace(context, player, &transaction)
      announce(match, player, .disconnected, &transaction)
    }
  }

  func endGraceStep(
    _ operation: EndGraceStep, _ call: Call, _ transaction: inout Transaction
  ) {
    let (context, player) = (ContextID(reinterpreting: call.key), operation.player)
    guard let grace = live.endGraceStep(of: player, in: context, now: transaction.now)
    else { return }
    if grace.isOver {
      leave(matchOf: context, player, isForGood: false, &transaction)
    } else {
      setTimer(grace, context, player, &transaction)
    }
  }

  /// A match of the process before, unless somebody has joined it already.
  func reviveMatch(_ operation: ReviveMatch, _ call: Call, _ transaction: inout Transaction) {
    let context = ContextID(reinterpreting: call.key)
    if live[context] == nil, let match = table[context], !match.isEnded {
      revive(match, &transaction)
    }
  }
}
