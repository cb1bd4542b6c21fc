import BenchStack
import Foundation
import Stack

/// A service all of whose due timers are at the key of the board that is called meanwhile, beside
/// the same service without any.
enum BoardTimersBench {
  /// Asking the service how many are left costs the machine a process each time.
  private static let lookMilliseconds = 500
  /// What is always pending: the service's own timers, which come later.
  private static let ownMax = 10

  static func run(_ options: BenchOptions, _ filled: FilledStack) async throws -> BenchCase {
    var figures: (with: [Double], without: [Double]) = ([], [])
    for round in 1...options.rounds {
      figures.without.append(try await TimersBench.serve(filled, "without timers"))
      let store = filled.folder.appendingPathComponent("board-timers-\(round)")
      try FileManager.default.copyItem(at: filled.store, to: store)
      try await Commands.run(
        Binaries.url("bench-fill").path,
        ["board-timers", store.path, Stack.game, FilledStack.board, "\(TimersBench.due)"])
      figures.with.append(try await serveAll(filled, store))
      try FileManager.default.removeItem(at: store)
    }
    return BenchCase(
      bench: "timers", case: "p99 of a board, 100 k are due there", unit: "us",
      ours: median(figures.with), baseline: median(figures.without),
      ratio: median(zip(figures.without, figures.with).map { $0 / $1 }))
  }

  /// The 99th percentile of calls to the board, from the start until all of its timers have fired.
  private static func serveAll(_ filled: FilledStack, _ store: URL) async throws -> Double {
    let stack = try filled.stack(store: store)
    try await stack.start()
    let began = ContinuousClock.now
    var load = Load()
    load.seconds = 3600
    load.players = TimersBench.players
    load.writesPercent = 10
    let process = try await load.start(on: stack)
    while try await TimersBench.pendingCount(stack) > ownMax {
      try await Task.sleep(for: .milliseconds(lookMilliseconds))
    }
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    let report = try await Load.end(process)
    await stack.stop()
    Progress.say(
      String(
        format: "  at one key: all have fired in %.1f s, %.0f a second; "
          + "calls there: %.0f/s, p50 %.0f us, p99 %.0f us, at the most %.0f us",
        seconds, Double(TimersBench.due) / seconds, report.ops_per_second, report.p50_us,
        report.p99_us, report.max_us))
    return report.p99_us
  }
}
