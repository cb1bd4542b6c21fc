import Domain
import Operations
import Wire

// Tickets come, loosen and end.

extension Matchmaking {
  func findMatch(_ operation: FindMatch, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> FindMatch.Reply
  {
    let open = try call.fact(FetchTickets.self).tickets.count { $0.state == .waiting }
    guard open < MatchmakingLimits.ticketsPerPlayerMax else {
      throw .refuse(
        .limitReached,
        "A player has at most \(MatchmakingLimits.ticketsPerPlayerMax) tickets in a game.")
    }
    try checkMatch(operation, call)
    var row = TicketRow()
    row.queue = call.key
    row.game = call.game
    row.playerGroup = operation.playerGroup
    row.players = [call.player] + operation.members
    row.criteria = operation.criteria
    if operation.match != 0 {
      row.context = operation.party ?? ContextID()
      row.match = operation.match
    }
    try complete(&row, transaction.now)
    let budget = TicketBudgetKey(queue: call.key, player: call.player)
    if let wait = budgets.take(of: budget, at: rate, &transaction) {
      throw .rateLimited("You have asked for many matches.", wait)
    }
    // From here on nothing is refused.
    row.key = transaction.identifier()
    var reply = FindMatch.Reply()
    reply.ticket = row.key
    reply.expiresAt = row.expiresAt
    if let pool = pools[call.key] {
      let shape = PoolTicket.shape(row, pool.rules, 0)
      reply.waits = pool.waits.waits(like: shape, now: transaction.now)
    }
    place(&row, &transaction)
    return reply
  }

  /// Those who have accepted an invitation wait for others, or those whose match too few have
  /// joined. Where the queue cannot take them, they are told so.
  func placeTicket(
    _ operation: PlaceTicket, _ call: Call, _ transaction: inout Transaction
  ) {
    var row = TicketRow()
    row.key = operation.ticket
    row.queue = call.key
    row.game = call.game
    row.playerGroup = operation.playerGroup
    row.players = operation.players.filter { !call.standIns.contains($0) }
    row.criteria = operation.criteria
    if row.players.isEmpty { return }
    if operation.expiresAt != 0 {
      // Those who wait by another ticket meanwhile do not take their party's place with them.
      let waiting = row.players.filter { pools[call.key]?.slot(of: $0) != nil }
      row.players.removeAll(where: waiting.contains)
      refuse(row, waiting, &transaction)
      if row.players.isEmpty { return }
    }
    do throws(Stop) {
      try complete(&row, transaction.now)
    } catch {
      return refuse(row, row.players, &transaction)
    }
    if operation.expiresAt != 0 {
      row.arrival = operation.arrival
      // Whoever sends a ticket to the end of the line may have another clock.
      if row.arrival != 0 { row.createdAt = operation.createdAt }
      row.expiresAt = operation.expiresAt
      row.absences = operation.absences
    }
    place(&row, &transaction)
  }

  private func refuse(
    _ row: TicketRow, _ players: [PlayerID], _ transaction: inout Transaction
  ) {
    if players.isEmpty { return }
    var row = row
    row.players = players
    row.createdAt = transaction.now
    row.expiresAt = transaction.now
    var info = row.info(.cancelled)
    info.reason = .refused
    tell(info, row, besides: nil, &transaction)
  }

  /// Others are named only by whoever asks for players for a running match, in which they are. For
  /// a new match, being active in a context is no consent: see `FindMatch`.
  private func checkMatch(_ operation: FindMatch, _ call: Call) throws(Stop) {
    guard let party = operation.party, operation.match != 0 else { return }
    let known = try call.fact(FetchParty.self, at: party)
    guard known.openMatch == operation.match else {
      throw .notFound("match", "No match with this number takes players in this context.")
    }
    // Nobody is put together with somebody in the match whom this queue has not heard of.
    let players = [call.player] + operation.members
    guard !operation.members.contains(call.player), players.count == known.players.count,
      players.allSatisfy(known.players.contains)
    else {
      throw .invalidArgument("members", "Everybody in the context of the match must be named.")
    }
  }

  /// Fills in what the queue decides, or refuses the ticket.
  private func complete(_ row: inout TicketRow, _ now: Int64) throws(Stop) {
    let pool = pools[row.queue]
    let rules = pool?.rules ?? undeclared(row.playerGroup)
    let definition = rules.definition
    row.criteria.minPlayers = max(row.criteria.minPlayers, definition.minPlayers)
    row.criteria.maxPlayers = min(row.criteria.maxPlayers, definition.maxPlayers)
    guard row.criteria.minPlayers <= row.criteria.maxPlayers else {
      let isTooFew = row.criteria.minPlayers == definition.minPlayers
      throw .invalidArgument(
        isTooFew ? "maxPlayers" : "minPlayers",
        "A match of this queue has \(definition.minPlayers) to \(definition.maxPlayers) players.")
    }
    guard row.players.count < row.criteria.maxPlayers else {
      throw .invalidArgument("members", "A match of this size has no room for others.")
    }
    try checkProperties(row.criteria, rules)
    if let pool, let owner = row.players.first {
      guard pool.slot(of: owner) == nil else {
        throw .refuse(
          .alreadyExists, argument: "playerGroup", "You wait in this player group already.")
      }
      guard row.players.allSatisfy({ pool.slot(of: $0) == nil }) else {
        throw .conflict("members", "Another of the party waits in this player group already.")
      }
      guard pool.ticketCount < MatchmakingLimits.ticketsPerGroupMax else {
        throw .limitReached("playerGroup", "As many tickets wait in this player group as may.")
      }
    }
    row.version = rules.version
    row.createdAt = now
    row.expiresAt = now + Int64(definition.lifetimeSeconds) * 1000
  }

  private func checkProperties(_ criteria: MatchCriteria, _ rules: QueueStages) throws(Stop) {
    if let number = rules.number, !criteria.numbers.contains(where: { $0.name == number }) {
      throw .requiredArgument("numbers", "A rule of this queue is about the number \(number).")
    }
    for word in rules.words where !criteria.words.contains(where: { $0.name == word }) {
      throw .requiredArgument("words", "A rule of this queue is about the word \(word).")
    }
  }

  private func place(_ row: inout TicketRow, _ transaction: inout Transaction) {
    let pool = pool(row.queue, game: row.game, row.playerGroup, &transaction)
    revise(pool, &transaction)
    if row.arrival == 0 { row.arrival = pool.takeArrival() }
    transaction.put(row)
    let slot = pool.add(row, now: transaction.now)
    pool.putIn(slot, now: transaction.now)
    setTimer(pool, slot, &transaction)
    record(row.info(.waiting), row, &transaction)
    look(pool, slot, &transaction)
  }

  /// Brings a few tickets of older declarations under the newest, as far as they fit it: each
  /// ticket that comes does so for some of those before it.
  private func revise(_ pool: Pool, _ transaction: inout Transaction) {
    for _ in 0..<Self.revisedAtOnce {
      guard let slot = pool.nextToRevise() else { return }
      let row = pool[slot].row
      guard row.version != pool.rules.version, row.proposal.isNil, fits(row, pool.rules) else {
        continue
      }
      pool.revise(slot, now: transaction.now)
      transaction.put(pool[slot].row)
      setTimer(pool, slot, &transaction)
      dropUnusedVersions(pool, &transaction)
      look(pool, slot, share: Self.revisedAtOnce, &transaction)
    }
  }

  private func fits(_ row: TicketRow, _ rules: QueueStages) -> Bool {
    do throws(Stop) {
      try checkProperties(row.criteria, rules)
    } catch {
      return false
    }
    let definition = rules.definition
    return row.criteria.minPlayers >= definition.minPlayers
      && row.criteria.maxPlayers <= definition.maxPlayers
  }

  func advanceTicket(
    _ operation: AdvanceTicket, _ call: Call, _ transaction: inout Transaction
  ) {
    guard let pool = pools[call.key], let slot = pool.slot(of: operation.ticket) else { return }
    let row = pool[slot].row
    let proposal = proposals[row.proposal]
    if transaction.now >= row.expiresAt {
      // With seats asked for, the answer decides: see `dissolve`.
      if proposal?.awaitsSeats == true { return }
      if let proposal { dissolve(proposal, pool, without: slot, &transaction) }
      expire(pool, slot, &transaction)
      return
    }
    if row.proposal.isNil {
      pool.takeOut(slot)
      pool.putIn(slot, now: transaction.now)
      setTimer(pool, slot, &transaction)
      look(pool, slot, &transaction)
    } else {
      pool[slot].advance(now: transaction.now)
      setTimer(pool, slot, &transaction)
    }
  }

  // MARK: Ends

  func cancelTicket(_ operation: CancelTicket, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> CancelTicket.Reply
  {
    var reply = CancelTicket.Reply()
    guard let pool = pools[call.key], let slot = pool.slot(of: operation.ticket),
      pool[slot].row.players.contains(call.player)
    else {
      let info = try endedTicket(operation, call)
      reply.state = info.state
      reply.context = info.context
      return reply
    }
    let proposal = proposals[pool[slot].row.proposal]
    if proposal?.awaitsSeats == true {
      throw .conflict("ticket", "The ticket is about to be matched: ask again.")
    }
    if let proposal { dissolve(proposal, pool, without: slot, &transaction) }
    cancel(pool, slot, .player, by: call.player, &transaction)
    reply.state = .cancelled
    return reply
  }

  /// How a ticket that does not wait has ended: as the queue remembers, else as the caller's own
  /// list says.
  private func endedTicket(_ operation: CancelTicket, _ call: Call) throws(Stop) -> TicketInfo {
    if let info = pools[call.key]?.ended[operation.ticket], info.players.contains(call.player) {
      return info
    }
    let known = try call.fact(FetchTickets.self).tickets
    guard
      let info = known.first(where: {
        $0.ticket == operation.ticket && $0.playerGroup == operation.playerGroup
      })
    else { throw .notFound("ticket", "You have no such ticket in this player group.") }
    if info.state == .waiting {
      throw .conflict("ticket", "The ticket has just ended: ask again.")
    }
    return info
  }

  func dropTicket(_ operation: DropTicket, _ call: Call, _ transaction: inout Transaction) {
    guard let pool = pools[call.key], let slot = pool.slot(of: operation.ticket) else { return }
    let proposal = proposals[pool[slot].row.proposal]
    if proposal?.awaitsSeats == true {
      pool[slot].row.isDropped = true
      transaction.put(pool[slot].row)
      return
    }
    if let proposal { dissolve(proposal, pool, without: slot, &transaction) }
    cancel(pool, slot, .limit, by: nil, &transaction)
  }

  func cancel(
    _ pool: Pool, _ slot: Int32, _ reason: TicketEndReason, by player: PlayerID?,
    _ transaction: inout Transaction
  ) {
    let row = pool[slot].row
    var info = row.info(.cancelled)
    info.reason = reason
    end(pool, slot, info, &transaction)
    tell(info, row, besides: player, &transaction)
  }

  /// Ends a ticket that has waited long enough. Players who came together and are as many as they
  /// asked for at least get their match without others.
  func expire(_ pool: Pool, _ slot: Int32, _ transaction: inout Transaction) {
    if pool[slot].isEnough {
      pool.takeOut(slot)
      let region = UInt8(min(7, pool[slot].regions.trailingZeroBitCount))
      propose(
        .init(slots: [slot], region: pool[slot].regions == 0 ? 0 : region, arrivals: []), pool,
        &transaction)
      return
    }
    let row = pool[slot].row
    var info = row.info(.expired)
    info.hindrance = pool.hindrance(of: slot)
    end(pool, slot, info, &transaction)
    tell(info, row, besides: nil, &transaction)
  }

  /// Takes a ticket out of the queue for good.
  func end(_ pool: Pool, _ slot: Int32, _ info: TicketInfo, _ transaction: inout Transaction) {
    pool.remove(slot)
    transaction.remove(TicketRow.self, info.ticket)
    transaction.cancelTimer(
      AdvanceTicket.self, on: pool.key, item: RoutingKey(reinterpreting: info.ticket))
    pool.ended.add(info)
    tidy(pool, &transaction)
  }

  // MARK: Telling

  /// Brings the players' own lists up to date.
  func record(_ info: TicketInfo, _ row: TicketRow, _ transaction: inout Transaction) {
    for player in row.players {
      var effect = RecordTicket()
      effect.player = player
      effect.info = info
      transaction.effect(effect, on: player, game: row.game)
    }
  }

  /// Tells the players that their ticket has ended without a match.
  private func tell(
    _ info: TicketInfo, _ row: TicketRow, besides teller: PlayerID?,
    _ transaction: inout Transaction
  ) {
    record(info, row, &transaction)
    var event = TicketEnded()
    event.info = info
    for player in row.players {
      hint(info, to: player, row.game, &transaction)
      if player == teller { continue }
      // What a player does to others is of that player's share of their streams.
      transaction.effect(
        AppendEvent(event, to: player, from: teller ?? PlayerID()), on: player, game: row.game)
    }
  }

  func hint(
    _ info: TicketInfo, to player: PlayerID, _ game: String, _ transaction: inout Transaction
  ) {
    var hint = TicketChanged()
    hint.ticket = info.ticket
    hint.state = info.state
    transaction.hint(hint, to: player, game: game)
  }
}
