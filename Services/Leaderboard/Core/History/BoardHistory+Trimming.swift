import Domain
import Operations
import Wire

extension Board {
  /// Returns the earliest date that the history can answer for.
  func historyBegin(at now: Int64, _ history: BoardHistory) -> Int64 {
    guard definition.historyDays > 0 else { return history.row.since }
    let length = Int64(definition.historyDays) * Sweeps.dayMilliseconds
    return max(history.row.since, now - length)
  }
}

extension BoardHistory {
  /// How many changes one step removes, two rows each.
  private static var trimmedChangesMax: Int { 256 }
  /// How many rows of runs one step removes from each level.
  private static var trimmedRowsMax: Int { 64 }

  /// Removes some of the changes up to a date or, when they are gone, rows of runs that cover
  /// nothing else. Returns true when nothing is left to remove.
  func trimStep(through date: Int64, _ transaction: inout Transaction) throws(Stop) -> Bool {
    guard let changes = try changesToTrim(date, transaction)
    else { return try trimRuns(&transaction) }
    for change in changes { change.remove(&transaction) }
    return false
  }

  /// The oldest changes, where they are no later than a date; nil when there are none.
  private func changesToTrim(_ through: Int64, _ transaction: Transaction) throws(Stop)
    -> [RankChangeRow]?
  {
    let range = ColdRange(
      table: RankChangeRow.tableID, from: row.key.keyBytes,
      through: row.key.keyBytes + through.keyBytes, limit: Self.trimmedChangesMax)
    let changes = try transaction.rows(RankChangeRow.self, in: range)
    return changes.isEmpty ? nil : changes
  }

  /// Removes rows of runs that cover removed changes only; true when there are no more of them.
  private func trimRuns(_ transaction: inout Transaction) throws(Stop) -> Bool {
    let first = try transaction.rows(RankChangeRow.self, in: changes(from: 0, limit: 1)).first
    let begin = first?.key.number ?? nextNumber
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
