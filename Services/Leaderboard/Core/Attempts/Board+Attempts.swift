import Domain
import Operations
import Wire

extension Board {
  /// Returns a player's attempts that count, newest first, as far back as one command may look.
  ///
  /// - Parameter floor: the last number that does not count; nil for the one in the player's mark.
  func newestAttempts(
    of player: PlayerID, since: Int64, floor: UInt64? = nil, _ transaction: Transaction
  ) throws(Stop) -> [Entry] {
    let pageMax = 512
    let prefix = EntryKey(boardKey: key, player: player).keyBytes
    var through = prefix
    var attempts: [Entry] = []
    while attempts.count < LeaderboardLimits.fallbackAttemptsMax {
      let page = try transaction.rows(
        AttemptRow.self,
        in: ColdRange(
          table: AttemptRow.tableID, from: prefix, through: through, limit: pageMax,
          isDescending: true))
      attempts += page.map(\.entry)
      guard page.count == pageMax, let last = page.last, last.key.arrival > 0, last.date >= since
      else { break }
      through = prefix + (last.key.arrival - 1).keyBytes
    }
    let floor = floor ?? extras?.floor(of: player) ?? 0
    return attempts.filter { $0.arrival > floor && $0.date >= since }
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
