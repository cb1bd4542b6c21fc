import Domain
import Operations
import Wire

/// What a board that is not plain says to a score that it takes: nothing of it has happened yet.
struct Admission {
  /// The ranking that the score is for.
  var standing: Board
  /// The occurrence of that ranking; it opens with its first score.
  var occurrence: OccurrenceStanding?
}

extension LeaderboardCore {
  /// Whose score it is: a player's own, or from a game's server anybody's.
  func submitter(_ operation: SubmitScore, _ call: Call) throws(Stop) -> PlayerID {
    if call.principal.kind == .player {
      guard operation.player == nil || operation.player == call.player else {
        throw .refuse(
          .invalidArgument, argument: "player", "A player submits no scores of others.")
      }
      return call.player
    }
    guard let player = operation.player else {
      throw .refuse(.requiredArgument, argument: "player", "Whose score it is is missing.")
    }
    return player
  }

  /// Asks all rules whether the score may come; changes nothing.
  func admit(
    _ operation: SubmitScore, _ player: PlayerID, _ call: Call, _ board: Board, now: Int64
  ) throws(Stop) -> Admission {
    guard let keeping = board.keeping else { return Admission(standing: board) }
    let definition = board.definition
    let isServer = call.principal.kind == .gameServer
    guard isServer || !definition.isServerWritten else {
      throw .refuse(
        .notAllowed, argument: "board", "Only the game's own server submits to this board.")
    }
    guard keeping.marks[player]?.isBanned != true else {
      throw .refuse(.notAllowed, argument: "player", "The player is banned from this board.")
    }
    if definition.rateCount > 0, let wait = keeping.rates.wait(player, definition, at: now) {
      throw .refuse(
        .rateLimited, argument: "board", "The player submits more often than the board allows.",
        retryAfterMilliseconds: UInt32(clamping: wait))
    }
    // What a server submits, it has seen itself.
    if definition.requiresTicket && !isServer {
      try check(operation.ticket, player, keeping, definition, now: now)
    }
    guard definition.recurrence != nil else { return Admission(standing: board) }
    let occurrence = try board.openOccurrence(at: now, calendar)
    return Admission(standing: occurrence.board, occurrence: occurrence)
  }

  private func check(
    _ ticket: TicketID?, _ player: PlayerID, _ keeping: BoardKeeping,
    _ definition: LeaderboardDefinition, now: Int64
  ) throws(Stop) {
    guard let ticket else {
      throw .refuse(
        .requiredArgument, argument: "ticket", "A score on this board comes with a run's ticket.")
    }
    guard let row = keeping.tickets[ticket],
      now < row.date + LeaderboardLimits.ticketMillisecondsMax
    else {
      throw .refuse(
        .notFound, argument: "ticket", "This board gave out no such ticket, or long ago.")
    }
    guard row.player == player else {
      throw .refuse(.notAllowed, argument: "ticket", "The ticket is another player's.")
    }
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

  /// The score is taken: what the rules keep of it. Gives the attempt its number.
  func keep(
    _ attempt: inout Board.Entry, _ operation: SubmitScore, _ admission: Admission, _ board: Board,
    _ transaction: inout Transaction
  ) {
    attempt.arrival = board.nextArrival()
    guard let keeping = board.keeping else { return }
    if let occurrence = admission.occurrence { board.open(occurrence, &transaction) }
    if board.definition.rateCount > 0 {
      keeping.rates.add(attempt.player, board.definition, at: transaction.now)
    }
    if board.definition.requiresTicket, let ticket = operation.ticket {
      keeping.tickets.use(ticket, &transaction)
    }
    if board.definition.attempts != .none {
      board.reserve(attempt.arrival, &transaction)
      transaction.put(AttemptRow(attempt, board.key))
    }
    if board.definition.hasWindows {
      keeping.windows?.record(attempt, board.key, &transaction)
    }
  }

  func startRun(_ operation: StartRun, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> StartRun.Reply
  {
    let board = try openBoard(operation.board, call)
    guard board.definition.requiresTicket else {
      throw .refuse(.conflict, argument: "board", "The board takes scores without tickets.")
    }
    guard board.keeping?.marks[call.player]?.isBanned != true else {
      throw .refuse(.notAllowed, argument: "player", "The player is banned from this board.")
    }
    var row = TicketRow()
    row.key = TicketKey(boardKey: board.key, ticket: transaction.identifier())
    row.player = call.player
    row.date = transaction.now
    board.kept.tickets.add(row, &transaction)
    var reply = StartRun.Reply()
    reply.ticket = row.key.ticket
    reply.from = row.date + Int64(board.definition.runSecondsMin) * 1000
    reply.until = row.date + LeaderboardLimits.ticketMillisecondsMax
    return reply
  }
}

extension Board {
  /// Sees to it that no arrival of an attempt is given out again after a restart.
  func reserve(_ arrival: UInt64, _ transaction: inout Transaction) {
    guard arrival > kept.reservedThrough else { return }
    kept.reservedThrough = arrival + ArrivalRow.reservedCount
    var row = ArrivalRow()
    row.key = key
    row.reservedThrough = kept.reservedThrough
    transaction.put(row)
  }
}
