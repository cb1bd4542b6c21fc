import Domain
import Operations
import Wire

/// An entry in quarantine: it is kept but not ranked.
struct HeldScore: Message, Hashable, ScoreHolder {
  var value: Int64 = 0
  var tag: UInt64 = 0
  var date: Int64 = 0
  var arrival: UInt64 = 0
  /// The occurrence whose entry it is; nil on a board of all time.
  var occurrence: Int64?
  /// On a board of sums: an attempt has changed the sum since, even if others took that back.
  var isFollowed = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("value", &value)
    visit.field("context", &tag)
    visit.field("date", &date)
    visit.field("arrival", &arrival)
    visit.field("occurrence", &occurrence)
    visit.field("isFollowed", &isFollowed)
  }
}

/// A stretch of a board's arrivals, from its first to its last one.
struct ArrivalRange: Message, Hashable {
  var first: UInt64 = 0
  var through: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("first", &first)
    visit.field("through", &through)
  }

  static var none: ArrivalRange { ArrivalRange(first: 1, through: 0) }

  var isSingle: Bool { first == through }

  func contains(_ arrival: UInt64) -> Bool { first <= arrival && arrival <= through }

  func contains(_ other: ArrivalRange) -> Bool {
    contains(other.first) && contains(other.through)
  }
}

/// The mark that an owner has put on a player of a board.
struct PlayerMarkRow: Row {
  static let tableID: UInt16 = 37
  static let tableName = "player_mark"
  var key = EntryKey()
  var isBanned = false
  /// The player's attempts that are in quarantine, all of them in one occurrence.
  var hidden: ArrivalRange?
  var held: HeldScore?
  /// The generation of the board's entries when the quarantine began: see `ReRankRow`.
  var generation: UInt32 = 0
  /// The player's attempts that were removed, in order of arrival; no two ranges overlap.
  var removed: [ArrivalRange] = []
  /// The newest removed attempt that is not in `removed` any more.
  var forgottenThrough: UInt64 = 0
  /// The board's aggregation when the quarantine began.
  var aggregation = ScoreAggregation()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("isBanned", &isBanned)
    visit.field("hidden", &hidden)
    visit.field("held", &held)
    visit.field("generation", &generation)
    visit.field("removed", &removed)
    visit.field("forgottenThrough", &forgottenThrough)
    visit.field("aggregation", &aggregation)
  }
}

extension PlayerMarkRow {
  /// How many removals a mark remembers: it is in memory, and an owner removes a few.
  static var removedMax: Int { 64 }

  mutating func endQuarantine() {
    (hidden, held) = (nil, nil)
    (generation, aggregation) = (0, ScoreAggregation())
  }

  /// The last arrival that the mark is about.
  var lastArrival: UInt64 {
    max(removed.last?.through ?? 0, hidden?.through ?? 0, forgottenThrough)
  }

  /// On a board of all time: the player's attempts up to this arrival do not count.
  var floor: UInt64 {
    let whole = removed.first { $0.first == 0 }
    return max(whole?.through ?? 0, hidden?.through ?? 0)
  }

  mutating func remove(_ range: ArrivalRange) {
    removed.removeAll { range.contains($0) }
    removed.insert(range, at: removed.sortedCount { $0.first < range.first })
    guard removed.count > Self.removedMax else { return }
    // A removed single attempt is not in the store any more, so only `hasRemoved` asks for it. If
    // there is none, the oldest range is forgotten, whose attempts leave the store in steps.
    let forgotten = removed.remove(at: removed.firstIndex(where: \.isSingle) ?? 0)
    forgottenThrough = max(forgottenThrough, forgotten.through)
  }

  /// Returns whether an attempt that is in the store counts.
  func counts(_ arrival: UInt64) -> Bool {
    hidden?.contains(arrival) != true && !removed.contains { $0.contains(arrival) }
  }

  /// Returns whether an attempt was removed, or may have been: older removals were forgotten, and
  /// nobody is to be asked to meet a score that may be gone.
  func hasRemoved(_ arrival: UInt64) -> Bool {
    arrival <= forgottenThrough || removed.contains { $0.contains(arrival) }
  }
}

struct TicketKey: RowKey {
  var boardKey = RoutingKey()
  var ticket = TicketID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("ticket", &ticket)
  }
}

/// A run's ticket, kept after its use to tell a second use from a ticket never given out.
struct TicketRow: Row {
  static let tableID: UInt16 = 38
  static let tableName = "run_ticket"
  var key = TicketKey()
  var player = PlayerID()
  var date: Int64 = 0
  var isUsed = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("date", &date)
    visit.field("isUsed", &isUsed)
  }
}
