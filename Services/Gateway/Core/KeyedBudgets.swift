public import Domain

/// Budgets by whoever uses them up (a host, a player), bounded in number.
public struct KeyedBudgets<Key: Hashable> {
  private let rate: TokenBucket.Rate
  private let countMax: Int
  private var buckets: [Key: TokenBucket] = [:]

  public init(_ rate: TokenBucket.Rate, countMax: Int = GatewayLimits.budgetsMax) {
    self.rate = rate
    self.countMax = countMax
  }

  /// Takes one from a key's budget; when there is none, the milliseconds until there will be.
  public mutating func take(_ key: Key, now: UInt64) -> UInt32? {
    let now = Int64(now)
    if let index = buckets.index(forKey: key) {
      return buckets.values[index].take(at: rate, now: now)
    }
    if buckets.count >= countMax {
      // What has refilled need not be remembered.
      buckets = buckets.filter { !$0.value.isFull(now: now) }
      // All are in use: an attack from very many keys. New ones wait their turn.
      if buckets.count >= countMax { return 1000 }
    }
    return buckets[key, default: TokenBucket()].take(at: rate, now: now)
  }
}

extension KeyedBudgets: Sendable where Key: Sendable {}

/// The host of a peer's `host:port`; the port is another one with each connection.
public enum PeerHost {
  public static func of(_ address: String) -> Substring {
    address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
  }
}

/// How many connections each host has open.
public struct HostConnections: Sendable {
  private let countMax: Int
  private var counts: [Substring: Int] = [:]

  public init(countMax: Int) { self.countMax = countMax }

  /// False when the host has as many as it may.
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
