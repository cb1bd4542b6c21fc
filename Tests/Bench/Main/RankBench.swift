import BenchStack
import Foundation
import Stack

/// Rank reads through the whole stack (client over TLS, gateway, mutual TLS, service), alone and with
/// submissions among them, against a plain C server over TLS that sends back what it gets.
///
/// Each connection waits for its answer before it asks again. The baseline does nothing but TLS, on
/// a core of its own, with a core for its load; ours has the gateway, the service and the load on
/// the same two. The load is the same program for both. They run by turns, and each round is
/// compared with the baseline before and after it, since the machine's speed drifts.
enum RankBench {
  private static let connections = 64
  /// Enough that the index does not fit into the processor's cache.
  private static let players = 1_000_000

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let filled = try await FilledStack([.init(players: players)], tell: Progress.say)
    defer { filled.remove() }
    try Certificates.make(in: filled.folder)
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), filled.folder.path])
    let stack = try filled.stack()
    try await stack.start()
    let mixes = [0, 10]
    var echoes = [try await echo(filled.folder, options)]
    var ours: [[Double]] = mixes.map { _ in [] }
    for _ in 1...options.rounds {
      for (index, mix) in mixes.enumerated() {
        let report = try await load(stack, filled.folder, mix, options)
        ours[index].append(report.ops_per_second)
      }
      echoes.append(try await echo(filled.folder, options))
    }
    await stack.stop()
    let baseline = zip(echoes, echoes.dropFirst()).map { ($0 + $1) / 2 }
    return zip(mixes, ours).map { mix, figures in
      BenchCase(
        bench: "rank", case: "\(connections) connections, \(mix) % writes", unit: "ops/s",
        ours: median(figures), baseline: median(baseline),
        ratio: median(zip(figures, baseline).map { $0 / $1 }))
    }
  }

  /// Calls drawn anew each time: a score submitted again would change less.
  private static func load(_ stack: Stack, _ folder: URL, _ mix: Int, _ options: BenchOptions)
    async throws -> FrameLoadReport
  {
    var load = Load()
    load.connections = connections
    load.players = players
    load.writesPercent = mix
    let scripted = try await ScriptedLoad(load, on: stack, programs: folder)
    defer { scripted.remove() }
    return try await scripted.measure(
      on: stack, seconds: options.echoSeconds, "\(mix) % writes")
  }

  private static func echo(_ folder: URL, _ options: BenchOptions) async throws -> Double {
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
        format: "  C echo: %.0f/s, p50 %.0f us, p99 %.0f us; cores: server %.2f, load %.2f",
        report.ops_per_second, report.p50_us, report.p99_us,
        report.serverCores, report.loadCores))
    return report.ops_per_second
  }
}
