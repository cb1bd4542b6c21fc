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

/// The mark that an owner has put on a player of a board.
struct PlayerMarkRow: Row {
  static let tableID: UInt16 = 37
  static let tableName = "player_mark"
  var key = EntryKey()
  var isBanned = false
  /// Attempts up to this arrival were removed.
  var countsAfter: UInt64 = 0
  /// Attempts up to this arrival are in quarantine; 0 without one.
  var hiddenThrough: UInt64 = 0
  var held: HeldScore?
  /// The generation of the board's entries when the quarantine began: see `ReRankRow`.
  var generation: UInt32 = 0
  /// Single attempts that were removed after `countsAfter`, in order of arrival, the newest ones.
  var removedAttempts: [UInt64] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("isBanned", &isBanned)
    visit.field("countsAfter", &countsAfter)
    visit.field("hiddenThrough", &hiddenThrough)
    visit.field("held", &held)
    visit.field("generation", &generation)
    visit.field("removedAttempts", &removedAttempts)
  }
}

extension PlayerMarkRow {
  /// How many removed attempts a mark remembers: it is in memory, and an owner removes a few.
  static var removedAttemptsMax: Int { 64 }

  mutating func remove(_ arrival: UInt64) {
    let place = removedAttempts.firstIndex { $0 > arrival } ?? removedAttempts.count
    removedAttempts.insert(arrival, at: place)
    if removedAttempts.count > Self.removedAttemptsMax { removedAttempts.removeFirst() }
  }

  /// Returns whether an attempt was removed, or may have been: a full list has forgotten older
  /// ones, and nobody is to be asked to meet a score that may be gone.
  func hasRemoved(_ arrival: UInt64) -> Bool {
    if arrival <= countsAfter || removedAttempts.contains(arrival) { return true }
    return removedAttempts.count == Self.removedAttemptsMax && arrival < removedAttempts[0]
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
