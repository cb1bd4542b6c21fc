import Domain
import Operations
import Ranking
import Wire

extension Board {
  /// Unsorted stretches that a query may read change by change, some 32,768 changes. There are more
  /// only while the process has far too much to do.
  private static var unsortedStretchesMax: UInt64 { 64 }

  /// Returns the rank that a player had at a date, after everything that happened then or earlier.
  func pastRank(
    of player: PlayerID, at date: Int64, _ transaction: Transaction
  ) throws(Stop) -> RankOfPlayer.Reply {
    let history = try history(at: date, now: transaction.now)
    let laterChanges = history.changes(from: date + 1, limit: history.row.shape.stretchCount)
    let laterEntries = ColdRange(
      table: PastEntryRow.tableID,
      from: PastEntryKey(boardKey: key, player: player, date: date + 1, number: 0).keyBytes,
      through: EntryKey(boardKey: key, player: player).keyBytes, limit: 1)
    try transaction.fetch([laterChanges, laterEntries])
    let changes = try transaction.rows(RankChangeRow.self, in: laterChanges)
    var entry = self.entry(of: player)
    if let past = try transaction.rows(PastEntryRow.self, in: laterEntries).first {
      entry = past.entry
    }
    let total = changes.first.map { Int($0.total) } ?? self.total
    guard let entry else { return RankOfPlayer.Reply(nil, total: total) }
    let bounds = [rankBound(of: entry), rankBound(through: entry.value)]
    let later = try history.weights(below: bounds.map(RankPoint.init), changes, transaction)
    let counts = zip(bounds, later).map { countBelow($0) - Int($1) }
    guard counts[0] >= 0, counts[1] <= total
    else { throw .refuse(.unavailable, argument: "date", "The board's history is damaged.") }
    return RankOfPlayer.Reply(
      shown(entry, rank: counts[0] + 1), worse: total - counts[1], total: total)
  }

  private func history(at date: Int64, now: Int64) throws(Stop) -> BoardHistory {
    guard definition.historyDays > 0, let history = extras?.history
    else { throw .invalidArgument("date", "The board keeps no history.") }
    guard date <= now else { throw .invalidArgument("date", "The date is in the future.") }
    guard date >= historyBegin(at: now, history)
    else { throw .notFound("date", "The board's history does not go back so far.") }
    let unsortedMax = Self.unsortedStretchesMax * history.row.shape.stretchCount
    guard history.unsortedCount <= unsortedMax else {
      throw .refused(
        .backpressure(.unsortedHistory, argument: "date", retryAfterMilliseconds: 1000))
    }
    return history
  }
}

extension BoardHistory {
  /// Returns for each place how many more entries stand before it by what came after a date.
  ///
  /// - Parameter first: the first changes after the date, as many as a stretch has or all.
  fileprivate func weights(
    below points: [RankPoint], _ first: [RankChangeRow], _ transaction: Transaction
  ) throws(Stop) -> [Int64] {
    let size = row.shape.stretchCount
    guard let number = first.first?.key.number, first.count == size
    else { return points.map { first.flatMap(\.steps).weight(below: $0) } }
    let stretch = number / size
    guard stretch < builtCount(0) else {
      // All of it is unsorted: from the first change on.
      let range = changes(from: first[0].key.date, number, limit: nextNumber - number)
      let changes = try transaction.rows(RankChangeRow.self, in: range)
      return points.map { changes.flatMap(\.steps).weight(below: $0) }
    }
    let unsorted = changes(from: row.unsortedDate, row.unsortedNumber, limit: max(unsortedCount, 1))
    let runs = runs(from: stretch + 1)
    let ranges = points.map { point in runs.map { rowRange(of: $0, at: point) } }
    try transaction.fetch([unsorted] + ranges.flatMap { $0 })
    let single =
      try transaction.rows(RankChangeRow.self, in: unsorted)
      + first.prefix { $0.key.number < (stretch + 1) * size }
    let steps = single.flatMap(\.steps)
    var weights: [Int64] = []
    for (point, ranges) in zip(points, ranges) {
      var weight = steps.weight(below: point)
      for range in ranges {
        let row = try transaction.rows(RankRunRow.self, in: range).first
        weight += row?.weight(below: point) ?? 0
      }
      weights.append(weight)
    }
    return weights
  }
}

extension RankOfPlayer.Reply {
  init(_ entry: LeaderboardEntry?, worse: Int = 0, total: Int) {
    self.init()
    self.entry = entry
    self.total = UInt32(total)
    guard entry != nil else { return }
    percentile = total == 1 ? 100 : 100 * Double(worse) / Double(total - 1)
  }
}
