import Domain
import Wire

struct BudgetKey: RowKey {
  var player = PlayerID()
  /// A `Budgets.Kind`.
  var kind: UInt8 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("kind", &kind)
  }
}

/// A budget of a player that is not full.
struct PlayerBudgetRow: BudgetRow {
  static let tableID: UInt16 = 24
  static let tableName = "budget"
  var key = BudgetKey()
  var fullAt: Int64 = 0
}

struct ReceivedBudgetKey: RowKey {
  var player = PlayerID()
  /// Nil for all senders together.
  var sender = PlayerID()
  /// Empty for all games together that the player has never signed in to.
  var game = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("sender", &sender)
    visit.field("game", &game)
  }
}

/// A recipient's budget for requests of one game that is not full, for those of one sender or of
/// all: what keeps one friend, or one game, from using up what the recipient has for others.
struct ReceivedBudgetRow: BudgetRow {
  static let tableID: UInt16 = 38
  static let tableName = "received_budget"
  var key = ReceivedBudgetKey()
  var fullAt: Int64 = 0
}

/// What players may do many times in a row, and then at a steady rate.
struct Budgets {
  enum Kind: UInt8 {
    case invitations = 1
    case sentRequests
    // The numbers of kinds that are kept are in rows; 3 is in old stores.
    case hints = 4
    case photos = 16
    /// Hints about presence that a player gets: friends who come and go leave room for other hints.
    case presenceHints
    /// How often a player's friends are told.
    case toldPresence
    case consents = 32
    case inviteTokens
    case selections
  }

  private let rates: [Kind: TokenBucket.Rate]
  private var rows: KeyedBudgetRows<PlayerBudgetRow>

  /// - Parameter isKept: false for budgets in memory alone, where a restart gives one more burst.
  init(_ rates: [Kind: TokenBucket.Rate], isKept: Bool = true) {
    self.rates = rates
    rows = KeyedBudgetRows(isKept: isKept)
  }

  mutating func erase(_ key: BudgetKey, _ transaction: inout Transaction) {
    rows.erase(key, &transaction)
  }

  mutating func load(_ row: PlayerBudgetRow) { rows.load(row) }

  /// Returns the milliseconds to wait for `count` pieces of the player's budget; nil when they can
  /// be taken now.
  func wait(_ kind: Kind, for count: Int, of player: PlayerID, now: Int64) -> UInt32? {
    let key = BudgetKey(player: player, kind: kind.rawValue)
    return rows.wait(for: count, of: key, at: rate(kind), now: now)
  }

  private func rate(_ kind: Kind) -> TokenBucket.Rate {
    guard let rate = rates[kind] else { preconditionFailure("no budget of \(kind) is here") }
    return rate
  }

  /// Takes `count` pieces of the player's budget; or takes none and returns the milliseconds to
  /// wait.
  mutating func take(
    _ kind: Kind, count: Int = 1, of player: PlayerID, _ transaction: inout Transaction
  ) -> UInt32? {
    let key = BudgetKey(player: player, kind: kind.rawValue)
    return rows.take(count, of: key, at: rate(kind), &transaction)
  }
}
