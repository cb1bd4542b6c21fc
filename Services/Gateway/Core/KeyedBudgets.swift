public import Domain

/// A budget for each key, such as a player; the number of budgets is bounded.
public struct KeyedBudgets<Key: Hashable> {
  private let rate: TokenBucket.Rate
  private let countMax: Int
  private var budgets: [(key: Key, bucket: TokenBucket)] = []
  private var places: [Key: Int] = [:]
  private var search = RoomSearch()

  public init(_ rate: TokenBucket.Rate, countMax: Int = GatewayLimits.budgetsMax) {
    self.rate = rate
    self.countMax = countMax
  }

  /// Takes pieces of a key's budget; when there are not enough, returns the milliseconds until
  /// there will be.
  ///
  /// - Parameter place: where the budget was the last time, so that it is found without hashing; or
  ///   any other.
  public mutating func take(_ key: Key, _ count: Int = 1, now: UInt64, at place: inout Int)
    -> UInt32?
  {
    guard look(for: key, now: now, at: &place) else { return RoomSearch.fullMilliseconds }
    return budgets[place].bucket.take(count, at: rate, now: Int64(now), debtMax: rate.burst)
  }

  /// Takes pieces also where there are not enough, and returns the milliseconds until nothing is
  /// owed. A key owes as much as its budget holds at most.
  public mutating func charge(_ key: Key, _ count: Int, now: UInt64, at place: inout Int)
    -> UInt32?
  {
    guard look(for: key, now: now, at: &place) else { return RoomSearch.fullMilliseconds }
    return budgets[place].bucket.charge(count, at: rate, now: Int64(now), debtMax: rate.burst)
  }

  /// Finds the place of a key's budget, or makes one; false where there is no room.
  private mutating func look(for key: Key, now: UInt64, at place: inout Int) -> Bool {
    if budgets.indices.contains(place), budgets[place].key == key { return true }
    guard let found = find(key, now: now) else { return false }
    place = found
    return true
  }

  private mutating func find(_ key: Key, now: UInt64) -> Int? {
    if let place = places[key] { return place }
    if budgets.count >= countMax {
      guard search.begins(now: now) else { return nil }
      // A full budget need not be remembered.
      budgets.removeAll { $0.bucket.isFull(now: Int64(now)) }
      if budgets.count >= countMax { return nil }
      places.removeAll(keepingCapacity: true)
      for (place, budget) in budgets.enumerated() { places[budget.key] = place }
    }
    places[key] = budgets.count
    budgets.append((key, TokenBucket()))
    return budgets.count - 1
  }
}

extension KeyedBudgets: Sendable where Key: Sendable {}
