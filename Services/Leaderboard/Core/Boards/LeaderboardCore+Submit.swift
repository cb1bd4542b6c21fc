import Domain
import Operations
import Wire

extension LeaderboardCore {
  func submit(_ operation: SubmitScore, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> SubmitScore.Reply
  {
    try Stop.check(operation.fault)
    let board = try openBoard(operation.board, call)
    guard let value = operation.value, board.definition.accepts(value) else {
      throw .refuse(
        .invalidArgument, argument: "value", "The value is outside of what the board accepts.")
    }
    let player = try submitter(operation, call)
    let admission = try admit(operation, player, call, board, now: transaction.now)
    let standing = admission.standing
    let old = standing.entry(of: player)
    var entry = Board.Entry()
    entry.player = player
    entry.value = value
    entry.context = operation.context
    entry.date = transaction.now
    let sum = try board.aggregate(old, value)
    // From here on nothing is refused.
    let isChanged = old.map { board.isChange($0, sum) } ?? true
    if isChanged || board.keeping != nil {
      keep(&entry, operation, admission, board, &transaction)
    }
    let attempt = entry
    board.follow(attempt, in: standing.occurrence, &transaction)
    entry.value = sum

    var reply = SubmitScore.Reply()
    reply.isImproved = board.isImprovement(old, entry.value)
    if let old, !isChanged {
      reply.entry = standing.ranked(old, position: standing.position(of: old))
    } else {
      reply.entry = standing.ranked(entry, position: standing.put(entry, &transaction))
    }
    standing.recount(attempt, after: old, &transaction)
    reply.total = UInt32(standing.total)
    if board.openChallenges[player] != nil {
      let met = Attempt(
        player: player, value: entry.value, context: operation.context, date: transaction.now,
        arrival: entry.arrival,
        eligible: operation.eligibility == .listed ? Set(operation.eligibleChallenges) : nil)
      reply.completedChallenges = completeChallenges(board, met, &transaction)
    }
    return reply
  }
}

extension Board {
  /// The value that counts after an attempt: its own, or on a board of sums the new sum.
  fileprivate func aggregate(_ old: Entry?, _ value: Int64) throws(Stop) -> Int64 {
    guard let old, definition.aggregation == .sum else { return value }
    let (sum, isOverflow) = old.value.addingReportingOverflow(value)
    guard !isOverflow else {
      throw .refuse(.invalidArgument, argument: "value", "The player's sum would overflow.")
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

extension EntryRow {
  init(_ entry: Board.Entry, _ boardKey: RoutingKey) {
    key = EntryKey(boardKey: boardKey, player: entry.player)
    take(entry)
  }
}
