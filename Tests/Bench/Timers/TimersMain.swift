import BenchMachine
import Domain

/// `bench-timers PENDING OPERATIONS`: measures the time and the memory that pending timers take, in
/// the heap alone and through the engine. Prints a line of JSON.
@main
enum TimersMain {
  private static let usage = "usage: bench-timers PENDING OPERATIONS"

  static func main() {
    if CommandLine.arguments.contains("--help") {
      print("\(usage)\nMeasures the time and the memory that pending timers take.")
      return
    }
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    guard numbers.count == 2 else {
      Machine.fail(usage, code: 64)
    }
    var heap = HeapTrial(pending: numbers[0], operations: numbers[1])
    let engine = EngineTrial(pending: numbers[0], operations: numbers[1])
    print(line(heap.run() + engine.run()))
  }
}
