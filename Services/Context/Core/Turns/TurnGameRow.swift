import Domain
import Operations
import Wire

/// The last turn-based game of a context: what its rules decide by. States and moves are cold rows.
struct TurnGameRow: Row {
  static let tableID: UInt16 = 32
  static let tableName = "turn_game"
  var key = ContextID()
  var game = ""
  var number: UInt32 = 0
  var version: UInt64 = 0
  var phase = TurnPhase()
  var options = TurnOptions()
  var seats: [TurnSeatRow] = []
  /// Seats: who has the turn, and who gets it after that. Empty with sealed rounds.
  var queue: [UInt8] = []
  var round: UInt32 = 0
  var moveCount: UInt32 = 0
  /// Numbers the turns, so that a timer of an earlier one does nothing.
  var turn: UInt64 = 0
  var turnStartedAt: Int64 = 0
  /// Milliseconds of this turn that were over when a pause ended.
  var spent: Int64 = 0
  /// Turns in a row that ended because their time was up.
  var timeoutsInRow: UInt32 = 0
  var startedAt: Int64 = 0
  var endedAt: Int64 = 0
  /// The version that the public state is stored under; 0 for none.
  var stateVersion: UInt64 = 0
  /// The version at which the position last became part of the history: states of later versions
  /// are needed by nothing else than the game as it is.
  var positionedAt: UInt64 = 0
  /// The large states and the hidden ones, which are not kept for good: first those that were
  /// superseded, in that order.
  var passingStates: [TurnStatePlace] = []
  var proposal: TurnProposal?
  var proposalCount: UInt32 = 0
  var exchanges: [TurnExchangeRow] = []
  var exchangeCount: UInt32 = 0
  var spectators: [PlayerID] = []
  var remindedAt: Int64 = 0
  /// Contexts to which moves are being copied.
  var forks: [TurnForkPlace] = []
  /// Of players of the context, those that are not full.
  var budgets: [TurnBudget] = []
  /// The move at which the game was forked from another one: the states before are not here.
  var forkedAt: UInt32 = 0
  /// Games up to this number are being removed.
  var sweptThrough: UInt32 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &key)
    visit.field("game", &game)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("phase", &phase)
    visit.field("options", &options)
    visit.field("seats", &seats)
    visit.field("queue", &queue)
    visit.field("round", &round)
    visit.field("move_count", &moveCount)
    visit.field("turn", &turn)
    visit.field("turn_started_at", &turnStartedAt)
    visit.field("spent", &spent)
    visit.field("timeouts_in_row", &timeoutsInRow)
    visit.field("started_at", &startedAt)
    visit.field("ended_at", &endedAt)
    visit.field("state_version", &stateVersion)
    visit.field("positioned_at", &positionedAt)
    visit.field("passing_states", &passingStates)
    visit.field("proposal", &proposal)
    visit.field("proposal_count", &proposalCount)
    visit.field("exchanges", &exchanges)
    visit.field("exchange_count", &exchangeCount)
    visit.field("spectators", &spectators)
    visit.field("reminded_at", &remindedAt)
    visit.field("forks", &forks)
    visit.field("budgets", &budgets)
    visit.field("forked_at", &forkedAt)
    visit.field("swept_through", &sweptThrough)
  }
}

/// One seat.
struct TurnSeatRow: Message, Hashable {
  var player = PlayerID()
  var state = TurnSeatState()
  var outcome = TurnOutcome()
  /// What is left of the player's clock when the turn begins.
  var clock: Int64 = 0
  /// The version that the hidden state is stored under; 0 for none.
  var hiddenVersion: UInt64 = 0
  var hasSealed = false
  var hasLines = false
  /// Where the game stands in the player's list, since when, and whether as an invitation.
  var listState = TurnListState()
  var listSince: Int64 = 0
  var isListedAsInvited = false

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("outcome", &outcome)
    visit.field("clock", &clock)
    visit.field("hidden_version", &hiddenVersion)
    visit.field("has_sealed", &hasSealed)
    visit.field("has_lines", &hasLines)
    visit.field("list_state", &listState)
    visit.field("list_since", &listSince)
    visit.field("is_listed_as_invited", &isListedAsInvited)
  }
}

/// An exchange, but for what is said in it.
struct TurnExchangeRow: Message, Hashable {
  var id: UInt32 = 0
  var seat: UInt8 = 0
  var receivers: [UInt8] = []
  var answered: [UInt8] = []
  var isComplete = false
  var lifetime: Int64 = 0
  var dueAt: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("id", &id)
    visit.field("seat", &seat)
    visit.field("receivers", &receivers)
    visit.field("answered", &answered)
    visit.field("is_complete", &isComplete)
    visit.field("lifetime", &lifetime)
    visit.field("due_at", &dueAt)
  }
}

/// A fork whose moves are being copied, and the game that they are of.
struct TurnForkPlace: Message, Hashable {
  var context = ContextID()
  var number: UInt32 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
  }
}

/// Which state: the public one, or the hidden one of a seat, as a version left it.
struct TurnStatePlace: Message, Hashable {
  static let publicSeat = UInt8.max
  static var isFrozen: Bool { true }
  var version: UInt64 = 0
  var seat = TurnStatePlace.publicSeat

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("version", &version)
    visit.field("seat", &seat)
  }
}
