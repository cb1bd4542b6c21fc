import Operations
import Wire

/// A ticket in memory, with what the search asks of it in its present stage.
struct PoolTicket {
  /// What tickets that stand side by side have in common, so that one that fits is known to fit in
  /// all but its number and its players.
  struct Shape: Hashable {
    var stage: UInt8
    /// Of the match.
    var minPlayers: UInt8
    var maxPlayers: UInt8
    /// Of the ticket.
    var playerCount: UInt8
    var attributes: UInt32
    var isBackfill: Bool
  }

  /// Where it stands in the index.
  struct Entry {
    var aisle: Int32
    var node: Int32
  }

  var row: TicketRow
  let rules: QueueStages
  let number: Int64
  /// The words that rules ask for, in their order.
  let words: [String]
  var avoided: Set<PlayerID>
  private(set) var stage: Int
  private(set) var shape: Shape
  private(set) var regions: UInt8
  /// Empty while the ticket is not in the index.
  var entries: [Entry] = []

  init(_ row: TicketRow, _ rules: QueueStages, now: Int64) {
    self.row = row
    self.rules = rules
    let criteria = row.criteria
    number =
      rules.number.flatMap { name in
        criteria.numbers.first { $0.name == name }?.value
      } ?? 0
    words = rules.words.map { name in criteria.words.first { $0.name == name }?.word ?? "" }
    avoided = Set(row.avoided)
    stage = rules.stage(of: row.createdAt, now: now)
    regions = rules.regions(of: criteria.latencies, at: stage)
    shape = Self.shape(row, rules, stage)
  }

  var tolerance: UInt64? { rules.stages[stage].tolerance }
  var isAnyWord: [Bool] { rules.stages[stage].isAnyWord }

  /// Brings the ticket to the stage that its waiting time makes. It is not in the index meanwhile.
  mutating func advance(now: Int64) {
    assert(entries.isEmpty)
    stage = rules.stage(of: row.createdAt, now: now)
    regions = rules.regions(of: row.criteria.latencies, at: stage)
    shape = Self.shape(row, rules, stage)
  }

  /// When the next rule loosens, or the ticket expires.
  var nextChange: Int64 {
    guard stage + 1 < rules.stages.count else { return row.expiresAt }
    return min(row.expiresAt, row.createdAt + rules.stages[stage + 1].start)
  }

  static func shape(_ row: TicketRow, _ rules: QueueStages, _ stage: Int) -> Shape {
    // A match has at least one player who is not of the ticket.
    let asked = least(row, rules, stage)
    return Shape(
      stage: UInt8(stage),
      minPlayers: UInt8(clamping: max(asked, UInt32(row.players.count) + 1)),
      maxPlayers: UInt8(clamping: row.criteria.maxPlayers),
      playerCount: UInt8(clamping: row.players.count),
      attributes: row.criteria.playerAttributes, isBackfill: row.isBackfill)
  }

  /// The least players of a match, as its rules are now.
  var least: UInt32 { Self.least(row, rules, stage) }

  private static func least(_ row: TicketRow, _ rules: QueueStages, _ stage: Int) -> UInt32 {
    max(2, min(row.criteria.minPlayers, rules.stages[stage].minPlayersMax ?? .max))
  }

  /// Whether its players are enough for a match by themselves.
  var isEnough: Bool {
    row.players.count > 1 && row.players.count >= row.criteria.minPlayers && !row.isBackfill
      && MatchSolver.State.areWhole(row.criteria.playerAttributes) && !isDivided
  }

  /// Whether one of its players blocks another.
  var isDivided: Bool { row.players.count > 1 && avoids(self) }

  func avoids(_ other: PoolTicket) -> Bool {
    !avoided.isEmpty && other.row.players.contains { avoided.contains($0) }
  }

  /// Whether both numbers are near enough for both.
  static func areNear(
    _ left: (number: Int64, tolerance: UInt64?), _ right: (number: Int64, tolerance: UInt64?)
  ) -> Bool {
    let distance = left.number.distanceMagnitude(to: right.number)
    return distance <= left.tolerance ?? .max && distance <= right.tolerance ?? .max
  }
}

extension Int64 {
  func distanceMagnitude(to other: Int64) -> UInt64 {
    self < other
      ? UInt64(bitPattern: other) &- UInt64(bitPattern: self)
      : UInt64(bitPattern: self) &- UInt64(bitPattern: other)
  }
}
