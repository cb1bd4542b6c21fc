import Domain
import Operations
import Wire

extension Matches {
  func joinMatch(_ operation: JoinMatch, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> JoinMatch.Reply
  {
    let context = try contexts.participant(operation.context, call)
    let channel = try checkJoin(operation, context, call)
    var match = try roster(for: operation, context, call, &transaction)
    let holder = match[call.player]?.client ?? 0
    // With each new client of a player the others count from the start, so the numbers of a client
    // from before mean nothing to them.
    guard operation.number == 0 || holder == 0 || holder == operation.seat else {
      throw .refuse(.conflict, "Another client has taken this seat meanwhile.")
    }
    // From here on nothing is refused.
    if live[match.key] == nil { revive(match, &transaction) }
    if match[call.player]?.state == .absent || holder != operation.seat {
      let hadBegun = match.hasBegun
      match[call.player]?.state = .joined
      match[call.player]?.client = operation.seat
      match.hasBegun = hadBegun || match.expectedPlayerCount == 0
      table.put(match, &transaction)
      if match.hasBegun && !hadBegun { contexts.played(in: match.key, &transaction) }
    }
    let before = live[match.key]?.seats[call.player]
    let isSame = before?.channel == channel && before?.client == operation.seat
    if !isSame {
      if let old = before?.channel, old != channel, before?.client != operation.seat {
        var event = MatchSeatTaken()
        event.context = match.key
        event.incarnation = live[match.key]?.incarnation ?? 0
        transaction.push(event, to: old)
      }
      live.connect(match.key, call.player, client: operation.seat, channel: channel)
    }
    for cursor in operation.received where operation.number == match.number {
      acknowledge(cursor, by: call.player, in: match.key, &transaction)
    }
    if !isSame { announce(match, call.player, .connected, &transaction) }
    return reply(match, to: call.player)
  }

  func leaveMatch(_ operation: LeaveMatch, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let context = try contexts.participant(operation.context, call)
    guard let match = table[context.key], !match.isEnded,
      match[call.player]?.state == .joined,
      operation.number == 0 || operation.number == match.number
    else { return }
    guard mayLeave(operation, match, call) else {
      throw .refuse(.notAllowed, "Only the client that has this seat can leave it: name its value.")
    }
    leave(matchOf: context.key, call.player, isForGood: false, &transaction)
  }

  private func mayLeave(_ operation: LeaveMatch, _ match: MatchRow, _ call: Call) -> Bool {
    if operation.seat != 0 { return operation.seat == match[call.player]?.client }
    let channel = live[match.key]?.seats[call.player]?.channel
    return channel != nil && channel == call.channel
  }

  private func checkJoin(_ operation: JoinMatch, _ context: ContextRow, _ call: Call)
    throws(Stop) -> Channel
  {
    guard operation.seat != 0 else {
      throw .requiredArgument("seat", "The client must choose a seat number.")
    }
    guard operation.received.count <= ContextLimits.matchPlayersMax else {
      throw .invalidArgument(
        "received", "A match has fewer players than are named here.")
    }
    guard context.state(of: call.player) == .active else {
      throw .refuse(.notAllowed, "Enter the context before you join its match.")
    }
    guard let channel = call.channel else {
      throw .refuse(.notAllowed, "A match is joined over a connection that data can come on.")
    }
    let others = live.contexts(of: channel)
    guard others.contains(context.key) || others.count < ContextLimits.matchesPerChannelMax else {
      throw .refuse(
        .limitReached,
        "One connection plays at most \(ContextLimits.matchesPerChannelMax) matches.")
    }
    return channel
  }

  /// The match that a call joins: the running one, or a fresh one where that is due.
  private func roster(
    for operation: JoinMatch, _ context: ContextRow, _ call: Call,
    _ transaction: inout Transaction
  ) throws(Stop) -> MatchRow {
    let last = table[context.key]
    if let last, !last.isEnded, operation.number == 0 || operation.number == last.number {
      switch last[call.player]?.state {
      case .left?: throw .refuse(.matchEnded, "You have left this match.")
      case nil: throw .refuse(.notAllowed, "The match began without you.")
      default: return last
      }
    }
    // A match that never began, or was of a generation before, is in nobody's way.
    let isOver = last.map { $0.hasBegun && $0.generation == context.generation } ?? false
    guard operation.number == 0, !isOver || operation.startsNew else {
      throw .refuse(.matchEnded, "The match is over.")
    }
    guard context.present.count == 2 else {
      throw .refuse(.notAllowed, "A match needs a context of two players.")
    }
    var match = MatchRow()
    match.key = context.key
    match.number = (last?.number ?? 0) + 1
    match.generation = context.generation
    match.createdAt = transaction.now
    match.seats = context.present.map { player in
      var seat = RosterSeat()
      seat.player = player.player
      return seat
    }
    return match
  }

  private func reply(_ match: MatchRow, to player: PlayerID) -> JoinMatch.Reply {
    var reply = JoinMatch.Reply()
    reply.number = match.number
    reply.incarnation = live[match.key]?.incarnation ?? 0
    reply.expectedPlayerCount = match.expectedPlayerCount
    reply.players = match.seats.filter { $0.player != player }.map { other in
      let seat = live[match.key]?.seats[other.player]
      let state: MatchPlayerState =
        switch other.state {
        case .joined: seat?.channel == nil ? .disconnected : .connected
        case .left: .left
        default: .absent
        }
      return MatchPlayer(player: other.player, seat: seat?.client ?? 0, state: state)
    }
    return reply
  }
}
