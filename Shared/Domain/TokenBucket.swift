/// A budget that refills at a steady rate. The whole state is the time at which it will be full
/// again, so that one that is full need not be kept.
public struct TokenBucket: Equatable, Sendable {
  /// How much a budget holds and how fast it refills.
  public struct Rate: Equatable, Sendable {
    /// Pieces that may be taken in a row.
    public let burst: Double
    /// Milliseconds until there is one piece more; a fraction where there are several in each.
    public let refillMilliseconds: Double

    public init(burst: Double, refillMilliseconds: Double) {
      self.burst = burst
      self.refillMilliseconds = refillMilliseconds
    }

    public init(burst: Int64, refillMilliseconds: Int64) {
      self.init(burst: Double(burst), refillMilliseconds: Double(refillMilliseconds))
    }

    /// So much each second, and twice as much in a row.
    public init(perSecond: Double) {
      self.init(burst: perSecond * 2, refillMilliseconds: 1000 / perSecond)
    }
  }

  /// In milliseconds of the caller's clock. A double holds those since 1970, and the fractions of a
  /// fast budget besides.
  private var fullTime = 0.0

  public init() {}

  /// A budget that was kept: see `fullAt`.
  public init(fullAt: Int64) { fullTime = Double(fullAt) }

  /// When the budget will be full again, in whole milliseconds of the caller's clock.
  public var fullAt: Int64 { Int64(fullTime.rounded(.up)) }

  /// Takes `count` pieces; or takes none and returns the milliseconds until there are enough.
  ///
  /// - Parameter debtMax: the most that is owed by `charge`.
  public mutating func take(
    _ count: Int = 1, at rate: Rate, now: Int64, debtMax: Double = 0
  ) -> UInt32? {
    let now = Double(now)
    let whole = rate.burst * rate.refillMilliseconds
    let most = whole + debtMax * rate.refillMilliseconds
    // One that was kept may be of a time when the budget was larger.
    let fullAfter = max(min(fullTime, now + most), now) + Double(count) * rate.refillMilliseconds
    let over = fullAfter - now - whole
    if over > 0 { return UInt32(clamping: Int64(over.rounded(.up))) }
    fullTime = fullAfter
    return nil
  }

  /// Takes `count` pieces, also where there are not enough; returns the milliseconds until nothing
  /// is owed, where something is.
  ///
  /// - Parameter debtMax: of the pieces that are missing; more is forgiven.
  public mutating func charge(_ count: Int, at rate: Rate, now: Int64, debtMax: Double) -> UInt32? {
    let now = Double(now)
    let whole = rate.burst * rate.refillMilliseconds
    let most = whole + debtMax * rate.refillMilliseconds
    fullTime = min(max(fullTime, now) + Double(count) * rate.refillMilliseconds, now + most)
    let over = fullTime - now - whole
    return over > 0 ? UInt32(clamping: Int64(over.rounded(.up))) : nil
  }

  /// True when nothing changes if the budget is forgotten.
  public func isFull(now: Int64) -> Bool { fullTime <= Double(now) }
}
