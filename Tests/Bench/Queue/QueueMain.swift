import BenchMachine

/// Prints what a ticket of matchmaking costs in the service's process.
///
///     bench-queue WAITING OPERATIONS
@main
enum QueueMain {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
      Machine.fail("bench-queue WAITING OPERATIONS", code: 2)
    }
    let ours = QueueTrial(waiting: numbers[0], operations: numbers[1]).run()
    let scan = ScanTrial(waiting: numbers[0], operations: min(numbers[1], 2_000)).run()
    guard ours.matchCount == numbers[1] else {
      Machine.fail("only \(ours.matchCount) matches were found", code: 1)
    }
    let hostile = HostileTrial(
      waiting: min(numbers[0], 2_000), searches: min(numbers[1], 200)
    ).run()
    print(
      line([
        ("waiting", "\(numbers[0])"), ("ticket_ns", figure(ours.nanoseconds)),
        ("scan_ns", figure(scan.nanoseconds)), ("matches", "\(ours.matchCount)"),
        ("hostile_ns", figure(hostile.nanoseconds)),
        ("hostile_max_ns", figure(hostile.most)),
      ]))
  }
}
