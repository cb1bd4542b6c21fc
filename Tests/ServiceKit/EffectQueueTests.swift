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

  @Test("effects go in order, each after the one before it between the same slots")
  func order() {
    var queue = EffectQueue()
    queue.add(row(1))
    queue.add(row(2, to: 2))
    queue.add(row(3))
    queue.add(row(4, slot: 2))
    let all = sent(&queue)
    #expect(all.map(\.row.key.sequence) == [1, 2, 3, 4])
    #expect(all.map(\.after) == [0, 0, 1, 0])
    #expect(sent(&queue).isEmpty)
  }

  @Test("the window bounds what is under way, and confirmations open it from the front")
  func window() {
    var queue = EffectQueue()
    let count = UInt64(EffectQueue.windowMax) + 10
    for sequence in 1...count { queue.add(row(sequence)) }
    #expect(sent(&queue).count == EffectQueue.windowMax)
    queue.confirm(row(5).key)
    #expect(sent(&queue).isEmpty && queue.count == Int(count))
    for sequence in UInt64(1)...4 { queue.confirm(row(sequence).key) }
    #expect(sent(&queue).map(\.row.key.sequence) == Array(count - 9...count - 5))
    #expect(queue.count == Int(count) - 5)
  }

  @Test("a passing failure repeats all that is unconfirmed, once, and not before resume")
  func repeats() {
    var queue = EffectQueue()
    for sequence in UInt64(1)...4 { queue.add(row(sequence)) }
    let first = sent(&queue)
    queue.confirm(first[1].row.key)
    #expect([0, 2].map { queue.failed(first[$0]) } == [true, false])
    queue.add(row(5))
    #expect(sent(&queue).isEmpty)
    queue.resume()
    let second = sent(&queue)
    #expect(second.map(\.row.key.sequence) == [1, 3, 4, 5])
    #expect(second.map(\.after) == [0, 2, 3, 4])
    // An answer to the first sending means nothing any more.
    #expect([first[3], second[0]].map { queue.failed($0) } == [false, true])
  }

  @Test("a late answer to an earlier sending confirms all the same, and twice is harmless")
  func late() {
    var queue = EffectQueue()
    for sequence in UInt64(1)...3 { queue.add(row(sequence)) }
    let first = sent(&queue)
    _ = queue.failed(first[0])
    queue.confirm(first[0].row.key)
    queue.confirm(first[0].row.key)
    queue.resume()
    #expect(sent(&queue).map(\.row.key.sequence) == [2, 3])
    for sending in first { queue.confirm(sending.row.key) }
    #expect(queue.count == 0)
    queue.add(row(9))
    #expect(sent(&queue).map(\.after) == [0])
  }
}
