import Domain
import Operations
import Wire

extension Board {
  /// Adds an entry or replaces the player's, here and where it is written down, and gives its position
  /// from 0.
  func put(_ entry: Entry, _ transaction: inout Transaction) -> Int {
    record(entry.player, entry, &transaction)
    write(entry, &transaction)
    return put(entry)
  }

  /// Takes a player's entry out, here and where it is written down.
  func erase(_ player: PlayerID, _ transaction: inout Transaction) {
    record(player, nil, &transaction)
    unwrite(player, &transaction)
    remove(player)
  }

  /// Writes down what a player has now, before it becomes something else.
  private func record(_ player: PlayerID, _ after: Entry?, _ transaction: inout Transaction) {
    guard let history = keeping?.history, definition.historyDays > 0 else { return }
    let before = entry(of: player)
    if before == nil && after == nil { return }
    let (number, isFirst) = history.takeNumber()
    var change = RankChangeRow()
    change.key = RankChangeKey(boardKey: key, date: transaction.now, number: number)
    change.player = player
    change.before = before.map { RankPoint(rankKey(of: $0)) }
    change.after = after.map { RankPoint(rankKey(of: $0)) }
    change.total = UInt32(total)
    transaction.put(change)
    let past = PastEntryKey(
      boardKey: key, player: player, date: transaction.now, number: number)
    transaction.put(PastEntryRow(past, before: before))
    guard isFirst else { return }
    transaction.put(history.row)
    sortHistory(&transaction)
  }

  /// Has the history sorted, unless that is under way or nothing is to be done.
  func sortHistory(_ transaction: inout Transaction) {
    guard let history = keeping?.history, !history.isSorting, history.dueLevel != nil else {
      return
    }
    history.isSorting = true
    var step = SortHistory()
    step.boardKey = key
    transaction.effect(step, on: key, game: row.game)
  }
}
