import Domain
import Operations
import Wire

/// A ticket that waits, from when it came until it has ended.
struct TicketRow: Row {
  static let tableID: UInt16 = 40
  static let tableName = "ticket"
  var key = MatchTicketID()
  /// The key of the queue.
  var queue = RoutingKey()
  var game = ""
  var playerGroup = ""
  /// Of the queue's declaration, under which the ticket came.
  var version: UInt32 = 0
  /// Its place in the line: who came first has the least.
  var arrival: UInt64 = 0
  /// The first one has asked for it.
  var players: [PlayerID] = []
  var criteria = MatchCriteria()
  /// The context and the number of the running match that it adds players to; 0 for none.
  var context = ContextID()
  var match: UInt64 = 0
  var createdAt: Int64 = 0
  var expiresAt: Int64 = 0
  /// Players whom one of the ticket's blocks, as far as the queue has learned.
  var avoided: [PlayerID] = []
  /// The match that was found for it and is not confirmed yet; nil for none.
  var proposal = ContextID()
  /// Whether it is one too many for a player, and ends as soon as it is known what of its match.
  var isDropped = false
  /// Of builds before `absences`; nobody reads it any more.
  private var absentMilliseconds: Int64 = 0
  /// See `PlaceTicket`.
  var absences: [TicketAbsence] = []

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("ticket", &key)
    visit.field("queue", &queue)
    visit.field("game", &game)
    visit.field("player_group", &playerGroup)
    visit.field("version", &version)
    visit.field("arrival", &arrival)
    visit.field("players", &players)
    visit.field("criteria", &criteria)
    visit.field("context", &context)
    visit.field("match", &match)
    visit.field("created_at", &createdAt)
    visit.field("expires_at", &expiresAt)
    visit.field("avoided", &avoided)
    visit.field("proposal", &proposal)
    visit.field("is_dropped", &isDropped)
    visit.field("absent_milliseconds", &absentMilliseconds)
    visit.field("absences", &absences)
  }
}

extension TicketRow {
  var isBackfill: Bool { match != 0 }

  /// What puts its players in again when nothing comes of their match: with the properties that the
  /// rules are about, because it is kept for as long as the match may be joined.
  func again(under rules: QueueStages) -> PlaceTicket {
    var operation = PlaceTicket()
    operation.queue = queue
    operation.playerGroup = playerGroup
    operation.players = players
    operation.criteria = criteria
    operation.criteria.numbers.removeAll { $0.name != rules.number }
    operation.criteria.words.removeAll { !rules.words.contains($0.name) }
    let regions = rules.hasLatency ? rules.definition.regions : []
    operation.criteria.latencies.removeAll { !regions.contains($0.region) }
    operation.arrival = arrival
    operation.createdAt = createdAt
    operation.expiresAt = expiresAt
    operation.absences = absences
    return operation
  }

  func info(_ state: TicketState) -> TicketInfo {
    var info = TicketInfo()
    info.ticket = key
    info.playerGroup = playerGroup
    info.state = state
    info.players = players
    info.createdAt = createdAt
    info.expiresAt = expiresAt
    return info
  }
}

/// A match that was found, until each of its players has confirmed it: nobody blocks another. Its
/// tickets wait meanwhile, are in no other match, and come back to their place in the line when
/// nothing comes of it.
struct ProposalRow: Row {
  static let tableID: UInt16 = 41
  static let tableName = "match_proposal"
  /// The context of the match.
  var key = ContextID()
  var queue = RoutingKey()
  /// The oldest first.
  var tickets: [MatchTicketID] = []
  /// The players who have not confirmed it yet.
  var awaited: [PlayerID] = []
  /// The name of the region.
  var region = ""
  /// Whether all have confirmed, and seats in a running match are asked for.
  var awaitsSeats = false

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("match", &key)
    visit.field("queue", &queue)
    visit.field("tickets", &tickets)
    visit.field("awaited", &awaited)
    visit.field("region", &region)
    visit.field("awaits_seats", &awaitsSeats)
  }
}

/// What a player may ask of one queue, when it is not all.
struct TicketBudgetRow: BudgetRow {
  static let tableID: UInt16 = 46
  static let tableName = "ticket_budget"
  var key = TicketBudgetKey()
  var fullAt: Int64 = 0
}

struct TicketBudgetKey: RowKey {
  var queue = RoutingKey()
  var player = PlayerID()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("queue", &queue)
    visit.field("player", &player)
  }
}

extension NumberSetting {
  static let matchTicketBurst = NumberSetting(
    "match-ticket-burst", .count, default: 30, 1...100_000,
    "Tickets that one player may ask for in one player group in a row.")
  static let matchTicketRefill = NumberSetting(
    "match-ticket-refill-seconds", .seconds, default: 2, 1...86_400,
    "How long after a burst a player may ask for one more ticket in a player group.")
}

/// A declaration of a queue: the newest, and older ones while tickets of theirs wait.
struct QueueRow: Row {
  static let tableID: UInt16 = 42
  static let tableName = "match_queue"
  var key = QueueVersionKey()
  var game = ""
  var definition = QueueDefinition()
  /// Whether the declaration before it was taken back: this one is what holds without any.
  var isTakenBack = false

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("definition", &definition)
    visit.field("is_taken_back", &isTakenBack)
  }
}

struct QueueVersionKey: RowKey {
  var queue = RoutingKey()
  /// Counts the declarations from 1; 0 is none.
  var version: UInt32 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("queue", &queue)
    visit.field("version", &version)
  }
}
