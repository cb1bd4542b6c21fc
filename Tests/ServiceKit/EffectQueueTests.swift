import Domain
import Testing
import Wire

@testable import ServiceKit

@Suite struct EffectQueueTests {
  private func row(_ sequence: UInt64, slot: UInt16 = 1, to key: UInt64 = 1) -> OutboxRow {
    var row = OutboxRow()
    row.key = OutboxKey(slot: slot, sequence: sequence)
    row.routingKey = RoutingKey(high: 0, low: key)
    return row
  }

  private func sent(_ queue: inout EffectQueue) -> [EffectQueue.Sending] {
    var all: [EffectQueue.Sending] = []
    while let next = queue.next() { all.append(next) }
    return all
  }

  private func sequences(_ queue: inout EffectQueue) -> [UInt64] {
    sent(&queue).map(\.row.key.sequence)
  }

  @Test("lanes take turns, and each effect follows the one before it between the same slots")
  func order() {
    var queue = EffectQueue()
    queue.add(row(1))
    queue.add(row(2, to: 2))
    queue.add(row(3))
    queue.add(row(4, slot: 2))
    let all = sent(&queue)
    #expect(all.map(\.row.key.sequence) == [1, 2, 4, 3])
    #expect(all.map(\.after) == [0, 0, 0, 1])
    #expect(sent(&queue).isEmpty && !queue.needsResume)
  }

  @Test("the window bounds what is under way, and confirmations open it from the front")
  func window() {
    var queue = EffectQueue()
    let count = UInt64(EffectQueue.windowMax) + 10
    for sequence in 1...count { queue.add(row(sequence)) }
    let first = sent(&queue)
    #expect(first.count == EffectQueue.windowMax)
    queue.confirm(first[4])
    #expect(sent(&queue).isEmpty && queue.count == Int(count))
    for sending in first[..<4] { queue.confirm(sending) }
    #expect(sequences(&queue) == Array(count - 9...count - 5))
    #expect(queue.count == Int(count) - 5)
  }

  @Test(
    "a passing failure repeats all that is unconfirmed of its lane, once, and not before resume")
  func repeats() {
    var queue = EffectQueue()
    for sequence in UInt64(1)...4 { queue.add(row(sequence)) }
    let first = sent(&queue)
    queue.confirm(first[1])
    queue.failed(first[0])
    queue.failed(first[2])
    queue.add(row(5))
    #expect(sent(&queue).isEmpty && queue.needsResume)
    queue.resume()
    #expect(!queue.needsResume)
    let second = sent(&queue)
    #expect(second.map(\.row.key.sequence) == [1, 3, 4, 5])
    #expect(second.map(\.after) == [0, 2, 3, 4])
    // An answer to the first sending means nothing any more.
    queue.failed(first[3])
    #expect(!queue.needsResume)
    queue.failed(second[0])
    #expect(queue.needsResume)
  }

  @Test("a late answer to an earlier sending confirms all the same")
  func late() {
    var queue = EffectQueue()
    for sequence in UInt64(1)...3 { queue.add(row(sequence)) }
    let first = sent(&queue)
    queue.failed(first[0])
    queue.resume()
    let second = sent(&queue)
    #expect(second.map(\.row.key.sequence) == [1, 2, 3])
    for sending in first[1...] + second { queue.confirm(sending) }
    #expect(queue.count == 0)
    queue.add(row(9))
    #expect(sent(&queue).map(\.after) == [0])
  }

  @Test("a lane that waits for a newer receiver is counted until that takes what has waited")
  func upgrade() {
    var queue = EffectQueue()
    for sequence in UInt64(1)...3 { queue.add(row(sequence)) }
    let first = sent(&queue)
    queue.failed(first[0])
    queue.resume()
    let second = sent(&queue)
    queue.confirm(second[0])
    queue.confirm(first[1])
    queue.failed(second[2], isUnknown: true)
    #expect(queue.upgradeLaneCount == 1)
    queue.confirm(second[1])
    #expect(queue.upgradeLaneCount == 1, "it was confirmed before")
    for _ in 1...EffectQueue.upgradeRounds { queue.resume() }
    let third = sent(&queue)
    #expect(third.map(\.row.key.sequence) == [3])
    for sending in third { queue.confirm(sending) }
    #expect(queue.upgradeLaneCount == 0 && queue.count == 0)
  }

  @Test("of a lane that waits for a newer receiver the front alone asks, until it is taken")
  func upgradeFront() {
    var queue = EffectQueue()
    let count: UInt64 = 300
    for sequence in 1...count { queue.add(row(sequence)) }
    for sending in sent(&queue) { queue.failed(sending, isUnknown: true) }
    for _ in 1...3 {
      for _ in 1...EffectQueue.upgradeRounds { queue.resume() }
      queue.add(row(1_000, to: 2))
      let again = sent(&queue)
      #expect(again.map(\.row.key.sequence) == [1, 1_000], "the other lane goes on")
      queue.failed(again[0], isUnknown: true)
      queue.confirm(again[1])
    }
    for _ in 1...EffectQueue.upgradeRounds { queue.resume() }
    for sending in sent(&queue) { queue.confirm(sending) }
    #expect(queue.upgradeLaneCount == 0)
    #expect(sequences(&queue) == Array(2...UInt64(EffectQueue.windowMax) + 1))
  }

  @Test("a lane waits twice as long after each failure, up to a bound, and others go on")
  func backoff() {
    var queue = EffectQueue()
    queue.add(row(1))
    var rounds: [Int] = []
    for number in UInt64(2)...7 {
      for sending in sent(&queue) { queue.failed(sending) }
      queue.add(row(number, to: 2))
      for sending in sent(&queue) { queue.confirm(sending) }
      #expect(queue.count == 1, "the other lane goes on")
      rounds.append(0)
      while queue.needsResume {
        queue.resume()
        rounds[rounds.count - 1] += 1
      }
    }
    #expect(rounds == [1, 2, 4, 8, 8, 8])
    for sending in sent(&queue) { queue.confirm(sending) }
    queue.add(row(8))
    for sending in sent(&queue) { queue.failed(sending) }
    queue.resume()
    #expect(!queue.needsResume, "what went through counts no failures")
  }

  @Test("when nothing but failures comes back, all wait for the next round")
  func holds() {
    var queue = EffectQueue()
    let count = UInt64(EffectQueue.windowMax) * 4
    for number in 1...count { queue.add(row(number, slot: UInt16(number))) }
    func failAll() -> Int {
      var failed = 0
      while let sending = queue.next() {
        queue.failed(sending)
        failed += 1
      }
      return failed
    }
    #expect(failAll() == EffectQueue.windowMax)
    queue.resume()
    #expect(failAll() == 1, "still the same: one is enough to tell")
    queue.resume()
    while let sending = queue.next() { queue.confirm(sending) }
    #expect(queue.count == 0 && !queue.needsResume)
  }

  @Test("the window is never passed, whatever fails and however late answers are")
  func windowHolds() {
    var random = RandomSource.seeded(3)
    var queue = EffectQueue()
    var open: [EffectQueue.Sending] = []
    var delivered: [UInt32: [UInt64]] = [:]
    let total: UInt64 = 5_000
    var number: UInt64 = 0
    while number < total || queue.count > 0 {
      if number < total {
        number += 1
        queue.add(row(number, slot: UInt16(number % 3), to: number % 40))
      }
      open += sent(&queue)
      #expect(open.count <= EffectQueue.windowMax)
      if open.isEmpty { queue.resume() }
      guard !open.isEmpty else { continue }
      let sending = open.remove(at: Int.random(in: 0..<open.count, using: &random))
      let lane = UInt32(sending.row.key.slot) << 16 | UInt32(Slot.of(sending.row.routingKey))
      let reached = delivered[lane]?.last ?? 0
      if reached < sending.after || Int.random(in: 0..<4, using: &random) == 0 {
        queue.failed(sending)
      } else {
        if reached < sending.row.key.sequence {
          delivered[lane, default: []].append(sending.row.key.sequence)
        }
        queue.confirm(sending)
      }
      if Int.random(in: 0..<20, using: &random) == 0 { queue.resume() }
    }
    #expect(delivered.values.reduce(0) { $0 + $1.count } == Int(total))
  }
}
