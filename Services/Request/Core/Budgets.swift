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
struct BudgetRow: Row {
  static let tableID: UInt16 = 24
  static let tableName = "budget"
  var key = BudgetKey()
  /// When it will be full, in milliseconds since 1970.
  var fullAt: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("fullAt", &fullAt)
  }
}

/// What players may do many times in a row, and then at a steady rate.
struct Budgets {
  enum Kind: UInt8 {
    case invitations = 1
    case sentRequests
    case receivedRequests
    case hints
  }

  private let rates: [Kind: TokenBucket.Rate]
  private let isKept: Bool
  private var buckets: [BudgetKey: TokenBucket] = [:]
  /// The keys of all buckets, to be looked at in turn.
  private var sweeping = Queue<BudgetKey>()

  /// - Parameter isKept: false for budgets in memory alone, where a restart gives one more burst.
  init(_ rates: [Kind: TokenBucket.Rate], isKept: Bool = true) {
    self.rates = rates
    self.isKept = isKept
  }

  mutating func load(_ row: BudgetRow) {
    buckets[row.key] = TokenBucket(fullAt: row.fullAt)
    sweeping.append(row.key)
  }

  /// Takes `count` pieces of the player's budget; or takes none and returns the milliseconds to
  /// wait.
  mutating func take(
    _ kind: Kind, count: Int = 1, of player: PlayerID, _ transaction: inout Transaction
  ) -> UInt32? {
    guard let rate = rates[kind] else { preconditionFailure("no budget of \(kind) is here") }
    let key = BudgetKey(player: player, kind: kind.rawValue)
    var bucket = buckets[key] ?? TokenBucket()
    if let wait = bucket.take(count, at: rate, now: transaction.now) { return wait }
    if buckets.updateValue(bucket, forKey: key) == nil { sweeping.append(key) }
    if isKept { transaction.put(BudgetRow(key: key, fullAt: bucket.fullAt)) }
    sweep(&transaction)
    return nil
  }

  /// Drops full ones among the next two buckets, so that the looking keeps up with what is added.
  private mutating func sweep(_ transaction: inout Transaction) {
    for _ in 0..<min(2, sweeping.count) {
      let key = sweeping.removeFirst()
      if let bucket = buckets[key], !bucket.isFull(now: transaction.now) {
        sweeping.append(key)
      } else {
        buckets[key] = nil
        if isKept { transaction.remove(BudgetRow.self, key) }
      }
    }
  }
}

extension SettingValues {
  func rate(_ burst: NumberSetting, refill: NumberSetting) -> TokenBucket.Rate {
    TokenBucket.Rate(burst: self[burst], refillMilliseconds: self[refill])
  }
}
