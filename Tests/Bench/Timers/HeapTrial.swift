import BenchMachine
import Domain
import Wire

/// Ours of the benchmark `timers`: the same work as `timers_set.cpp` with the same numbers, so that the
/// checksum over the timers that fired is the same.
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
    let set = measure(pending) { trial, number in
      trial.heap.set(trial.names[number], due: trial.due())
    }
    let bytes = Double(Machine.residentBytes - before) / Double(pending)
    let replace = measure(operations) { trial, _ in
      trial.heap.set(trial.anyName(), due: trial.due())
    }
    // A timer that is set anew keeps the count where it was.
    let cancel = measure(operations) { trial, _ in
      let name = trial.anyName()
      trial.heap.remove(name)
      trial.heap.set(name, due: trial.due())
    }
    var checksum: UInt64 = 0
    let fire = measure(operations) { trial, _ in
      guard let name = trial.heap.take(now: .max) else { return }
      checksum = checksum &* 31 &+ name.item.low
      trial.heap.remove(name)
      trial.heap.set(name, due: trial.due())
    }
    let digits = String(checksum, radix: 16)
    return [
      ("set_ns", figure(set)), ("replace_ns", figure(replace)), ("cancel_set_ns", figure(cancel)),
      ("fire_set_ns", figure(fire)), ("resident_bytes", figure(bytes)),
      ("checksum", "\"\(String(repeating: "0", count: 16 - digits.count))\(digits)\""),
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

  /// Nanoseconds of the processor for each of so many operations.
  private mutating func measure(_ count: Int, _ body: (inout Self, Int) -> Void) -> Double {
    let start = Machine.processorTime
    for number in 0..<count { body(&self, number) }
    return (Machine.processorTime - start) / Double(count)
  }
}
