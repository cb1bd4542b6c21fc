import Domain
import Operations
import Ranking
import Wire

/// Re-ranking a board: its own ranking, those of its occurrences and those of its windows.
extension Board {
  var isReRanking: Bool { extras?.reRank?.isUnderWay == true }

  /// During a re-rank, the definition that the board will have.
  var successorDefinition: LeaderboardDefinition? {
    guard let row = extras?.reRank, row.isUnderWay else { return nil }
    return row.applied(to: definition)
  }

  /// The rankings that the board is made of, without those of windows.
  var rankings: [Board] { [self] + (extras?.occurrences.map(\.board) ?? []) }

  /// How many entries the new ranking has so far.
  private var ranked: Int { successorIndex?.index.count ?? successor?.count ?? total }

  var reRankProgress: ReRankProgress? {
    guard let row = extras?.reRank else { return nil }
    var progress = ReRankProgress()
    progress.number = row.number
    progress.sortOrder = row.sortOrder
    progress.tieRule = row.tieRule
    progress.aggregation = row.aggregation
    progress.startDate = row.startDate
    progress.endDate = row.endDate
    if row.isUnderWay {
      for ranking in rankings {
        progress.rankedCount += UInt64(ranking.ranked)
        progress.entryCount += UInt64(ranking.total)
      }
    }
    return progress
  }

  func reRankRow(_ operation: ReRankLeaderboard, at now: Int64) -> ReRankRow {
    var row = ReRankRow()
    row.key = key
    row.number = (extras?.reRank?.number ?? 0) + 1
    row.sortOrder = operation.sortOrder ?? definition.sortOrder
    row.tieRule = operation.tieRule ?? definition.tieRule
    row.aggregation = operation.aggregation ?? definition.aggregation
    row.startDate = now
    row.generation = generation
    return row
  }

  func checkRecount(_ row: ReRankRow) throws(Stop) {
    guard row.aggregation != definition.aggregation else { return }
    guard definition.attempts == .forever else {
      throw .conflict(
        "aggregation",
        "Entries cannot be rebuilt on a board that does not keep its attempts forever.")
    }
  }

  /// Returns whether entries are rebuilt: by a new aggregation, or best ones by a new order.
  private func isRecounted(by successor: LeaderboardDefinition) -> Bool {
    if successor.aggregation != definition.aggregation { return true }
    return definition.attempts != .none && definition.aggregation == .best
      && successor.sortOrder != definition.sortOrder
  }

  /// Makes the new rankings, still empty. A new tie rule alone moves nobody and needs none.
  func beginReRank() {
    guard let successor = successorDefinition else { return }
    let recount = isRecounted(by: successor) ? Recount(of: key, by: successor) : nil
    if recount != nil || successor.sortOrder != definition.sortOrder {
      for ranking in rankings { ranking.beginSuccessor(successor, recount: recount) }
    }
    guard
      successor.sortOrder != definition.sortOrder
        || successor.aggregation != definition.aggregation
    else { return }
    var row = row
    row.definition = successor
    extras?.windows?.beginSuccessor(row)
  }

  /// Takes one step; true when the new rankings are whole.
  func advanceReRank(_ step: ReRankStep, _ transaction: inout Transaction)
    throws(Stop) -> Bool
  {
    if let recount = successor?.recount {
      guard try advanceRecount(recount, step, &transaction) else { return false }
    } else {
      var left = step.entriesMax
      for ranking in rankings where left > 0 { left -= ranking.advanceSuccessorIndex(atMost: left) }
      // A step in which entries came has done enough.
      let isWhole = rankings.allSatisfy { $0.successorIndex?.isWhole ?? true }
      if !isWhole || left < step.entriesMax { return false }
    }
    return extras?.windows?.advanceSuccessor(atMost: step.attemptsMax) ?? true
  }

  func exchangeRankings() {
    let extras = makeExtras()
    for ranking in rankings {
      let (index, entries) = ranking.exchangeWithSuccessor()
      if let index { extras.former.indices.append(index) }
      if let entries { extras.former.rankings.append(entries) }
    }
    if let windows = extras.windows?.exchangeWithSuccessor() {
      extras.former.windows.append(windows)
    }
  }
}
