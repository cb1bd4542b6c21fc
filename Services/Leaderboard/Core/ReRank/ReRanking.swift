import Domain
import Operations
import Wire

/// How much of a re-rank is done before others have their turn.
struct ReRankStep {
  /// Entries that come: two thirds of a millisecond on a board of ten millions.
  var entriesMax = 1024
  /// Attempts that are read, or come into the rankings of windows, at some microseconds each; and
  /// rows that are removed.
  var attemptsMax = 256
  /// Large pages that are given back, at some 250 microseconds each.
  var piecesMax = 4
}

/// Ranking a board anew by another rule: accepted in one command, done in steps that are effects of
/// the board on itself, of which there is always exactly one while it is under way.
final class ReRanking: CorePart {
  private let boards: Boards
  private let definitions: BoardDefinitions
  /// A test makes it smaller.
  var step = ReRankStep()

  init(_ boards: Boards, _ definitions: BoardDefinitions) {
    self.boards = boards
    self.definitions = definitions
  }

  func register(_ router: inout Router) {
    router.on(ReRankLeaderboard.self, reRank)
    router.on(ContinueReRank.self, continueReRank)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ReRankRow.self, about: .nobody) { row in
      let board = self.boards.board(at: row.key)
      board.makeExtras().reRank = row
      board.rows.generation = row.generation
    }
  }

  /// Re-ranks that were under way begin again: how far they had come was in memory only.
  func loaded(_ transaction: inout Transaction) {
    for board in boards.all where board.isReRanking { board.beginReRank() }
  }

  private func reRank(
    _ operation: ReRankLeaderboard, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReRankLeaderboard.Reply {
    let board = try boards.board(operation.board, call)
    let row = board.reRankRow(operation, at: transaction.now)
    var reply = ReRankLeaderboard.Reply()
    if let present = board.extras?.reRank, present.isUnderWay {
      guard row.applied(to: board.definition) == present.applied(to: board.definition) else {
        throw .conflict("board", "The board is being ranked anew by other rules already.")
      }
      reply.reRank = board.reRankProgress
      return reply
    }
    guard row.applied(to: board.definition) != board.definition else { return reply }
    try board.checkRecount(row)
    board.makeExtras().reRank = row
    transaction.put(row)
    board.beginReRank()
    boards.scheduleMaintenance(of: board, &transaction)
    goOn(board, row.number, &transaction)
    reply.reRank = board.reRankProgress
    return reply
  }

  private func continueReRank(
    _ operation: ContinueReRank, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let board = boards[operation.boardKey], let extras = board.extras,
      let row = extras.reRank, row.number == operation.number
    else { return }
    if !extras.former.isEmpty {
      extras.former.release(step, &transaction)
    } else if !row.isUnderWay {
      return
    } else if try board.advanceReRank(step, &transaction) {
      endReRank(board, row, &transaction)
    }
    goOn(board, row.number, &transaction)
  }

  /// Sends the board its next step.
  private func goOn(_ board: Board, _ number: UInt32, _ transaction: inout Transaction) {
    var step = ContinueReRank(on: board.key)
    step.number = number
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  /// All of the new ranking is there: in this turn it takes the old one's place.
  private func endReRank(_ board: Board, _ row: ReRankRow, _ transaction: inout Transaction) {
    var ended = row
    ended.endDate = transaction.now
    board.exchangeRankings()
    ended.generation = board.generation
    board.makeExtras().reRank = ended
    transaction.put(ended)
    var changed = board.row
    changed.definition = row.applied(to: board.definition)
    definitions.change(board, to: changed, &transaction)
  }
}
