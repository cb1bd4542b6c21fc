import Domain
import Operations
import Wire

/// How much of a re-rank is done before others have their turn.
struct ReRankStep {
  /// Entries that come: two thirds of a millisecond on a board of ten millions.
  var entriesMax = 1024
  /// Attempts that are read, or come into the rankings of windows, at some microseconds each; and rows
  /// that are removed.
  var attemptsMax = 256
  /// Large pages that are given back, at some 250 microseconds each.
  var piecesMax = 4
}

/// Ranking a board anew by another rule: accepted in one command, done in steps that are effects of the
/// board on itself, of which there is always exactly one while it is under way.
extension LeaderboardCore {
  func reRank(
    _ operation: ReRankLeaderboard, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReRankLeaderboard.Reply {
    try Stop.check(operation.fault)
    let board = try board(operation.board, call)
    let row = board.reRankRow(operation, at: transaction.now)
    var reply = ReRankLeaderboard.Reply()
    if let present = board.keeping?.reRank, present.isUnderWay {
      guard row.applied(to: board.definition) == present.applied(to: board.definition) else {
        throw .refuse(
          .conflict, argument: "board", "The board is being ranked anew by other rules already.")
      }
      reply.reRank = board.reRankProgress
      return reply
    }
    guard row.applied(to: board.definition) != board.definition else { return reply }
    try board.checkRecount(row)
    board.kept.reRank = row
    transaction.put(row)
    board.beginReRank()
    watch(board)
    step(board, row.number, &transaction)
    reply.reRank = board.reRankProgress
    return reply
  }

  func continueReRank(
    _ operation: ContinueReRank, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    guard let board = boards[operation.boardKey], let keeping = board.keeping,
      let row = keeping.reRank, row.number == operation.number
    else { return Empty() }
    if keeping.isRetiring {
      keeping.giveBack(board, reRankStep, &transaction)
    } else if !row.isUnderWay {
      return Empty()
    } else if try board.advanceReRank(reRankStep, &transaction) {
      endReRank(board, row, &transaction)
    }
    step(board, row.number, &transaction)
    return Empty()
  }

  private func step(_ board: Board, _ number: UInt32, _ transaction: inout Transaction) {
    var step = ContinueReRank()
    step.boardKey = board.key
    step.number = number
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  /// All of the new ranking is there: in this turn it takes the old one's place.
  private func endReRank(_ board: Board, _ row: ReRankRow, _ transaction: inout Transaction) {
    var ended = row
    ended.endDate = transaction.now
    if let recount = board.next?.recount { ended.generation = recount.generation }
    board.exchangeRankings()
    board.kept.reRank = ended
    transaction.put(ended)
    let old = board.definition
    var changed = board.row
    changed.definition = row.applied(to: old)
    board.adopt(changed)
    // Places in the old ranking say nothing of the new one.
    board.adoptHistory(after: old, historyShape, &transaction)
    transaction.put(changed)
  }
}
