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

  /// The history follows the definition: it begins or ends now, or begins anew where the ranking is
  /// another one.
  ///
  /// - Parameter old: the definition before; nil for a new board.
  func adoptHistory(
    after old: LeaderboardDefinition?, _ shape: HistoryShape, _ transaction: inout Transaction
  ) {
    let (isKept, wasKept) = (definition.historyDays > 0, (old?.historyDays ?? 0) > 0)
    let isSame = old.map { isRankedAlike($0) } ?? false
    if isKept == wasKept && (isSame || !isKept) { return }
    let history = kept.history ?? BoardHistory(HistoryRow(key, shape))
    history.row.since = transaction.now
    // Days are counted from now on, and what was before goes.
    history.nextTrim = 0
    kept.history = history
    transaction.put(history.row)
  }
}

extension Board {
  /// Whether places in a ranking by this definition say something of this one. The tie rule does not
  /// matter: it is applied when ranks are counted.
  private func isRankedAlike(_ other: LeaderboardDefinition) -> Bool {
    var other = other
    other.tieRule = definition.tieRule
    return definition.rankingDifference(from: other) == nil
  }
}

extension HistoryRow {
  init(_ key: RoutingKey, _ shape: HistoryShape) {
    self.key = key
    self.shape = shape
  }
}
