import Domain
import Operations
import Wire

/// The newest match of a context, with who plays in it. Their data is not stored.
struct MatchRow: Row {
  static let tableID: UInt16 = 19
  static let tableName = "match"
  var key = ContextID()
  /// Counts the matches of the context.
  var number: UInt64 = 0
  /// The context's generation that the match belongs to.
  var generation: UInt32 = 0
  /// True once all have joined.
  var hasBegun = false
  var isEnded = false
  /// A seat's index is its place, which stays the same for as long as the match runs.
  var seats: [RosterSeat] = []
  var createdAt: Int64 = 0
  /// Whether the seats are for those who join first, as long as the match has not begun.
  var isOpen = false
  /// Who was chosen to run what only one player can.
  var host: PlayerID?

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &key)
    visit.field("number", &number)
    visit.field("generation", &generation)
    visit.field("has_begun", &hasBegun)
    visit.field("is_ended", &isEnded)
    visit.field("seats", &seats)
    visit.field("created_at", &createdAt)
    visit.field("is_open", &isOpen)
    visit.field("host", &host)
  }
}

/// What a player may start, when it is not all. Each match that is started tells the others.
struct MatchStartBudgetRow: BudgetRow {
  static let tableID: UInt16 = 30
  static let tableName = "match_start_budget"
  var key = PlayerID()
  var fullAt: Int64 = 0
}

extension NumberSetting {
  static let matchStartBurst = NumberSetting(
    "match-start-burst", .count, default: 100, 1...1_000_000,
    "Matches that one player may start in a row, by joining where none runs.")
  static let matchStartRefill = NumberSetting(
    "match-start-refill-seconds", .seconds, default: 2, 1...86_400,
    "How long after a burst a player may start one more match.")
}

/// A player in the roster of a match.
struct RosterSeat: Message {
  /// Nil while the seat is for whoever comes.
  var player = PlayerID()
  var state = SeatState()
  /// The client that took the seat last; 0 before one has. It is stored, because a client that lost
  /// its seat to another must not come back to it, and a restarted process cannot ask who that was.
  var client: UInt64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("client", &client)
  }
}

struct SeatState: OpenEnum {
  var rawValue: UInt8
  static let absent = Self(rawValue: 0)
  static let joined = Self(rawValue: 1)
  static let left = Self(rawValue: 2)
  static let names = ["absent", "joined", "left"]
}

extension MatchRow {
  var expectedPlayerCount: UInt32 { UInt32(seats.count { $0.state == .absent }) }
  /// The same as clients are told: for them a match begins at 0. One that was found, and whose
  /// remaining players are too few, expects nobody and waits for its end.
  var awaitedPlayerCount: UInt32 { max(expectedPlayerCount, hasBegun ? 0 : 1) }
  var joinedCount: Int { seats.count { $0.state == .joined } }

  /// True when nobody plays, or the only player has nobody to play with now or, before the match
  /// begins, later. Who is added to a match that runs may never come.
  var isDeserted: Bool {
    let joined = joinedCount
    if hasBegun { return joined <= 1 }
    return joined == 0 || joined + Int(expectedPlayerCount) <= 1
  }

  /// A player's place; nil for whoever has none.
  func place(of player: PlayerID) -> Int? {
    player.isNil ? nil : seats.firstIndex { $0.player == player }
  }

  /// The first seat that is for whoever comes.
  var vacancy: Int? { hasBegun ? nil : seats.firstIndex { $0.player.isNil } }

  func seat(of player: PlayerID) -> RosterSeat? { place(of: player).map { seats[$0] } }
}
