import Domain
import Operations
import Wire

/// The past of a board's ranking, for queries about a date.
///
/// A past rank is today's rank with all later changes taken back: one entry fewer where a change
/// put one, one entry more where it took one away. So the board is never copied, and the cost of
/// writing depends on the changes alone.
///
/// Changes are rows in the order of time, numbered in the order in which they came. `stretchCount`
/// numbers are a stretch. A stretch that is over is sorted into a *run*: the places in the ranking
/// that its changes took or gave up, each with the sum of those before it. So one row of the run
/// tells how many entries its changes put before a place. `fanOut` runs are merged into one run of
/// the next level. The changes after any date are then a part of one stretch, a few runs of each
/// level, and the stretches that are not sorted yet.
///
/// Invariants: run `r` of a level covers the numbers from `r` times the level's length on; a run
/// never changes, and is removed when all of it is before `since`; a place that a run's changes
/// both took and gave up is not in it.
final class BoardHistory {
  var row: HistoryRow
  /// The number of the next change. After a restart it is the first of a new stretch, because any
  /// number of the stretch before may have been given out.
  private(set) var nextNumber: UInt64
  /// True while the effect of the next sorting step is on its way.
  var isSorting = false
  /// When the next round that removes old changes begins.
  var nextTrim: Int64 = 0

  init(_ row: HistoryRow) {
    self.row = row
    nextNumber = row.begunCount * row.shape.stretchCount
  }

  /// Takes the next change's number; `isFirst` says that a stretch begins with it.
  func takeNumber() -> (number: UInt64, isFirst: Bool) {
    let number = nextNumber
    nextNumber += 1
    let isFirst = number == row.begunCount * row.shape.stretchCount
    if isFirst { row.begunCount += 1 }
    return (number, isFirst)
  }

  // MARK: Levels

  /// How many changes a run of a level covers.
  func length(of level: Int) -> UInt64 {
    (0..<level).reduce(row.shape.stretchCount) { length, _ in length * row.shape.fanOut }
  }

  func builtCount(_ level: Int) -> UInt64 {
    row.levels.indices.contains(level) ? row.levels[level].builtCount : 0
  }

  /// The lowest level of which a run can be made; nil when there is nothing to sort. Stretches come
  /// first, because queries read unsorted ones change by change.
  var dueLevel: Int? {
    if builtCount(0) < nextNumber / row.shape.stretchCount { return 0 }
    return row.levels.indices.first { level in
      builtCount(level) >= (builtCount(level + 1) + 1) * row.shape.fanOut
    }.map { $0 + 1 }
  }

  /// True when there is something to sort and no step is on its way. After a restart none is.
  var isToBeSorted: Bool { !isSorting && dueLevel != nil }

  /// Changes that are in no run yet, at most.
  var unsortedCount: UInt64 { nextNumber - builtCount(0) * row.shape.stretchCount }

  /// Returns the fewest runs that cover all sorted stretches from one on.
  func runs(from stretch: UInt64) -> [RunName] {
    var runs: [RunName] = []
    var stretch = stretch
    while stretch < builtCount(0) {
      var run = RunName(level: 0, number: stretch)
      var width: UInt64 = 1
      while run.number.isMultiple(of: row.shape.fanOut),
        run.number / row.shape.fanOut < builtCount(run.level + 1)
      {
        run = RunName(level: run.level + 1, number: run.number / row.shape.fanOut)
        width *= row.shape.fanOut
      }
      runs.append(run)
      stretch += width
    }
    return runs
  }

  struct RunName: Equatable {
    var level: Int
    var number: UInt64
  }
}

extension BoardHistory {
  /// All changes from a date on or, on that date itself, from a number on.
  func changes(from date: Int64, _ number: UInt64 = 0, limit: UInt64) -> ColdRange {
    ColdRange(
      table: RankChangeRow.tableID,
      from: RankChangeKey(boardKey: row.key, date: date, number: number).keyBytes,
      through: row.key.keyBytes, limit: Int(limit))
  }

  /// The bytes with which the keys of all runs of a level begin.
  private func prefix(level: Int) -> [UInt8] { row.key.keyBytes + UInt8(level).keyBytes }

  /// The bytes with which all keys of a run begin.
  private func prefix(_ run: RunName) -> [UInt8] {
    prefix(level: run.level) + run.number.keyBytes
  }

  /// The last row of a run that begins at a place or before it.
  func rowRange(of run: RunName, at point: RankPoint) -> ColdRange {
    ColdRange(
      table: RankRunRow.tableID, from: prefix(run),
      through: RankRunKey(boardKey: row.key, level: run.level, run: run.number, first: point)
        .keyBytes, limit: 1, isDescending: true)
  }

  /// The rows of a run that begin behind a place.
  func rowRange(of run: RunName, behind point: RankPoint, limit: Int) -> ColdRange {
    let key = RankRunKey(boardKey: row.key, level: run.level, run: run.number, first: point)
    return ColdRange(
      table: RankRunRow.tableID, from: key.keyBytes + [0], through: prefix(run), limit: limit)
  }

  /// The rows of the runs of a level before one.
  func rowRange(ofRunsBefore end: RunName, limit: Int) -> ColdRange? {
    guard end.number > 0 else { return nil }
    return ColdRange(
      table: RankRunRow.tableID, from: prefix(level: end.level),
      through: prefix(RunName(level: end.level, number: end.number - 1)), limit: limit)
  }
}

// MARK: What is sorted

extension [RankStep] {
  /// Returns the steps sorted by place, without those that later ones took back.
  func netted() -> [RankStep] {
    var netted: [RankStep] = []
    for step in sorted(by: { $0.point < $1.point }) {
      // At one place, taking and giving up alternate: two steps in a row leave nothing.
      if let last = netted.last, last.point == step.point, last.isTaken != step.isTaken {
        netted.removeLast()
      } else {
        netted.append(step)
      }
    }
    return netted
  }

  /// How many more entries stand before a place after these steps than did before them.
  func weight(below point: RankPoint) -> Int64 {
    reduce(0) { $1.point < point ? $0 + $1.weight : $0 }
  }
}

extension RankChangeRow {
  var steps: [RankStep] {
    [
      before.map { RankStep(point: $0, isTaken: false) },
      after.map { RankStep(point: $0, isTaken: true) },
    ]
    .compactMap { $0 }
  }
}

extension RankRunRow {
  func weight(below point: RankPoint) -> Int64 { before + steps.weight(below: point) }
}
