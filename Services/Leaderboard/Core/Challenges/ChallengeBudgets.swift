package import Domain
import Operations
import Wire

extension NumberSetting {
  /// At least one challenge to the most receivers of a call.
  package static let challengeBurst = NumberSetting(
    "challenge-burst", .count, default: 200,
    LeaderboardLimits.challengeReceiverCountMax...1_000_000,
    "Challenges that one player may issue in a row on one board, or to one player to earn "
      + "achievements.")
  package static let challengeRefill = NumberSetting(
    "challenge-refill-seconds", .seconds, default: 10, 1...86_400,
    "How long after a burst of challenges their issuer may issue one more there.")
}

struct ChallengeBudgetKey: RowKey {
  /// The board, or for challenges to earn achievements their receiver.
  var owner = RoutingKey()
  var issuer = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("owner", &owner)
    visit.field("issuer", &issuer)
  }
}

/// An issuer's budget that is not full.
struct ChallengeBudgetRow: BudgetRow {
  static let tableID: UInt16 = 66
  static let tableName = "challenge_budget"
  var key = ChallengeBudgetKey()
  var fullAt: Int64 = 0
}

/// How many challenges each player may issue at a key that owns some: ended ones make room for
/// others, and each is an event for its receiver.
final class ChallengeBudgets: CorePart {
  private let rate: TokenBucket.Rate
  private var budgets = KeyedBudgetRows<ChallengeBudgetRow>()

  init(_ settings: SettingValues) {
    rate = settings.rate(.challengeBurst, refill: .challengeRefill)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ChallengeBudgetRow.self) { self.budgets.load($0) }
  }

  func forget(_ key: ChallengeBudgetKey, _ transaction: inout Transaction) {
    budgets.erase(key, &transaction)
  }

  /// Takes so many challenges of an issuer's budget, or none and refuses the call. Nothing may be
  /// refused afterwards.
  func take(
    _ count: Int, of issuer: PlayerID, at owner: RoutingKey, _ transaction: inout Transaction
  ) throws(Stop) {
    if count == 0 { return }
    let key = ChallengeBudgetKey(owner: owner, issuer: issuer)
    if let wait = budgets.take(count, of: key, at: rate, &transaction) {
      throw .rateLimited("You have issued many challenges.", wait)
    }
  }
}
