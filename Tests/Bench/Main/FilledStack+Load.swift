import BenchStack
import Foundation
import Stack

extension FilledStack {
  /// Rank reads and submissions for random players, and what they took of each process.
  static func load(
    _ stack: Stack, players: Int, connections: Int, seconds: Int, writesPercent: Int
  ) async throws -> Load.Figures {
    let processors = try await StackProcessors(stack)
    var load = Load()
    load.connections = connections
    load.seconds = seconds
    load.players = players
    load.writesPercent = writesPercent
    let report = try await load.run(on: stack)
    let cores = processors.cores(
      over: report.seconds, load: report.cpu_seconds / report.seconds)
    Progress.say(
      String(
        format: "  %d %% writes: %.0f/s, p50 %.0f us, p99 %.0f us; cores: %@", writesPercent,
        report.ops_per_second, report.p50_us, report.p99_us, cores))
    return report
  }
}
