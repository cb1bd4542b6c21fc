import Foundation
import Stack

/// A folder with a leaderboard service's store in which one board is filled, and what runs on it.
struct FilledStack {
  static let board = "bench"

  let folder: URL
  let players: Int

  init(players: Int) async throws {
    self.players = players
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-bench-\(UUID().uuidString)")
    let began = ContinuousClock.now
    do {
      try await Commands.run(
        Binaries.url("bench-fill").path,
        ["store", store.path, Stack.game, Self.board, "\(players)"])
    } catch {
      remove()
      throw error
    }
    Progress.say("  \(players) players written in \(ContinuousClock.now - began)")
  }

  var store: URL { folder.appendingPathComponent("leaderboard") }
  var tables: URL { store.appendingPathComponent("leaderboard.tables.sqlite") }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// A deployment whose leaderboard service has this store.
  func stack() throws -> Stack {
    var options = Stack.Options()
    options.dataDirectories["leaderboard/1"] = store.path
    return try Stack(options)
  }

  /// Rank reads and submissions for random players, and what they took of each process.
  func load(_ stack: Stack, connections: Int, seconds: Int, writesPercent: Int) async throws
    -> SubmitBench.Report
  {
    var processes: [(name: String, id: Int32)] = []
    for name in stack.names { processes.append((name, try await stack.process(name).identifier)) }
    let before = processes.map { ProcessorTime.seconds(of: $0.id) }
    let report = try await Commands.json(
      SubmitBench.Report.self, Binaries.url("muster-load").path,
      [
        "--port", "\(stack.gatewayPort)", "--authority", stack.authority,
        "--board", Self.board, "--connections", "\(connections)", "--seconds", "\(seconds)",
        "--players", "\(players)", "--writes-percent", "\(writesPercent)",
        "--operator-secret", Stack.operatorSecret,
      ])
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
