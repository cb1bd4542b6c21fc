import Domain
import Wire

/// A budget of `burst` pieces in a row, one more every `refillMilliseconds`. The whole state is the
/// time at which the bucket will be full again.
struct TokenBucket: Equatable {
  private(set) var fullAt: Int64 = 0

  /// Takes `count` pieces; or takes none and gives the milliseconds until there are enough.
  mutating func take(_ count: Int, burst: Int64, refillMilliseconds: Int64, now: Int64)
    -> UInt32?
  {
    let fullAfter = max(fullAt, now) + Int64(count) * refillMilliseconds
    let over = fullAfter - now - burst * refillMilliseconds
    if over > 0 { return UInt32(clamping: over) }
    fullAt = fullAfter
    return nil
  }
}

/// A budget for each player. It is not kept over a restart, which costs at most one more burst:
/// a budget guards against floods, it does not count what was bought.
struct Budgets {
  private let burst: Int64
  private let refillMilliseconds: Int64
  private var buckets: [PlayerID: TokenBucket] = [:]
  /// The players that have buckets, to be looked at in turn.
  private var sweeping = Queue<PlayerID>()

  init(burst: Int64, refillMilliseconds: Int64) {
    self.burst = burst
    self.refillMilliseconds = refillMilliseconds
  }

  /// Takes `count` pieces of the player's budget; or takes none and gives the milliseconds to wait.
  mutating func take(_ count: Int, of player: PlayerID, now: Int64) -> UInt32? {
    sweep(now: now)
    if buckets[player] == nil { sweeping.append(player) }
    return buckets[player, default: TokenBucket()].take(
      count, burst: burst, refillMilliseconds: refillMilliseconds, now: now)
  }

  /// Drops full ones among the next two buckets: so the looking keeps up with what is added.
  private mutating func sweep(now: Int64) {
    for _ in 0..<min(2, sweeping.count) {
      let player = sweeping.removeFirst()
      if let bucket = buckets[player], bucket.fullAt > now {
        sweeping.append(player)
      } else {
        buckets[player] = nil
      }
    }
  }
}
