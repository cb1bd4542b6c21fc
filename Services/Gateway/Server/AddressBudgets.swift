import GatewayCore

/// Sign-in budgets by address, bounded in number.
struct AddressBudgets {
  private let perMinute: Double
  private var buckets: [String: TokenBucket] = [:]

  init(perMinute: Double) { self.perMinute = perMinute }

  mutating func take(_ address: String, now: UInt64) -> UInt64? {
    if buckets[address] == nil, buckets.count >= GatewayLimits.addressesMax {
      buckets = buckets.filter { !$0.value.isFull(now: now) }
      // All are in use: an attack from very many addresses. New ones wait their turn.
      if buckets.count >= GatewayLimits.addressesMax { return 1000 }
    }
    let fresh = TokenBucket(perSecond: perMinute / 60, burst: perMinute, now: now)
    return buckets[address, default: fresh].take(now: now)
  }
}
