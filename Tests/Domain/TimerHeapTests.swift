import Testing
import Wire

@testable import Domain

/// The heap beside a dictionary that is searched through.
struct TimerHeapTests {
  /// By time, then by name.
  private struct Model {
    var pending: [TimerKey: Int64] = [:]

    mutating func take(now: Int64) -> TimerKey? {
      let first = pending.min { left, right in
        if left.value != right.value { return left.value < right.value }
        return left.key.keyBytes.lexicographicallyPrecedes(right.key.keyBytes)
      }
      guard let first, first.value <= now else { return nil }
      pending[first.key] = nil
      return first.key
    }
  }

  private func name(_ random: inout RandomSource) -> TimerKey {
    TimerKey(
      Opcode(rawValue: .random(in: 1...2, using: &random)),
      on: RoutingKey(high: .random(in: 0...6, using: &random), low: 0),
      item: RoutingKey(high: 0, low: .random(in: 0...6, using: &random)))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func agreesWithTheModel(seed: UInt64) {
    var random = RandomSource.seeded(seed)
    var (heap, model) = (TimerHeap(), Model())
    for _ in 0..<3 * seed { model.pending[name(&random)] = .random(in: 0...40, using: &random) }
    for (key, due) in model.pending { heap.load(key, due: due) }
    heap.loaded()
    for _ in 0..<4000 {
      let key = name(&random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let due = Int64.random(in: 0...40, using: &random)
        heap.set(key, due: due)
        model.pending[key] = due
      case 5..<8:
        #expect(heap.remove(key) == (model.pending.removeValue(forKey: key) != nil))
      default:
        let now = Int64.random(in: 0...40, using: &random)
        #expect(heap.take(now: now) == model.take(now: now))
      }
      #expect(heap.nextDue == model.pending.values.min())
      #expect(heap.count == model.pending.count)
      let other = name(&random)
      #expect(heap.due(of: other) == model.pending[other])
    }
  }

  @Test func whatIsRemovedLeavesNothingBehind() {
    var heap = TimerHeap()
    func key(_ number: Int) -> TimerKey {
      TimerKey(Opcode(rawValue: 1), on: RoutingKey(high: 0, low: UInt64(number)))
    }
    for number in 0..<100_000 {
      heap.set(key(number), due: Int64(number))
      if number >= 10 { heap.remove(key(number - 10)) }
    }
    #expect(heap.count == 10 && heap.slotCount == 11)
    #expect((0..<10).map { _ in heap.take(now: .max) } == (99_990..<100_000).map { key($0) })
    #expect(heap.take(now: .max) == nil && heap.count == 0 && heap.slotCount == 11)
  }
}
