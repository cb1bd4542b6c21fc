import Domain
import Operations
import Wire

// From a match that was found to one that all have confirmed.

extension Matchmaking {
  /// Looks for a match for a ticket in the index.
  /// - Parameter share: into how many looks of one call the work is divided.
  func look(
    _ pool: Pool, _ slot: Int32, share: Int = 1, _ transaction: inout Transaction
  ) {
    if pool[slot].entries.isEmpty { return }
    if let found = pool.search(slot, work: Pool.SearchWork.most / share) {
      propose(found, pool, &transaction)
    }
  }

  func propose(
    _ found: Pool.Found, _ pool: Pool, _ transaction: inout Transaction
  ) {
    var proposal = ProposalRow()
    proposal.key = transaction.identifier()
    proposal.queue = pool.key
    for slot in found.slots {
      pool.takeOut(slot)
      pool[slot].row.proposal = proposal.key
      let row = pool[slot].row
      transaction.put(row)
      proposal.tickets.append(row.key)
      proposal.awaited += row.players
      let rules = pool[slot].rules
      if rules.hasLatency { proposal.region = rules.definition.regions[Int(found.region)] }
    }
    proposals.put(proposal, &transaction)
    for slot in found.slots {
      let row = pool[slot].row
      var question = ConfirmMatch()
      question.queue = pool.key
      question.match = proposal.key
      for player in row.players {
        question.player = player
        // Those of the same ticket too: one may have blocked another since they came together.
        question.others = proposal.awaited.filter { $0 != player }
        transaction.effect(question, on: player, game: pool.game)
      }
    }
  }

  func matchConfirmed(
    _ operation: MatchConfirmed, _ call: Call, _ transaction: inout Transaction
  ) {
    guard var proposal = proposals[operation.match], proposal.queue == call.key,
      let pool = pools[call.key]
    else {
      invites.confirmed(operation, call, &transaction)
      return
    }
    guard let place = proposal.awaited.firstIndex(of: operation.player) else { return }
    if !operation.blocked.isEmpty {
      if let slot = pool.slot(of: operation.player) {
        pool[slot].avoided.formUnion(operation.blocked)
        pool[slot].row.avoided = pool[slot].avoided.sorted()
      }
      dissolve(proposal, pool, without: nil, &transaction)
      return
    }
    proposal.awaited.remove(at: place)
    if !proposal.awaited.isEmpty {
      proposals.put(proposal, &transaction)
      return
    }
    let slots = slots(of: proposal, pool)
    if let host = slots.first(where: { pool[$0].row.isBackfill }) {
      proposal.awaitsSeats = true
      proposals.put(proposal, &transaction)
      askForSeats(proposal, pool, slots, pool[host].row, &transaction)
    } else {
      finish(proposal, pool, &transaction)
    }
  }

  private func askForSeats(
    _ proposal: ProposalRow, _ pool: Pool, _ slots: [Int32], _ host: TicketRow,
    _ transaction: inout Transaction
  ) {
    var effect = AddMatchSeats()
    effect.context = host.context
    effect.number = host.match
    effect.present = host.players
    effect.players = slots.flatMap { pool[$0].row.players }.filter { !host.players.contains($0) }
    effect.answerTo = pool.key
    effect.request = proposal.key
    transaction.effect(effect, on: host.context, game: host.game)
  }

  func matchSeatsAnswered(
    _ operation: MatchSeatsAnswered, _ call: Call, _ transaction: inout Transaction
  ) {
    guard let proposal = proposals[operation.request], proposal.queue == call.key,
      proposal.awaitsSeats, let pool = pools[call.key]
    else {
      invites.seatsAnswered(operation, call, &transaction)
      return
    }
    if operation.isGiven {
      finish(proposal, pool, &transaction)
      return
    }
    // The match has no seats for others any more: its own ticket ends, and the others go on.
    let host = slots(of: proposal, pool).first { pool[$0].row.isBackfill }
    dissolve(proposal, pool, without: host, &transaction)
    if let host { expire(pool, host, &transaction) }
  }

  private func slots(of proposal: ProposalRow, _ pool: Pool) -> [Int32] {
    proposal.tickets.compactMap { pool.slot(of: $0) }
  }

  /// Nothing comes of a match: its tickets go back to their place in the line and look again, but
  /// for one that leaves.
  func dissolve(
    _ proposal: ProposalRow, _ pool: Pool, without leaving: Int32?,
    _ transaction: inout Transaction
  ) {
    proposals.remove(proposal.key, &transaction)
    let slots = slots(of: proposal, pool)
    for slot in slots {
      pool[slot].row.proposal = ContextID()
      if slot == leaving { continue }
      transaction.put(pool[slot].row)
    }
    var waiting: [MatchTicketID] = []
    for slot in slots where slot != leaving {
      if transaction.now >= pool[slot].row.expiresAt {
        expire(pool, slot, &transaction)
      } else if pool[slot].row.isDropped {
        cancel(pool, slot, .limit, by: nil, &transaction)
      } else {
        pool.putIn(slot, now: transaction.now)
        waiting.append(pool[slot].row.key)
      }
    }
    for ticket in waiting {
      guard let slot = pool.slot(of: ticket), pool[slot].row.proposal.isNil else { continue }
      look(pool, slot, share: waiting.count, &transaction)
    }
  }

  /// Ends the tickets of a match that all have confirmed, and opens its context.
  private func finish(
    _ proposal: ProposalRow, _ pool: Pool, _ transaction: inout Transaction
  ) {
    proposals.remove(proposal.key, &transaction)
    let slots = slots(of: proposal, pool)
    let rows = slots.map { pool[$0].row }
    let host = rows.first { $0.isBackfill }
    let least = slots.map { pool[$0].least }.max() ?? 2
    let again = slots.map { pool[$0].row.again(under: pool[$0].rules) }
    var event = MatchFound()
    event.context = host?.context ?? proposal.key
    event.number = host?.match ?? 0
    event.region = proposal.region
    event.players = rows.flatMap(\.players)
    event.expectedPlayerCount = UInt32(event.players.count - (host?.players.count ?? 0))
    for (slot, row) in zip(slots, rows) {
      pool.waits.add(
        transaction.now - row.createdAt, pool[slot].shape, now: transaction.now)
      var info = row.info(.matched)
      info.context = event.context
      end(pool, slot, info, &transaction)
      record(info, row, &transaction)
      event.ticket = row.key
      event.playerGroup = row.playerGroup
      for player in row.players {
        hint(info, to: player, row.game, &transaction)
        transaction.effect(
          AppendEvent(event, to: player, from: PlayerID()), on: player, game: row.game)
      }
    }
    guard host == nil else { return }
    var open = OpenContext()
    open.context = proposal.key
    open.players = event.players.map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    // A match with a mask missing is none.
    open.needed =
      rows.contains { $0.criteria.playerAttributes != 0 }
      ? UInt32(event.players.count) : least
    open.tickets = again.sorted { $0.arrival < $1.arrival }
    transaction.effect(open, on: proposal.key, game: pool.game)
  }
}
