import Domain
import Operations
import Wire

extension Board {
  /// The last attempt that counts as not kept any more: see `ArrivalRow`.
  var removedThrough: UInt64 { extras?.removedThrough ?? 0 }

  /// Returns a player's attempts with these arrivals that count, newest first, as far back as one
  /// command may look.
  func newestAttempts(
    in arrivals: ArrivalRange, by mark: PlayerMarkRow, _ transaction: Transaction
  ) throws(Stop) -> [Entry] {
    let pageMax = 512
    let prefix = mark.key.keyBytes
    let first = max(arrivals.first, removedThrough + 1)
    var through = prefix + arrivals.through.keyBytes
    var attempts: [Entry] = []
    while attempts.count < LeaderboardLimits.fallbackAttemptsMax {
      let page = try transaction.rows(
        AttemptRow.self,
        in: ColdRange(
          table: AttemptRow.tableID, from: prefix + first.keyBytes, through: through,
          limit: pageMax, isDescending: true))
      attempts += page.map(\.entry)
      guard page.count == pageMax, let last = page.last, last.key.arrival > first else { break }
      through = prefix + (last.key.arrival - 1).keyBytes
    }
    return attempts.filter { mark.counts($0.arrival) }
  }

  /// Returns what an entry falls back to when its attempt is removed; nil when none is left.
  ///
  /// - Parameter attempts: the player's, newest first.
  func fallback(from entry: Entry, among attempts: [Entry]) -> Entry? {
    let others = attempts.filter { $0.arrival != entry.arrival }
    let order = definition.sortOrder
    switch definition.aggregation {
    case .latest: return others.first
    case .sum:
      // Not added up anew: the attempts go back further than was read or is kept.
      guard let own = attempts.first(where: { $0.arrival == entry.arrival }) else { return nil }
      let (sum, isOverflow) = entry.value.subtractingReportingOverflow(own.value)
      var previous = others.first { $0.value != 0 } ?? others.last
      if previous == nil && sum != 0 {
        previous = entry
        previous?.tag = 0
      }
      previous?.value = sum
      return isOverflow ? nil : previous
    default:
      return others.reduce(nil as Entry?) { best, next in
        // Newest first: among equal ones the earliest stays.
        best.map { order.isBetter($0.value, than: next.value) ? $0 : next } ?? next
      }
    }
  }
}
