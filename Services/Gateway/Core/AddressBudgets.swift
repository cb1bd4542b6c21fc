/// Sign-in budgets by host, bounded in number.
public struct AddressBudgets {
  private let perMinute: Double
  private var buckets: [Substring: TokenBucket] = [:]

  public init(perMinute: Double) { self.perMinute = perMinute }

  /// Takes one sign-in; when there is none, the milliseconds until there will be.
  ///
  /// - Parameter address: `host:port`. The port is another one with each connection and counts
  ///   for nothing.
  public mutating func take(_ address: String, now: UInt64) -> UInt64? {
    let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
    if buckets[host] == nil, buckets.count >= GatewayLimits.addressesMax {
      buckets = buckets.filter { !$0.value.isFull(now: now) }
      // All are in use: an attack from very many addresses. New ones wait their turn.
      if buckets.count >= GatewayLimits.addressesMax { return 1000 }
    }
    let fresh = TokenBucket(perSecond: perMinute / 60, burst: perMinute, now: now)
    return buckets[host, default: fresh].take(now: now)
  }
}
