import Domain
import Wire

/// A budget for each player. It is not kept over a restart, which costs at most one more burst:
/// a budget guards against floods, it does not count what was bought.
struct Budgets {
  private let rate: TokenBucket.Rate
  private var buckets: [PlayerID: TokenBucket] = [:]
  /// The players that have buckets, to be looked at in turn.
  private var sweeping = Queue<PlayerID>()

  init(burst: Int64, refillMilliseconds: Int64) {
    rate = TokenBucket.Rate(burst: burst, refillMilliseconds: refillMilliseconds)
  }

  /// Takes `count` pieces of the player's budget; or takes none and gives the milliseconds to wait.
  mutating func take(_ count: Int, of player: PlayerID, now: Int64) -> UInt32? {
    sweep(now: now)
    if buckets[player] == nil { sweeping.append(player) }
    return buckets[player, default: TokenBucket()].take(count, at: rate, now: now)
  }

  /// Drops full ones among the next two buckets: so the looking keeps up with what is added.
  private mutating func sweep(now: Int64) {
    for _ in 0..<min(2, sweeping.count) {
      let player = sweeping.removeFirst()
      if let bucket = buckets[player], !bucket.isFull(now: now) {
        sweeping.append(player)
      } else {
        buckets[player] = nil
      }
    }
  }
}
