package import Domain
import Operations
import Wire

extension NumberSetting {
  /// At least as long as a board may demand that a run lasts: `LeaderboardLimits.runSecondsMax`.
  package static let runTicketLifetime = NumberSetting(
    "run-ticket-hours", .hours, default: 48, 24...720,
    "How long a run may last: then its ticket is forgotten.")
}

/// A board's tickets: by id, by player and by age.
struct RunTickets {
  private var rows: [TicketID: TicketRow] = [:]
  /// In order of age.
  private var byPlayer: [PlayerID: [TicketID]] = [:]
  private var byAge = Queue<TicketID>()

  subscript(ticket: TicketID) -> TicketRow? { rows[ticket] }

  mutating func load(_ row: TicketRow) { rows[row.key.ticket] = row }

  /// All rows are there.
  mutating func loaded() {
    let sorted = rows.values.sorted {
      ($0.date, $0.key.ticket.high) < ($1.date, $1.key.ticket.high)
    }
    for row in sorted { index(row) }
  }

  private mutating func index(_ row: TicketRow) {
    byPlayer[row.player, default: []].append(row.key.ticket)
    byAge.append(row.key.ticket)
  }

  mutating func add(_ row: TicketRow, _ transaction: inout Transaction) {
    rows[row.key.ticket] = row
    index(row)
    transaction.put(row)
    if let oldest = byPlayer[row.player]?.first,
      byPlayer[row.player, default: []].count > LeaderboardLimits.ticketsPerPlayerMax
    {
      remove(oldest, &transaction)
    }
  }

  mutating func use(_ ticket: TicketID, _ transaction: inout Transaction) {
    guard var row = rows[ticket] else { return }
    row.isUsed = true
    rows[ticket] = row
    transaction.put(row)
  }

  /// When the oldest ticket was given out, or one that made room since.
  var oldestDate: Int64? { byAge.first.map { rows[$0]?.date ?? 0 } }

  /// Forgets at most so many tickets that are too old.
  mutating func expire(
    atMost stepMax: Int, lifetime: Int64, _ transaction: inout Transaction
  ) -> Int {
    var removed = 0
    while removed < stepMax, let oldest = byAge.first {
      if let row = rows[oldest] {
        guard row.date + lifetime <= transaction.now else { break }
        remove(oldest, &transaction)
      }
      byAge.removeFirst()
      removed += 1
    }
    return removed
  }

  mutating func remove(_ ticket: TicketID, _ transaction: inout Transaction) {
    guard let row = rows.removeValue(forKey: ticket) else { return }
    byPlayer[row.player]?.removeAll { $0 == ticket }
    if byPlayer[row.player]?.isEmpty == true { byPlayer[row.player] = nil }
    transaction.remove(TicketRow.self, row.key)
  }
}

/// When each player submitted lately, exactly, and no longer than the rule looks back.
struct SubmissionRates {
  private var times: [PlayerID: [Int64]] = [:]
  private var all = Queue<(player: PlayerID, time: Int64)>()

  /// Milliseconds until the player may submit again; nil for now.
  func wait(_ player: PlayerID, _ definition: LeaderboardDefinition, at now: Int64) -> Int64? {
    let length = Int64(definition.rateSeconds) * 1000
    let recent = (times[player] ?? []).filter { $0 > now - length }
    guard recent.count >= Int(definition.rateCount) else { return nil }
    return recent[recent.count - Int(definition.rateCount)] + length - now
  }

  mutating func add(_ player: PlayerID, _ definition: LeaderboardDefinition, at now: Int64) {
    times[player, default: []].append(now)
    all.append((player, now))
    forget(definition, at: now, atMost: 2)
  }

  /// When the oldest submission does not count any more.
  func nextEnd(_ definition: LeaderboardDefinition) -> Int64? {
    all.first.map { $0.time + Int64(definition.rateSeconds) * 1000 }
  }

  mutating func forget(_ definition: LeaderboardDefinition, at now: Int64, atMost stepMax: Int) {
    let length = Int64(definition.rateSeconds) * 1000
    for _ in 0..<stepMax {
      guard let oldest = all.first, oldest.time <= now - length else { return }
      all.removeFirst()
      times[oldest.player]?.removeFirst()
      if times[oldest.player]?.isEmpty == true { times[oldest.player] = nil }
    }
  }
}
