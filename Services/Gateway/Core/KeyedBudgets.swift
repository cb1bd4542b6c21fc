public import Domain

/// A budget for each key, such as a host or a player; the number of budgets is bounded.
public struct KeyedBudgets<Key: Hashable> {
  private let rate: TokenBucket.Rate
  private let countMax: Int
  private var buckets: [Key: TokenBucket] = [:]

  public init(_ rate: TokenBucket.Rate, countMax: Int = GatewayLimits.budgetsMax) {
    self.rate = rate
    self.countMax = countMax
  }

  /// Takes pieces of a key's budget; when there are not enough, returns the milliseconds until
  /// there will be.
  public mutating func take(_ key: Key, _ count: Int = 1, now: UInt64) -> UInt32? {
    let now = Int64(now)
    if let index = buckets.index(forKey: key) {
      return buckets.values[index].take(count, at: rate, now: now)
    }
    if buckets.count >= countMax {
      // A full budget need not be remembered.
      buckets = buckets.filter { !$0.value.isFull(now: now) }
      // Every budget is in use, as in an attack from very many keys: a new key has to wait.
      if buckets.count >= countMax { return 1000 }
    }
    return buckets[key, default: TokenBucket()].take(count, at: rate, now: now)
  }
}

extension KeyedBudgets: Sendable where Key: Sendable {}

/// Finds the host in a peer's `host:port`. The port differs with each connection.
public enum PeerHost {
  public static func of(_ address: String) -> Substring {
    address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
  }
}

/// Counts the open connections of each host.
public struct HostConnections: Sendable {
  private let countMax: Int
  private var counts: [Substring: Int] = [:]

  public init(countMax: Int) { self.countMax = countMax }

  /// Counts a connection; false when its host has as many as it may.
  public mutating func open(_ address: String) -> Bool {
    let host = PeerHost.of(address)
    guard counts[host, default: 0] < countMax else { return false }
    counts[host, default: 0] += 1
    return true
  }

  public mutating func close(_ address: String) {
    let host = PeerHost.of(address)
    guard let count = counts[host] else { return }
    counts[host] = count > 1 ? count - 1 : nil
  }
}
