import Domain
import Operations
import Wire

/// The pasts of boards' rankings. A board writes down its changes itself; here they are sorted and,
/// once they are too old, removed, in steps that are effects of the board on itself.
final class Histories: CorePart {
  private let boards: Boards
  /// For the histories that begin from now on; tests make theirs small.
  var shape = HistoryShape()

  init(_ boards: Boards) { self.boards = boards }

  func register(_ router: inout Router) {
    router.on(SortHistory.self, sortHistory)
    router.on(TrimHistory.self, trimHistory)
  }

  func register(_ tables: inout Tables) {
    tables.resident(HistoryRow.self, about: .nobody) {
      self.boards.board(at: $0.key).makeExtras().history = BoardHistory($0)
    }
    tables.cold(RankChangeRow.self)
    tables.cold(PastEntryRow.self)
    tables.cold(RankRunRow.self, about: .nobody)
  }

  /// Begins or ends the history as the definition says; another ranking begins another history.
  ///
  /// - Parameter old: the definition before; nil for a new board.
  func adopt(
    _ board: Board, after old: LeaderboardDefinition?, _ transaction: inout Transaction
  ) {
    let (isKept, wasKept) = (board.definition.historyDays > 0, (old?.historyDays ?? 0) > 0)
    let isSame = old.map { board.definition.isRankedAlike($0) } ?? false
    if isKept == wasKept && (isSame || !isKept) { return }
    let history =
      board.makeExtras().history ?? BoardHistory(HistoryRow(key: board.key, shape: shape))
    history.row.since = transaction.now
    // Days are counted from now on, and the next round removes what was before.
    history.nextTrim = 0
    board.makeExtras().history = history
    transaction.put(history.row)
  }

  private func sortHistory(
    _ operation: SortHistory, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let board = boards[call.key], let history = board.extras?.history else { return }
    try history.sortStep(&transaction)
    history.isSorting = false
    board.sortHistory(&transaction)
  }

  /// Begins a round over a board's history, which removes changes that were kept for long enough.
  func beginTrim(_ board: Board, _ transaction: inout Transaction) {
    guard let history = board.extras?.history, history.nextTrim <= transaction.now else { return }
    history.nextTrim = board.nextRound(after: transaction.now)
    var step = TrimHistory(on: board.key)
    step.through = board.historyBegin(at: transaction.now, history)
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  private func trimHistory(
    _ operation: TrimHistory, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let board = boards[call.key], let history = board.extras?.history else { return }
    let isDone = try history.trimStep(through: operation.through, &transaction)
    if history.row.since < operation.through {
      history.row.since = operation.through
      transaction.put(history.row)
    }
    if !isDone {
      transaction.effect(operation, on: board.key, game: board.row.game)
    } else if board.definition.historyDays == 0 && history.row.since <= operation.through {
      // Only the last round empties the history: an earlier one leaves what came after its date.
      board.extras?.history = nil
      transaction.remove(HistoryRow.self, board.key)
    }
  }
}

extension LeaderboardDefinition {
  /// Whether places in a ranking by another definition say something of one by this. The tie rule
  /// does not matter: it is applied when ranks are counted.
  fileprivate func isRankedAlike(_ other: LeaderboardDefinition) -> Bool {
    var other = other
    other.tieRule = tieRule
    return rankingDifference(from: other) == nil
  }
}
