import Domain
import Operations
import Wire

extension NumberSetting {
  /// Every completion is a row until then. Cheating is found within weeks; a challenge of last
  /// season would surprise both players, and daily rounds over all completions would grow without
  /// end.
  static let completedChallengeKept = NumberSetting(
    "completed-challenge-days", .days, default: 90, 1...3650,
    "How long a completed score challenge opens again when the score that met it is removed.")
}

extension Boards {
  /// Completions up to this date are final: their challenges never open again.
  func finalCompletion(at now: Int64) -> Int64 { now - settings[.completedChallengeKept] }
}

/// Removes attempts that are old or do not count any more, and completed challenges, in rounds over
/// a board's rows.
struct Sweeps: CorePart {
  let boards: Boards

  static var dayMilliseconds: Int64 { 24 * 3600 * 1000 }
  /// Rows are kept for days, so one round a day is often enough.
  static var intervalMilliseconds: Int64 { dayMilliseconds }
  /// How many attempts one step of a round reads.
  static var attemptsMax: Int { 256 }
  /// How many completed challenges one step reads: each has a message, and is longer.
  static var completedMax: Int { 64 }

  func register(_ router: inout Router) { router.on(SweepAttempts.self, sweepAttempts) }

  func begin(_ board: Board, _ transaction: inout Transaction) {
    guard let extras = board.extras, extras.nextSweep <= transaction.now else { return }
    extras.nextSweep = board.nextRound(after: transaction.now)
    var step = SweepAttempts(on: board.key)
    if board.definition.attempts == .days {
      transaction.effect(step, on: board.key, game: board.row.game)
    }
    guard extras.mayHaveCompleted else { return }
    step.isOfCompleted = true
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  /// Removes a player's attempts with these arrivals from the store: a single one at once, others
  /// in steps.
  func erase(
    _ arrivals: ArrivalRange, of player: PlayerID, _ board: Board,
    _ transaction: inout Transaction
  ) {
    guard board.definition.attempts != .none else { return }
    let first = AttemptKey(boardKey: board.key, player: player, arrival: arrivals.first)
    if arrivals.isSingle { return transaction.remove(AttemptRow.self, first) }
    var step = SweepAttempts(on: board.key)
    var last = first
    last.arrival = arrivals.through
    (step.from, step.through) = (Bytes(first.keyBytes), Bytes(last.keyBytes))
    step.removedThrough = arrivals.through
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  /// Removes all attempts of so far from the store, in steps. From now on none of them counts as
  /// kept. Attempts that the board keeps again later stay.
  func eraseAll(of board: Board, _ transaction: inout Transaction) {
    var step = SweepAttempts(on: board.key)
    step.removedThrough = board.forgetAttempts(&transaction)
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  private func sweepAttempts(
    _ operation: SweepAttempts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let board = boards[call.key] else { return }
    if operation.isOfCompleted {
      let end = boards.finalCompletion(at: transaction.now)
      let count = try sweep(
        CompletedChallengeRow.self, operation, board, atMost: Self.completedMax, &transaction
      ) { $0.completionDate <= end }
      if count == 0 && operation.from.array.isEmpty { board.extras?.mayHaveCompleted = false }
    } else if board.definition.attempts == .days || operation.removedThrough > 0 {
      let days = Int64(board.definition.attemptDays)
      let end = days > 0 ? transaction.now - days * Self.dayMilliseconds : .min
      _ = try sweep(
        AttemptRow.self, operation, board, atMost: Self.attemptsMax, &transaction
      ) { $0.key.arrival <= operation.removedThrough || $0.date <= end }
    }
  }

  /// Takes one step over a board's rows of one table, and sends the board the next one. Returns how
  /// many rows it found.
  private func sweep<R: Row>(
    _ type: R.Type, _ operation: SweepAttempts, _ board: Board, atMost rowsMax: Int,
    _ transaction: inout Transaction, isOld: (R) -> Bool
  ) throws(Stop) -> Int {
    let range = ColdRange(
      table: R.tableID,
      from: operation.from.array.isEmpty ? board.key.keyBytes : operation.from.array,
      through: operation.through.array.isEmpty ? board.key.keyBytes : operation.through.array,
      limit: rowsMax)
    let rows = try transaction.rows(R.self, in: range)
    for row in rows where isOld(row) { transaction.remove(R.self, row.key) }
    guard rows.count == rowsMax, let last = rows.last else { return rows.count }
    var step = operation
    // The first key after the last one.
    step.from = Bytes(last.key.keyBytes + [0])
    transaction.effect(step, on: board.key, game: board.row.game)
    return rows.count
  }
}
