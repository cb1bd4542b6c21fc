import Domain
import Operations
import Wire

extension BoardHistory {
  /// Sorts the next stretch, or makes the next part of a longer run.
  func sortStep(_ transaction: inout Transaction) throws(Stop) {
    switch dueLevel {
    case 0: try sortStretch(&transaction)
    case .some(let level): try merge(to: level, &transaction)
    case nil: break
    }
  }

  /// Makes a run of the first stretch that is not sorted yet.
  private func sortStretch(_ transaction: inout Transaction) throws(Stop) {
    let range = changes(
      from: row.unsortedDate, row.unsortedNumber, limit: row.shape.stretchCount)
    let end = (builtCount(0) + 1) * row.shape.stretchCount
    let changes = try transaction.rows(RankChangeRow.self, in: range)
      .prefix { $0.key.number < end }
    if let last = changes.last {
      row.unsortedDate = last.key.date
      row.unsortedNumber = last.key.number + 1
    }
    if row.levels.isEmpty { row.levels.append(HistoryLevel()) }
    append(changes.flatMap(\.steps).netted(), to: 0, &transaction)
    finishRun(of: 0)
    transaction.put(row)
  }

  /// How many rows of each run one step reads beyond the row where it continues.
  private static var mergedRowsMax: Int { 2 }

  /// Makes the next part of a run from those of the level below, as far as all of them were read.
  private func merge(to level: Int, _ transaction: inout Transaction) throws(Stop) {
    let state = row.levels.indices.contains(level) ? row.levels[level] : HistoryLevel()
    let sources = (0..<row.shape.fanOut).map {
      RunName(level: level - 1, number: state.builtCount * row.shape.fanOut + $0)
    }
    let heads = sources.map { rowRange(of: $0, at: state.from) }
    let tails = sources.map { rowRange(of: $0, behind: state.from, limit: Self.mergedRowsMax) }
    try transaction.fetch(heads + tails)
    var steps: [RankStep] = []
    var end: RankPoint?
    for (head, tail) in zip(heads, tails) {
      let following = try transaction.rows(RankRunRow.self, in: tail)
      for row in try transaction.rows(RankRunRow.self, in: head) + following {
        steps += row.steps.drop { $0.point < state.from }
      }
      if following.count == Self.mergedRowsMax, let last = following.last?.steps.last {
        end = min(end ?? last.point, last.point)
      }
    }
    if !row.levels.indices.contains(level) { row.levels.append(state) }
    let merged = steps.filter { step in end.map { step.point <= $0 } ?? true }.netted()
    append(merged, to: level, &transaction)
    if let end { row.levels[level].from = end.successor } else { finishRun(of: level) }
    transaction.put(row)
  }

  /// Writes the next part of the run that a level is making.
  private func append(_ steps: [RankStep], to level: Int, _ transaction: inout Transaction) {
    let size = Int(row.shape.rowPointCount)
    for start in stride(from: 0, to: steps.count, by: size) {
      var part = RankRunRow()
      part.steps = Array(steps[start..<min(start + size, steps.count)])
      part.key = RankRunKey(
        boardKey: row.key, level: level, run: row.levels[level].builtCount,
        first: part.steps[0].point)
      part.before = row.levels[level].weight
      transaction.put(part)
      row.levels[level].weight += part.steps.reduce(0) { $0 + $1.weight }
    }
  }

  private func finishRun(of level: Int) {
    var state = HistoryLevel()
    state.builtCount = row.levels[level].builtCount + 1
    row.levels[level] = state
  }
}

extension RankPoint {
  /// The first place behind this one. No tie is the last number there is.
  fileprivate var successor: RankPoint {
    var point = self
    point.tie += 1
    return point
  }
}
