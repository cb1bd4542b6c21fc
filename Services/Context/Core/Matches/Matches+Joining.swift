import Domain
import Operations
import Wire

extension Matches {
  func joinMatch(_ operation: JoinMatch, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> JoinMatch.Reply
  {
    let context = try self.context(operation.context, call)
    let channel = try checkJoin(operation, context, call)
    let seat = GivenUpSeatKey(
      context: context.key, player: call.player, seat: operation.seat)
    if givenUp.contains(seat, now: transaction.now) {
      throw .refuse(.matchEnded, "You have left this match.")
    }
    var match = try roster(for: operation, context, call, now: transaction.now)
    guard let place = try place(in: match, of: operation, context, call) else {
      return giveUpSeat(in: match, call.player, &transaction)
    }
    let before = match.seats[place]
    // With each new client of a player the others count from the start, so the numbers of a client
    // from before mean nothing to them.
    guard operation.number == 0 || before.client == 0 || before.client == operation.seat else {
      throw .refuse(.conflict, "Another client has taken this seat meanwhile.")
    }
    let isFresh = table[match.key]?.number != match.number
    if !isFresh,
      let wait = live.takeConnect(
        match.key, place, client: operation.seat, channel, now: transaction.now)
    {
      throw .rateLimited("You have connected to this match often.", wait)
    }
    if isFresh, let wait = starts.take(of: call.player, at: startRate, &transaction) {
      throw .rateLimited("You have started many matches.", wait)
    }
    // From here on nothing is refused.
    if isFresh || live[match.key] == nil { revive(match, &transaction) }
    if before.state == .absent || before.client != operation.seat {
      match.seats[place].player = call.player
      match.seats[place].state = .joined
      match.seats[place].client = operation.seat
      let hadBegun = match.hasBegun
      keep(&match, &transaction)
      if match.hasBegun && (!hadBegun || before.state == .absent) {
        recordMeeting(in: match, newcomer: hadBegun ? call.player : nil, &transaction)
      }
    }
    if isFresh {
      tellExpected(of: match, match.seats.map(\.player), &transaction)
      if !match.hasBegun { awaitOthers(in: match.key, &transaction) }
    }
    sit(call.player, at: place, operation, channel, match, before, &transaction)
    lookForSilence(in: match.key, &transaction)
    return reply(match, to: place)
  }

  /// Stores a roster, and begins the match with the last player to join.
  private func keep(_ match: inout MatchRow, _ transaction: inout Transaction) {
    let hadBegun = match.hasBegun
    match.hasBegun = hadBegun || isComplete(match)
    live[match.key]?.hasBegun = match.hasBegun
    table.put(match, &transaction)
    guard match.hasBegun && !hadBegun else { return }
    forgetFound(match.key, &transaction)
    contexts.played(in: match.key, &transaction)
  }

  /// Has those who play know that they have met.
  func recordMeeting(
    in match: MatchRow, newcomer: PlayerID? = nil, _ transaction: inout Transaction
  ) {
    guard let game = contexts[match.key]?.game else { return }
    let players = match.seats.filter { $0.state == .joined && $0.player != newcomer }
    transaction.recordMeeting(of: players.map(\.player), newcomer: newcomer, game: game)
  }

  /// Gives a client its seat on a connection, unless it has it there.
  private func sit(
    _ player: PlayerID, at place: Int, _ operation: JoinMatch, _ channel: Channel,
    _ match: MatchRow, _ before: RosterSeat, _ transaction: inout Transaction
  ) {
    let old = live[match.key]?.seats[place]
    let isSameClient = old?.client == operation.seat
    let isSame = old?.channel == channel && isSameClient
    let isBack = operation.number == match.number && before.client == operation.seat
    let receipts = isBack ? receipts(operation.received, in: match) : []
    if isSameClient {
      // A client that comes back says what it has received over its connection before.
      take(receipts, of: place, in: match.key, tellsAgain: false, &transaction)
    }
    if !isSame {
      // The senders hear what was acknowledged before the numbers may begin anew.
      tellReceipts(in: match.key, &transaction)
      if let old = old?.channel, old != channel, !isSameClient {
        var event = MatchSeatTaken()
        event.context = match.key
        event.incarnation = live[match.key]?.incarnation ?? 0
        transaction.push(event, to: old)
      }
      live.connect(
        match.key, place, player, client: operation.seat, channel: channel,
        isNewPlayer: before.state != .joined, isNewClient: before.client != operation.seat,
        now: transaction.now)
      if !isSameClient {
        // The process has started since.
        take(receipts, of: place, in: match.key, tellsAgain: false, &transaction)
      }
      tellReceipts(in: match.key, &transaction)
      announce(match, place, .connected, &transaction)
    }
    note(operation.latencyMilliseconds, of: place, in: match.key)
  }

  private func receipts(_ cursors: [MatchCursor], in match: MatchRow) -> [MatchReceipt] {
    cursors.compactMap { cursor in
      guard let sender = match.place(of: cursor.player) else { return nil }
      return MatchReceipt(place: UInt8(sender), seat: cursor.seat, through: cursor.through)
    }
  }

  private func checkJoin(_ operation: JoinMatch, _ context: ContextRow, _ call: Call)
    throws(Stop) -> Channel
  {
    guard operation.seat != 0 else {
      throw .requiredArgument("seat", "The client must choose a seat number.")
    }
    guard operation.received.count <= ContextLimits.matchPlayersMax,
      Set(operation.received.map(\.player)).count == operation.received.count
    else {
      throw .invalidArgument(
        "received", "Players of the match are named here, each of them once.")
    }
    guard
      context.state(of: call.player) == .active || isSeated(call.player, in: context.key)
    else {
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
    let isIn = table[context.key].map { !$0.isEnded && $0.seat(of: call.player)?.state == .joined }
    guard isIn == true || live.seatCounts[call.player] ?? 0 < ContextLimits.matchesPerPlayerMax
    else {
      throw .refuse(
        .limitReached, "A player plays at most \(ContextLimits.matchesPerPlayerMax) matches.")
    }
    return channel
  }

  /// The caller's place: the one it has, or a vacant one. Players of whom one blocks the other do
  /// not meet in a match that neither was in; who is refused for it reads what a late one reads.
  /// Nil when the caller was expected, and is not to be any more.
  private func place(
    in match: MatchRow, of operation: JoinMatch, _ context: ContextRow, _ call: Call
  ) throws(Stop) -> Int? {
    let own = match.place(of: call.player)
    guard let place = own ?? match.vacancy else { throw hasNoSeat }
    guard match.seats[place].state == .absent else { return place }
    let others = match.seats.filter { $0.state == .joined }.map(\.player)
    if try meeting(others, in: context, call) == others { return place }
    if own == nil { throw hasNoSeat }
    return nil
  }

  /// The others do not wait for a player who may not come to them.
  private func giveUpSeat(
    in match: MatchRow, _ player: PlayerID, _ transaction: inout Transaction
  ) -> JoinMatch.Reply {
    if live[match.key] == nil { revive(match, &transaction) }
    if leave(matchOf: match.key, player, isForGood: true, &transaction) {
      contexts.played(in: match.key, &transaction)
    }
    var reply = JoinMatch.Reply()
    reply.number = match.number
    reply.hasNoSeat = true
    return reply
  }

  private var hasNoSeat: Stop {
    .refuse(.notAllowed, "The match has no seat for you.")
  }

  private func reply(_ match: MatchRow, to place: Int) -> JoinMatch.Reply {
    var reply = JoinMatch.Reply()
    guard let live = live[match.key] else { return reply }
    reply.number = match.number
    reply.incarnation = live.incarnation
    reply.expectedPlayerCount = match.awaitedPlayerCount
    reply.place = UInt8(place)
    reply.roster = live.version
    reply.since = live.seats[place].since
    reply.hasBegun = match.hasBegun
    reply.host = match.host
    for (other, seat) in match.seats.enumerated() where other != place && !seat.player.isNil {
      let state: MatchPlayerState =
        switch seat.state {
        case .joined: live.seats[other].channel == nil ? .disconnected : .connected
        case .left: .left
        default: .absent
        }
      reply.players.append(
        MatchPlayer(
          player: seat.player, seat: live.seats[other].client, state: state, place: UInt8(other)))
    }
    return reply
  }
}
