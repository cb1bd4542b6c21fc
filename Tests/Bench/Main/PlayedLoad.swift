import BenchStack
import Foundation
import Stack
import Wire

/// Moves and tickets of players on real connections, and what they took of each process.
enum PlayedLoad {
  static func run(_ load: Load, on stack: Stack, _ what: String) async throws -> Load.Figures {
    let process = try await load.start(on: stack)
    let processors = try await StackProcessors(stack)
    let report = try await Commands.json(Load.Figures.self, of: process)
    Progress.say(
      String(
        format: "  %@: %.0f/s, p50 %.0f us, p99 %.0f us, %.0f operations; cores: %@", what,
        report.ops_per_second, report.p50_us, report.p99_us, report.operations,
        processors.cores(over: report.seconds, load: report.cpu_seconds / report.seconds)))
    return report
  }

  /// Runs a body on a stack without leaderboards, in which nothing but the machine limits who asks
  /// for matches.
  static func withStack<Result>(
    contextStore: URL? = nil, _ body: (Stack) async throws -> Result
  ) async throws -> Result {
    var options = Stack.Options()
    options.leftOut = [.leaderboard]
    options.flags["context/1"] = [
      "--match-ticket-burst", "100000", "--match-ticket-refill-seconds", "1",
    ]
    options.dataDirectories["context/1"] = contextStore?.path
    return try await Stack.running(options, body)
  }
}
