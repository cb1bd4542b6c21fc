package import Domain
import Wire

/// The effects for one process: which are to be sent, which are under way. `EffectDispatcher` does
/// what this decides.
///
/// Effects between the same two slots form a lane. A lane's effects go out in the order in which
/// they were added, and each names the one before it, so that the receiver keeps their order
/// whatever happens on the way. Lanes take turns, with up to `windowMax` effects under way in all.
///
/// When one fails for a passing reason, its lane waits, longer each time, and goes again from its
/// front: the receiver knows which it has. The other lanes go on meanwhile. Only when nothing but
/// failures comes back, as from a process that cannot be reached, do all wait for the next round.
package struct EffectQueue {
  /// Effects under way: enough to fill the pipe, few enough to repeat.
  package static let windowMax = 256
  /// The longest wait of a lane, in rounds, so that no effect is late for long once what refused it
  /// has passed.
  package static let waitRoundsMax = 8
  /// The wait of a lane with an effect that the receiver does not know, in rounds: it takes longer
  /// until an older process is replaced, and an answer of every lane in every round would be work
  /// for nothing.
  package static let upgradeRounds = 10

  package struct Sending: Equatable {
    package var row: OutboxRow
    /// The sequence of the effect before it between the same two slots; 0 for none.
    package var after: UInt64
    /// Which repetition of its lane it belongs to, for `failed`.
    package var attempt: Int
  }

  private var lanes: [UInt32: EffectLane] = [:]
  /// Lanes that have something to send, in the order of their turns.
  private var turns = Queue<UInt32>()
  /// Lanes that failed, and the round in which each goes again.
  private var waiting: [(pair: UInt32, round: Int)] = []
  private var round = 0
  private var attempts = 0
  private var underWay = 0
  private var failuresInARow = 0
  private var isHeld = false
  package private(set) var count = 0
  /// Lanes that failed last since the receiver does not know an effect of them.
  package private(set) var upgradeLaneCount = 0

  package init() {}

  /// True while some lane waits for a later round, so that `resume` has to be called after a while.
  package var needsResume: Bool { !waiting.isEmpty }

  package mutating func add(_ row: OutboxRow) {
    let pair = Self.pair(row)
    lanes[pair, default: EffectLane(attempt: attempts)].add(row)
    count += 1
    takeTurn(pair)
  }

  /// The next effect to send; nil when there is none, the window is full, or all wait for `resume`.
  package mutating func next() -> Sending? {
    while !isHeld && underWay < Self.windowMax && !turns.isEmpty {
      let pair = turns.removeFirst()
      lanes[pair]?.isInTurn = false
      guard let sending = lanes[pair]?.next() else { continue }
      underWay += 1
      takeTurn(pair)
      return sending
    }
    return nil
  }

  /// Notes that an effect was applied or refused for good. It may have been noted before.
  package mutating func confirm(_ sending: Sending) {
    isAnswered()
    failuresInARow = 0
    isHeld = false
    let pair = Self.pair(sending.row)
    let waited = lanes[pair]?.waitsForUpgrade == true
    count -= lanes[pair]?.confirm(sending.row.key) ?? 0
    if waited && lanes[pair]?.waitsForUpgrade == false { upgradeLaneCount -= 1 }
    if lanes[pair]?.isEmpty == true { lanes[pair] = nil }
    precondition(!lanes.isEmpty || count == 0, "no lane is left for \(count) open effects")
    takeTurn(pair)
  }

  /// Notes that a sending failed for a passing reason: its lane goes again in a later round, unless
  /// an earlier failure has arranged that.
  ///
  /// - Parameter isUnknown: the receiver does not know the effect, since it is of an older version.
  package mutating func failed(_ sending: Sending, isUnknown: Bool = false) {
    isAnswered()
    let pair = Self.pair(sending.row)
    guard var lane = lanes[pair], lane.attempt == sending.attempt else { return }
    attempts += 1
    if lane.waitsForUpgrade { upgradeLaneCount -= 1 }
    if isUnknown { upgradeLaneCount += 1 }
    let rounds = lane.fail(attempt: attempts, isUnknown: isUnknown)
    lanes[pair] = lane
    waiting.append((pair, round + rounds))
    failuresInARow += 1
    if failuresInARow >= Self.windowMax { isHeld = true }
  }

  /// Begins the next round.
  package mutating func resume() {
    round += 1
    isHeld = false
    let due = waiting.filter { $0.round <= round }
    waiting.removeAll { $0.round <= round }
    for (pair, _) in due {
      lanes[pair]?.isWaiting = false
      takeTurn(pair)
    }
  }

  private mutating func isAnswered() {
    precondition(underWay > 0, "an effect is answered twice, or was not sent")
    underWay -= 1
  }

  private mutating func takeTurn(_ pair: UInt32) {
    guard let lane = lanes[pair], !lane.isInTurn && lane.maySend else { return }
    lanes[pair]?.isInTurn = true
    turns.append(pair)
  }

  private static func pair(_ row: OutboxRow) -> UInt32 {
    UInt32(row.key.slot) << 16 | UInt32(Slot.of(row.routingKey))
  }
}
