import BenchStack
import Foundation
import Stack

/// Rank reads through the whole stack (client over TLS, gateway, mutual TLS, service), alone and
/// with submissions among them, against a plain C server over TLS that sends back what it gets.
///
/// Each connection waits for its answer before it asks again. The baseline does nothing but TLS, on
/// a core of its own, with a core for its load; ours has the gateway, the service and the load on
/// the same two. The load is the same program for both. They run by turns, and each round is
/// compared with the baseline before and after it, since the machine's speed drifts.
enum RankBench {
  /// A few clients, whose calls mostly wait for the way there and back, and as many as keep both
  /// cores busy.
  private static let connectionCounts = [64, 256]
  /// Percent of the calls.
  private static let writeShares = [0, 10]
  /// Enough that the index does not fit into the processor's cache.
  private static let players = 1_000_000

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let filled = try await FilledStack([.init(players: players)], tell: Progress.say)
    defer { filled.remove() }
    try Certificates.make(in: filled.folder)
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), filled.folder.path])
    let stack = try filled.stack()
    try await stack.start()
    var cases: [BenchCase] = []
    for connections in connectionCounts {
      cases += try await compare(stack, filled.folder, connections: connections, options)
    }
    await stack.stop()
    return cases
  }

  private static func compare(
    _ stack: Stack, _ folder: URL, connections: Int, _ options: BenchOptions
  ) async throws -> [BenchCase] {
    var echoes = [try await echo(folder, connections: connections, options)]
    var ours: [[Double]] = writeShares.map { _ in [] }
    for _ in 1...options.rounds {
      for (index, share) in writeShares.enumerated() {
        let report = try await load(stack, folder, connections: connections, share, options)
        ours[index].append(report.ops_per_second)
      }
      echoes.append(try await echo(folder, connections: connections, options))
    }
    let baseline = zip(echoes, echoes.dropFirst()).map { ($0 + $1) / 2 }
    return zip(writeShares, ours).map { share, figures in
      BenchCase(
        bench: "rank", case: "\(connections) connections, \(share) % writes", unit: "ops/s",
        ours: median(figures), baseline: median(baseline),
        ratio: median(zip(figures, baseline).map { $0 / $1 }))
    }
  }

  /// Calls drawn anew each time: a score submitted again would change less.
  private static func load(
    _ stack: Stack, _ folder: URL, connections: Int, _ writeShare: Int, _ options: BenchOptions
  ) async throws -> FrameLoadReport {
    var load = Load()
    load.connections = connections
    load.players = players
    load.writesPercent = writeShare
    let scripted = try await ScriptedLoad(load, on: stack, programs: folder)
    defer { scripted.remove() }
    return try await scripted.measure(
      on: stack, seconds: options.echoSeconds, "\(connections) connections, \(writeShare) % writes")
  }

  private static func echo(
    _ folder: URL, connections: Int, _ options: BenchOptions
  ) async throws -> Double {
    let server = try Commands.start(
      "taskset",
      [
        "-c", "0", folder.appendingPathComponent("echo_server").path, "--stop-when-empty",
        "--certificate", folder.appendingPathComponent("client.pem").path,
        "--key", folder.appendingPathComponent("client.key").path, "--port", "0",
      ])
    defer { server.signal(SIGKILL) }
    let report = try await Commands.json(
      FrameLoadReport.self, "taskset",
      [
        "-c", "1", folder.appendingPathComponent("frame_load").path,
        "--port", "\(try await server.port())", "--server-pid", "\(server.identifier)",
        "--ca", folder.appendingPathComponent("authority.pem").path, "--name", "localhost",
        "--connections", "\(connections)", "--depth", "1", "--payload", "64",
        "--seconds", "\(options.echoSeconds)",
      ])
    Progress.say(
      String(
        format: "  C echo, %d connections: %.0f/s, p50 %.0f us, p99 %.0f us; "
          + "cores: server %.2f, load %.2f",
        connections, report.ops_per_second, report.p50_us, report.p99_us,
        report.serverCores, report.loadCores))
    return report.ops_per_second
  }
}
