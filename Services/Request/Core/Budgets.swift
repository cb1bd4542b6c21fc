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

/// One kind of budget, for each player.
struct Budgets {
  enum Kind: UInt8 {
    case invitations = 1
    case sentRequests
    case receivedRequests
    /// In memory alone: a restart gives one more burst of what is lost anyway where nobody hears it.
    case hints
  }

  private let kind: Kind
  private let rate: TokenBucket.Rate
  private var buckets: [PlayerID: TokenBucket] = [:]
  /// The players that have buckets, to be looked at in turn.
  private var sweeping = Queue<PlayerID>()

  init(_ kind: Kind, burst: Int64, refillMilliseconds: Int64) {
    self.kind = kind
    rate = TokenBucket.Rate(burst: burst, refillMilliseconds: refillMilliseconds)
  }

  /// Takes the rows of this kind at the start; leaves the others alone.
  mutating func load(_ row: BudgetRow) {
    if row.key.kind != kind.rawValue { return }
    buckets[row.key.player] = TokenBucket(fullAt: row.fullAt)
    sweeping.append(row.key.player)
  }

  /// Takes `count` pieces of the player's budget; or takes none and returns the milliseconds to wait.
  mutating func take(_ count: Int, of player: PlayerID, _ transaction: inout Transaction) -> UInt32?
  {
    var bucket = buckets[player] ?? TokenBucket()
    if let wait = bucket.take(count, at: rate, now: transaction.now) { return wait }
    if buckets.updateValue(bucket, forKey: player) == nil { sweeping.append(player) }
    if kind != .hints {
      transaction.put(
        BudgetRow(key: BudgetKey(player: player, kind: kind.rawValue), fullAt: bucket.fullAt))
    }
    sweep(&transaction)
    return nil
  }

  /// Drops full ones among the next two buckets, so that the looking keeps up with what is added.
  private mutating func sweep(_ transaction: inout Transaction) {
    for _ in 0..<min(2, sweeping.count) {
      let player = sweeping.removeFirst()
      if let bucket = buckets[player], !bucket.isFull(now: transaction.now) {
        sweeping.append(player)
      } else {
        buckets[player] = nil
        if kind == .hints { continue }
        transaction.remove(BudgetRow.self, BudgetKey(player: player, kind: kind.rawValue))
      }
    }
  }
}
