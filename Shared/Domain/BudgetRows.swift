public import Wire

/// A budget, of whatever its key names, that is not full. Each kind of budget has a table of its
/// own, which differs from the others in its key and its name.
public protocol BudgetRow: Row {
  var key: Key { get set }
  /// When it will be full, in milliseconds since 1970.
  var fullAt: Int64 { get set }
  /// The columns of a key of one part, and of `fullAt`. A table that is stored keeps their names.
  static var keyColumn: StaticString { get }
  static var fullAtColumn: StaticString { get }
}

extension BudgetRow {
  @inlinable public static var keyColumn: StaticString { "key" }
  @inlinable public static var fullAtColumn: StaticString { "fullAt" }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field(Self.keyColumn, &key)
    visit.field(Self.fullAtColumn, &fullAt)
  }

  @inlinable
  init(key: Key, fullAt: Int64) {
    self.init()
    self.key = key
    self.fullAt = fullAt
  }
}

extension BudgetRow where Key == PlayerID {
  @inlinable public static var keyColumn: StaticString { "player" }
}

/// The budgets of many keys, with a row for each that is not full.
///
/// Inlinable throughout, so that a core's module has code of its own for its rows.
public struct KeyedBudgetRows<R: BudgetRow> {
  @usableFromInline let isKept: Bool
  @usableFromInline var buckets: [R.Key: TokenBucket] = [:]
  /// The keys of all buckets, to be looked at in turn.
  @usableFromInline var sweeping = Queue<R.Key>()

  /// - Parameter isKept: false for budgets in memory alone, where a restart gives one more burst.
  @inlinable
  public init(isKept: Bool = true) { self.isKept = isKept }

  @inlinable
  public mutating func load(_ row: R) {
    buckets[row.key] = TokenBucket(fullAt: row.fullAt)
    sweeping.append(row.key)
  }

  /// Takes `count` pieces of a key's budget; or takes none and returns the milliseconds to wait.
  @inlinable
  public mutating func take(
    _ count: Int = 1, of key: R.Key, at rate: TokenBucket.Rate, _ transaction: inout Transaction
  ) -> UInt32? {
    let place = buckets.index(forKey: key)
    var bucket = place.map { buckets.values[$0] } ?? TokenBucket()
    if let wait = bucket.take(count, at: rate, now: transaction.now) { return wait }
    if let place {
      buckets.values[place] = bucket
    } else {
      buckets[key] = bucket
      sweeping.append(key)
    }
    if isKept { transaction.put(R(key: key, fullAt: bucket.fullAt)) }
    if place == nil { sweep(&transaction) }
    return nil
  }

  /// Returns the milliseconds until `count` pieces of a key's budget can be taken; nil when that is
  /// now.
  @inlinable
  public func wait(for count: Int = 1, of key: R.Key, at rate: TokenBucket.Rate, now: Int64)
    -> UInt32?
  {
    var bucket = buckets[key] ?? TokenBucket()
    return bucket.take(count, at: rate, now: now)
  }

  /// Forgets a budget whose key names an erased player.
  @inlinable
  public mutating func erase(_ key: R.Key, _ transaction: inout Transaction) {
    if buckets.removeValue(forKey: key) != nil, isKept { transaction.remove(R.self, key) }
  }

  /// Drops full ones among the next two buckets. Whenever one is added two are looked at, so that
  /// those that are full become no more than the others.
  @inlinable
  mutating func sweep(_ transaction: inout Transaction) {
    for _ in 0..<min(2, sweeping.count) {
      let key = sweeping.removeFirst()
      guard let bucket = buckets[key] else { continue }
      if !bucket.isFull(now: transaction.now) {
        sweeping.append(key)
      } else {
        buckets[key] = nil
        if isKept { transaction.remove(R.self, key) }
      }
    }
  }
}

extension SettingValues {
  /// The rate of a budget, from its two settings.
  public func rate(_ burst: NumberSetting, refill: NumberSetting) -> TokenBucket.Rate {
    TokenBucket.Rate(burst: self[burst], refillMilliseconds: self[refill])
  }
}
