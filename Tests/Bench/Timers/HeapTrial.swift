import BenchMachine
import Domain
import Wire

/// Ours of the benchmark `timers`: the same work as `timers_set.cpp` with the same numbers, so that
/// the checksum over the timers that fired is the same.
struct HeapTrial {
  let pending: Int
  let operations: Int
  private var random = SplitMix()
  private var heap = TimerHeap()
  private var names: [TimerKey] = []

  init(pending: Int, operations: Int) {
    self.pending = pending
    self.operations = operations
  }

  mutating func run() -> [(String, String)] {
    names.reserveCapacity(pending)
    for number in 0..<pending { names.append(name(number)) }
    let before = Machine.residentBytes
    let set = nanoseconds(each: pending) { heap.set(names[$0], due: due()) }
    let bytes = Double(Machine.residentBytes - before) / Double(pending)
    let replace = nanoseconds(each: operations) { _ in
      let name = anyName()
      heap.set(name, due: due())
    }
    // A timer that is set anew keeps the count where it was.
    let cancel = nanoseconds(each: operations) { _ in
      let name = anyName()
      heap.remove(name)
      heap.set(name, due: due())
    }
    var checksum: UInt64 = 0
    let fire = nanoseconds(each: operations) { _ in
      guard let name = heap.take(now: .max) else { return }
      checksum = checksum &* 31 &+ name.item.low
      heap.set(name, due: due())
    }
    return [
      ("set_ns", figure(set)), ("replace_ns", figure(replace)), ("cancel_set_ns", figure(cancel)),
      ("fire_set_ns", figure(fire)), ("resident_bytes", figure(bytes)),
      ("checksum", hexadecimal(checksum)),
    ]
  }

  private mutating func name(_ number: Int) -> TimerKey {
    TimerKey(
      Opcode(rawValue: 0x302), on: RoutingKey(high: random.next(), low: random.next()),
      item: RoutingKey(high: random.next(), low: UInt64(number)))
  }

  private mutating func anyName() -> TimerKey { names[Int(random.below(UInt64(pending)))] }

  /// In milliseconds: uniform over some 70 years.
  private mutating func due() -> Int64 { Int64(random.next() >> 23) }
}
