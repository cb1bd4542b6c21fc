public import Domain
import Operations
import Wire

/// What boards keep besides their rankings: loading it, and what time does to it.
extension LeaderboardCore {
  func loadKept(table: UInt16, row: RawSpan) throws(WireError) {
    switch table {
    case ArrivalRow.tableID:
      let row = try ArrivalRow(decoding: row)
      board(at: row.key).kept.reservedThrough = row.reservedThrough
    case OccurrenceRow.tableID:
      let row = try OccurrenceRow(decoding: row)
      board(at: row.key.boardKey).load(row)
    case OccurrenceEntryRow.tableID:
      let row = try OccurrenceEntryRow(decoding: row)
      board(at: row.key.boardKey).load(row)
    case RecentAttemptRow.tableID:
      let row = try RecentAttemptRow(decoding: row)
      let board = board(at: row.key.boardKey)
      let windows = board.kept.windows ?? ScoreWindows(of: board)
      board.kept.windows = windows
      board.skipArrivals(through: row.key.arrival)
      windows.load(row)
    case PlayerMarkRow.tableID:
      let row = try PlayerMarkRow(decoding: row)
      let board = board(at: row.key.boardKey)
      board.skipArrivals(through: max(row.countsAfter, row.hiddenThrough))
      board.kept.marks[row.key.player] = row
    case TicketRow.tableID:
      let row = try TicketRow(decoding: row)
      board(at: row.key.boardKey).kept.tickets.load(row)
    case ReRankRow.tableID:
      let row = try ReRankRow(decoding: row)
      board(at: row.key).kept.reRank = row
    case RankedEntryRow.tableID:
      let row = try RankedEntryRow(decoding: row)
      board(at: row.key.boardKey).load(row)
    case HistoryRow.tableID:
      let row = try HistoryRow(decoding: row)
      board(at: row.key).kept.history = BoardHistory(row)
    default: break
    }
  }

  /// Boards that one step of time looks at, and the rows that it may remove.
  static var watchedPerTick: Int { 64 }
  static var droppedPerTick: Int { 2048 }

  /// Time does something to the board from now on.
  func watch(_ board: Board) {
    guard let keeping = board.keeping, !keeping.isWatched else { return }
    keeping.isWatched = true
    watched.append(board)
  }

  public func tick(_ transaction: inout Transaction) {
    sendExpiries(&transaction)
    var left = Self.droppedPerTick
    for _ in 0..<min(Self.watchedPerTick, watched.count) where left > 0 {
      nextWatched = (nextWatched + 1) % watched.count
      let board = watched[nextWatched]
      guard let keeping = board.keeping else { continue }
      left -= board.drop(atMost: left, &transaction)
      if let windows = keeping.windows {
        _ = windows.slide(to: transaction.now, atMost: ScoreWindows.slideMax)
        left -= windows.trim(board.key, atMost: max(left, 0), &transaction)
      }
      left -= keeping.tickets.expire(atMost: max(left, 0), &transaction)
      keeping.rates.forget(board.definition, at: transaction.now, atMost: max(left, 0))
      beginSweep(board, &transaction)
      board.sortHistory(&transaction)
      beginTrim(board, &transaction)
    }
  }
}
