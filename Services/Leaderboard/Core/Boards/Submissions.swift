import Domain
import Operations
import Wire

/// Scores as they come in, and the tickets of the runs that they come from.
struct Submissions: CorePart {
  let boards: Boards
  let challenges: ScoreChallenges
  /// Milliseconds.
  let ticketLifetime: Int64

  func register(_ router: inout Router) {
    router.on(SubmitScore.self, submit)
    router.on(StartRun.self, startRun)
  }

  func register(_ tables: inout Tables) {
    tables.cold(AttemptRow.self)
    tables.resident(ArrivalRow.self, about: .nobody) {
      let extras = self.boards.board(at: $0.key).makeExtras()
      extras.reservedThrough = $0.reservedThrough
      extras.removedThrough = $0.removedThrough
      // A completion reserves its arrival.
      extras.mayHaveCompleted = true
    }
    tables.resident(RecentAttemptRow.self) { row in
      let board = self.boards.board(at: row.key.boardKey)
      let windows = board.makeExtras().windows ?? ScoreWindows(of: board)
      board.makeExtras().windows = windows
      board.skipArrivals(through: row.key.arrival)
      windows.load(row)
    }
    tables.resident(TicketRow.self) {
      self.boards.board(at: $0.key.boardKey).makeExtras().tickets.load($0)
    }
  }

  private func submit(_ operation: SubmitScore, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> SubmitScore.Reply
  {
    let board = try boards.openBoard(operation.board, call)
    guard let value = operation.value, board.definition.accepts(value) else {
      throw .invalidArgument("value", "The value is outside of what the board accepts.")
    }
    let player = try operation.submitter(call)
    try board.admit(operation, player, call, ticketLifetime: ticketLifetime, at: transaction.now)
    let occurrence = try occurrence(of: board, at: transaction.now)
    let standing = occurrence?.board ?? board
    let old = standing.entry(of: player)
    if old == nil { try call.checkExists(player) }
    var entry = Board.Entry(
      player: player, value: value, tag: operation.scoreTag, date: transaction.now)
    // Refused where it would overflow: nothing has changed so far, and nothing is refused from here
    // on.
    let sum = try board.aggregate(old, value)
    let isChanged = old.map { board.isChange($0, sum) } ?? true
    if isChanged || board.extras != nil {
      board.record(&entry, operation, occurrence, &transaction)
      boards.scheduleMaintenance(of: board, &transaction)
    }
    let attempt = entry
    board.follow(attempt, in: standing.occurrence, &transaction)
    entry.value = sum

    var reply = SubmitScore.Reply()
    reply.isImproved = board.isImprovement(old, sum)
    if let old, !isChanged {
      reply.entry = standing.ranked(old, position: standing.position(of: old))
    } else {
      reply.entry = standing.ranked(entry, position: standing.put(entry, &transaction))
    }
    standing.recount(attempt, after: old, &transaction)
    reply.total = UInt32(standing.total)
    if challenges.areOpen(for: player, on: board) {
      reply.completedChallenges = challenges.complete(
        board, Attempt(entry, operation), &transaction)
    }
    return reply
  }

  /// The occurrence that the score is for, which opens with its first score; nil where boards do
  /// not recur.
  private func occurrence(of board: Board, at now: Int64) throws(Stop) -> OccurrenceStanding? {
    guard board.extras != nil, board.definition.recurrence != nil else { return nil }
    return try board.openOccurrence(at: now, boards.calendar)
  }

  private func startRun(_ operation: StartRun, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> StartRun.Reply
  {
    let board = try boards.openBoard(operation.board, call)
    guard board.definition.requiresTicket else {
      throw .conflict("board", "The board takes scores without tickets.")
    }
    guard board.extras?.marks[call.player]?.isBanned != true else {
      throw .notAllowed("player", "The player is banned from this board.")
    }
    let row = TicketRow(
      key: TicketKey(boardKey: board.key, ticket: transaction.identifier()), player: call.player,
      date: transaction.now)
    board.makeExtras().tickets.add(row, &transaction)
    boards.scheduleMaintenance(of: board, &transaction)
    var reply = StartRun.Reply()
    reply.ticket = row.key.ticket
    reply.from = row.date + Int64(board.definition.runSecondsMin) * 1000
    reply.until = row.date + ticketLifetime
    return reply
  }
}

extension Board {
  /// The value that counts after an attempt: its own, or on a board of sums the new sum.
  fileprivate func aggregate(_ old: Entry?, _ value: Int64) throws(Stop) -> Int64 {
    guard let old, definition.aggregation == .sum else { return value }
    let (sum, isOverflow) = old.value.addingReportingOverflow(value)
    guard !isOverflow else {
      throw .invalidArgument("value", "The player's sum would overflow.")
    }
    return sum
  }

  fileprivate func isImprovement(_ old: Entry?, _ value: Int64) -> Bool {
    guard let old else { return true }
    return definition.sortOrder.isBetter(value, than: old.value)
  }

  /// Whether an attempt changes an entry that the player already has. On a board of best scores an
  /// equal value leaves the earlier attempt; a sum changes with every value but 0.
  fileprivate func isChange(_ old: Entry, _ value: Int64) -> Bool {
    switch definition.aggregation {
    case .latest: return true
    case .sum: return value != old.value
    default: return definition.sortOrder.isBetter(value, than: old.value)
    }
  }
}
