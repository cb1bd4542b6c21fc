import Operations

/// How long the tickets of a pool waited: all of them, and by what they asked for.
struct PoolWaits {
  /// What makes a wait short or long; so few that a pool has a bounded number of counts.
  struct Kind: Hashable {
    /// 0 for matches of two, then 1 to 3 for each doubling.
    var size: UInt8
    var isParty: Bool
    var hasAttributes: Bool

    init(_ shape: PoolTicket.Shape) {
      size = shape.minPlayers <= 2 ? 0 : shape.minPlayers <= 4 ? 1 : shape.minPlayers <= 8 ? 2 : 3
      isParty = shape.playerCount > 1
      hasAttributes = shape.attributes != 0
    }
  }

  private(set) var all = WaitingTimes()
  private var byKind: [Kind: WaitingTimes] = [:]

  mutating func add(_ wait: Int64, _ shape: PoolTicket.Shape, now: Int64) {
    all.add(wait, players: Int(shape.playerCount), now: now)
    byKind[Kind(shape), default: WaitingTimes()].add(
      wait, players: Int(shape.playerCount), now: now)
  }

  /// The times of tickets like one; of all, when none like it was matched.
  func waits(like shape: PoolTicket.Shape, now: Int64) -> QueueWaits {
    let waits = byKind[Kind(shape)]?.waits(now: now) ?? QueueWaits()
    return waits.ticketCount > 0 ? waits : all.waits(now: now)
  }
}

/// How long tickets waited that were matched in the last ten minutes: counts by minute and by
/// waiting time, in a bounded space.
struct WaitingTimes {
  private static let minutes = 10
  /// Waiting times are counted in ranges, four for each doubling.
  private static let rangeCount = 128

  private struct Minute {
    /// Since 1970; the counts are of this one.
    var number: Int64 = -1
    var players: UInt32 = 0
    var counts: [UInt32] = []
  }

  private var ring = [Minute](repeating: Minute(), count: Self.minutes)

  mutating func add(_ wait: Int64, players: Int, now: Int64) {
    let minute = now / 60_000
    let place = Int(minute % Int64(Self.minutes))
    if ring[place].number != minute {
      ring[place] = Minute(number: minute, counts: Array(repeating: 0, count: Self.rangeCount))
    }
    ring[place].players += UInt32(players)
    ring[place].counts[Self.range(of: wait)] += 1
  }

  func matchedPlayers(now: Int64) -> UInt32 {
    recent(now).reduce(0) { $0 + $1.players }
  }

  func waits(now: Int64) -> QueueWaits {
    var counts = [UInt32](repeating: 0, count: Self.rangeCount)
    for minute in recent(now) {
      for range in counts.indices { counts[range] += minute.counts[range] }
    }
    var waits = QueueWaits()
    waits.ticketCount = counts.reduce(0, +)
    waits.p50 = Self.quantile(50, of: counts, waits.ticketCount)
    waits.p95 = Self.quantile(95, of: counts, waits.ticketCount)
    return waits
  }

  private func recent(_ now: Int64) -> [Minute] {
    ring.filter { $0.number > now / 60_000 - Int64(Self.minutes) && $0.number >= 0 }
  }

  private static func quantile(_ percent: UInt32, of counts: [UInt32], _ total: UInt32) -> UInt32 {
    guard total > 0 else { return 0 }
    let rank = (UInt64(total) * UInt64(percent) + 99) / 100
    var seen: UInt64 = 0
    for (range, count) in counts.enumerated() {
      seen += UInt64(count)
      if seen >= rank { return end(of: range) }
    }
    return end(of: rangeCount - 1)
  }

  /// 0 to 3 have a range each; then each doubling has four of equal width.
  static func range(of wait: Int64) -> Int {
    let wait = UInt64(max(0, wait))
    if wait < 4 { return Int(wait) }
    let doubling = 63 - wait.leadingZeroBitCount
    return min(rangeCount - 1, (doubling - 1) * 4 + Int(wait >> UInt64(doubling - 2)) - 4)
  }

  /// The longest time of a range.
  static func end(of range: Int) -> UInt32 {
    if range < 4 { return UInt32(range) }
    let doubling = range / 4 + 1
    let next = UInt64(range % 4 + 5) << UInt64(doubling - 2)
    return UInt32(clamping: next - 1)
  }
}
