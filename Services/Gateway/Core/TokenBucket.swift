/// A budget that refills at a steady rate up to a burst.
public struct TokenBucket: Sendable, Equatable {
  public let perSecond: Double
  public let burst: Double
  private var tokens: Double
  private var lastMilliseconds: UInt64

  public init(perSecond: Double, burst: Double, now: UInt64) {
    self.perSecond = perSecond
    self.burst = burst
    tokens = burst
    lastMilliseconds = now
  }

  /// Takes one token; when there is none, the milliseconds until there will be.
  public mutating func take(now: UInt64) -> UInt64? {
    let elapsed = Double(now - min(now, lastMilliseconds)) / 1000
    lastMilliseconds = max(now, lastMilliseconds)
    tokens = min(burst, tokens + elapsed * perSecond)
    if tokens >= 1 {
      tokens -= 1
      return nil
    }
    return UInt64(((1 - tokens) / perSecond * 1000).rounded(.up))
  }

  /// True when it has refilled: forgetting it changes nothing.
  public func isFull(now: UInt64) -> Bool {
    tokens + Double(now - min(now, lastMilliseconds)) / 1000 * perSecond >= burst
  }
}
