import Domain
import Operations
import Wire

extension LeaderboardCore {
  /// Begins a round over a board's history, which takes out what was kept for long enough.
  func beginTrim(_ board: Board, _ transaction: inout Transaction) {
    guard let history = board.keeping?.history, history.nextTrim <= transaction.now else { return }
    history.nextTrim = transaction.now + Self.sweepMilliseconds
    var step = TrimHistory()
    step.boardKey = board.key
    step.through = board.historyBegin(at: transaction.now, history)
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  func trimHistory(_ operation: TrimHistory, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    guard let board = boards[call.key], let history = board.keeping?.history else {
      return Empty()
    }
    let isDone: Bool
    if let changes = try history.changesToTrim(operation.through, transaction) {
      for change in changes { change.remove(&transaction) }
      isDone = false
    } else {
      isDone = try history.trimRuns(&transaction)
    }
    if history.row.since < operation.through {
      history.row.since = operation.through
      transaction.put(history.row)
    }
    if !isDone {
      transaction.effect(operation, on: board.key, game: board.row.game)
    } else if board.definition.historyDays == 0 && history.row.since <= operation.through {
      // An earlier round leaves behind what came after its date.
      board.keeping?.history = nil
      transaction.remove(HistoryRow.self, board.key)
    }
    return Empty()
  }
}

extension Board {
  /// The earliest date that the history tells about.
  func historyBegin(at now: Int64, _ history: BoardHistory) -> Int64 {
    guard definition.historyDays > 0 else { return history.row.since }
    let kept = Int64(definition.historyDays) * LeaderboardCore.dayMilliseconds
    return max(history.row.since, now - kept)
  }
}

extension BoardHistory {
  /// Changes that one step takes out, two rows each.
  fileprivate static var trimmedChangesMax: Int { 256 }
  /// Rows of runs that one step takes out of each level.
  fileprivate static var trimmedRowsMax: Int { 64 }

  /// The oldest changes, where they are no later than a date; nil when there are none.
  fileprivate func changesToTrim(_ through: Int64, _ transaction: Transaction) throws(Stop)
    -> [RankChangeRow]?
  {
    let range = ColdRange(
      table: RankChangeRow.tableID, from: row.key.keyBytes,
      through: row.key.keyBytes + through.keyBytes, limit: Self.trimmedChangesMax)
    let changes = try transaction.rows(RankChangeRow.self, in: range)
    return changes.isEmpty ? nil : changes
  }

  /// Takes rows of runs out that are about nothing but changes which are not there any more; true when
  /// there are no more of them.
  fileprivate func trimRuns(_ transaction: inout Transaction) throws(Stop) -> Bool {
    let first = try transaction.rows(RankChangeRow.self, in: changes(from: 0, limit: 1)).first
    let begin = first?.key.number ?? next
    let ranges = row.levels.indices.compactMap { level in
      rowRange(
        ofRunsBefore: RunName(level: level, number: begin / length(of: level)),
        limit: Self.trimmedRowsMax)
    }
    try transaction.fetch(ranges)
    var isDone = true
    for range in ranges {
      let rows = try transaction.rows(RankRunRow.self, in: range)
      for row in rows { transaction.remove(RankRunRow.self, row.key) }
      isDone = isDone && rows.count < Self.trimmedRowsMax
    }
    return isDone
  }
}

extension RankChangeRow {
  fileprivate func remove(_ transaction: inout Transaction) {
    transaction.remove(RankChangeRow.self, key)
    transaction.remove(
      PastEntryRow.self,
      PastEntryKey(boardKey: key.boardKey, player: player, date: key.date, number: key.number))
  }
}
