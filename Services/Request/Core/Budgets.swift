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

struct SenderBudgetKey: RowKey {
  var player = PlayerID()
  var sender = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("sender", &sender)
  }
}

/// A recipient's budget for one sender's requests that is not full: what keeps one friend from
/// using up what the recipient has for all.
struct SenderBudgetRow: BudgetRow {
  static let tableID: UInt16 = 38
  static let tableName = "sender_budget"
  var key = SenderBudgetKey()
  var fullAt: Int64 = 0
}

/// What players may do many times in a row, and then at a steady rate.
struct Budgets {
  enum Kind: UInt8 {
    case invitations = 1
    case sentRequests
    case receivedRequests
    case hints
    case photos = 16
    case consents = 32
    case inviteTokens
  }

  private let rates: [Kind: TokenBucket.Rate]
  private var rows: KeyedBudgetRows<PlayerBudgetRow>

  /// - Parameter isKept: false for budgets in memory alone, where a restart gives one more burst.
  init(_ rates: [Kind: TokenBucket.Rate], isKept: Bool = true) {
    self.rates = rates
    rows = KeyedBudgetRows(isKept: isKept)
  }

  mutating func load(_ row: PlayerBudgetRow) { rows.load(row) }

  /// Takes `count` pieces of the player's budget; or takes none and returns the milliseconds to
  /// wait.
  mutating func take(
    _ kind: Kind, count: Int = 1, of player: PlayerID, _ transaction: inout Transaction
  ) -> UInt32? {
    guard let rate = rates[kind] else { preconditionFailure("no budget of \(kind) is here") }
    let key = BudgetKey(player: player, kind: kind.rawValue)
    return rows.take(count, of: key, at: rate, &transaction)
  }
}
