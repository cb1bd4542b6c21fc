import Domain
import Operations
import Wire

extension SubmitScore {
  /// Returns whose score it is: the caller's own, or the player that a game's server names.
  func submitter(_ call: Call) throws(Stop) -> PlayerID {
    if call.principal.kind == .player {
      guard player == nil || player == call.player
      else { throw .invalidArgument("player", "A player submits no scores of others.") }
      return call.player
    }
    guard let player else { throw .requiredArgument("player", "Whose score it is is missing.") }
    return player
  }
}

extension Call {
  /// Refuses a player who does not exist. Only a game's server or an operator can name one.
  ///
  /// A player with an entry exists. So only a player's first score in a ranking asks for the fact,
  /// and no operation declares it. A removal or restriction of a player without an entry asks for
  /// it as well, so that it does not overtake the player's first score.
  func checkExists(_ player: PlayerID) throws(Stop) {
    if principal.kind == .player { return }
    guard try fact(FetchPlayer.self, at: player).isReachable
    else { throw .notFound("player", "There is no such player.") }
  }
}

extension Board {
  /// Refuses a score that the board's rules do not allow; changes nothing.
  func admit(
    _ operation: SubmitScore, _ player: PlayerID, _ call: Call, ticketLifetime: Int64,
    at now: Int64
  ) throws(Stop) {
    guard let extras else { return }
    let definition = definition
    let isServer = call.principal.kind == .gameServer
    guard isServer || !definition.isServerWritten
    else { throw .notAllowed("board", "Only the game's own server submits to this board.") }
    guard extras.marks[player]?.isBanned != true
    else { throw .notAllowed("player", "The player is banned from this board.") }
    if definition.rateCount > 0, let wait = extras.rates.wait(player, definition, at: now) {
      throw .refuse(
        .rateLimited, argument: "board", "The player submits more often than the board allows.",
        retryAfterMilliseconds: UInt32(clamping: wait))
    }
    // What a server submits, it has seen itself.
    if definition.requiresTicket && !isServer {
      try check(operation.ticket, player, extras.tickets, lifetime: ticketLifetime, now: now)
    }
  }

  private func check(
    _ ticket: TicketID?, _ player: PlayerID, _ tickets: RunTickets, lifetime: Int64, now: Int64
  ) throws(Stop) {
    guard let ticket
    else { throw .requiredArgument("ticket", "A score on this board comes with a run's ticket.") }
    guard let row = tickets[ticket], now < row.date + lifetime
    else { throw .notFound("ticket", "This board gave out no such ticket, or long ago.") }
    guard row.player == player
    else { throw .notAllowed("ticket", "The ticket is another player's.") }
    guard !row.isUsed else {
      throw .refuse(.alreadyExists, argument: "ticket", "The ticket was used for another score.")
    }
    let from = row.date + Int64(definition.runSecondsMin) * 1000
    guard now >= from else {
      throw .refuse(
        .notOpen, argument: "ticket", "No run on this board is as short as this one.",
        retryAfterMilliseconds: UInt32(clamping: from - now))
    }
  }

  /// Gives an admitted attempt its arrival, and records what the board's rules ask for: the attempt
  /// itself, the use of its ticket, when it came.
  func record(
    _ attempt: inout Entry, _ operation: SubmitScore, _ occurrence: OccurrenceStanding?,
    _ transaction: inout Transaction
  ) {
    attempt.arrival = nextArrival()
    guard let extras else { return }
    if let occurrence { open(occurrence, at: attempt.arrival, &transaction) }
    if definition.rateCount > 0 {
      extras.rates.add(attempt.player, definition, at: transaction.now)
    }
    if definition.requiresTicket, let ticket = operation.ticket {
      extras.tickets.use(ticket, &transaction)
    }
    if definition.attempts != .none {
      reserve(attempt.arrival, &transaction)
      let key = AttemptKey(boardKey: key, player: attempt.player, arrival: attempt.arrival)
      transaction.put(AttemptRow(key: key).holding(attempt))
    }
    if definition.hasWindows { extras.windows?.record(attempt, key, &transaction) }
  }
}

extension Board {
  /// Reserves the arrivals up to this one, so that none is given out again after a restart.
  func reserve(_ arrival: UInt64, _ transaction: inout Transaction) {
    guard arrival > makeExtras().reservedThrough else { return }
    makeExtras().reservedThrough = arrival + ArrivalRow.reservedCount
    putArrivals(&transaction)
  }

  /// Counts all attempts of so far as not kept, and returns the last of their arrivals.
  func forgetAttempts(_ transaction: inout Transaction) -> UInt64 {
    let last = nextArrival()
    makeExtras().removedThrough = last
    makeExtras().reservedThrough = max(makeExtras().reservedThrough, last)
    putArrivals(&transaction)
    return last
  }

  private func putArrivals(_ transaction: inout Transaction) {
    let extras = makeExtras()
    transaction.put(
      ArrivalRow(
        key: key, reservedThrough: extras.reservedThrough, removedThrough: extras.removedThrough))
  }
}
