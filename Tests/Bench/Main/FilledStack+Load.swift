import BenchStack
import Foundation
import Stack

extension FilledStack {
  /// Rank reads and submissions for random players, and what they took of each process.
  static func load(
    _ stack: Stack, players: Int, connections: Int, seconds: Int, writesPercent: Int
  ) async throws -> Load.Figures {
    var processes: [(name: String, id: Int32)] = []
    for name in stack.names { processes.append((name, try await stack.process(name).identifier)) }
    let before = processes.map { ProcessorTime.seconds(of: $0.id) }
    var load = Load()
    load.connections = connections
    load.seconds = seconds
    load.players = players
    load.writesPercent = writesPercent
    let report = try await load.run(on: stack)
    var used = zip(processes, before).map { process, began in
      (process.name, ProcessorTime.seconds(of: process.id) - began)
    }
    used.append(("load", report.cpu_seconds))
    let cores = used.map { String(format: "%@ %.2f", $0.0, $0.1 / report.seconds) }
      .joined(separator: ", ")
    Progress.say(
      String(
        format: "  %d %% writes: %.0f/s, p50 %.0f us, p99 %.0f us; cores: %@", writesPercent,
        report.ops_per_second, report.p50_us, report.p99_us, cores))
    return report
  }
}
