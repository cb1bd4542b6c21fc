import Domain
import Operations
import Wire

extension Board {
  /// Adds an entry or replaces the player's, here and where it is written down, and returns its
  /// position from 0.
  func put(_ entry: Entry, _ transaction: inout Transaction) -> Int {
    record(entry.player, entry, &transaction)
    rows.put(entry, &transaction)
    return put(entry)
  }

  /// Takes a player's entry out, here and where it is written down.
  func erase(_ player: PlayerID, _ transaction: inout Transaction) {
    record(player, nil, &transaction)
    rows.remove(player, &transaction)
    remove(player)
  }

  /// Writes down a player's entry before it changes.
  private func record(_ player: PlayerID, _ after: Entry?, _ transaction: inout Transaction) {
    guard let history = extras?.history, definition.historyDays > 0 else { return }
    let before = entry(of: player)
    if before == nil && after == nil { return }
    let (number, isFirst) = history.takeNumber()
    transaction.put(
      RankChangeRow(
        key: RankChangeKey(boardKey: key, date: transaction.now, number: number), player: player,
        before: before.map { RankPoint(rankKey(of: $0)) },
        after: after.map { RankPoint(rankKey(of: $0)) }, total: UInt32(total)))
    let past = PastEntryKey(
      boardKey: key, player: player, date: transaction.now, number: number)
    transaction.put(
      PastEntryRow(key: past, wasRanked: before != nil).holding(before ?? Entry()))
    if isFirst { transaction.put(history.row) }
    sortHistory(&transaction)
  }

  /// Has the history sorted, unless that is under way or nothing is to be done.
  func sortHistory(_ transaction: inout Transaction) {
    guard let history = extras?.history, history.isToBeSorted else { return }
    history.isSorting = true
    transaction.effect(SortHistory(on: key), on: key, game: row.game)
  }
}
