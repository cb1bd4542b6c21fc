import BenchStack
import Foundation
import Stack

/// Durable score submissions through the whole stack (client over TLS, gateway, mutual TLS,
/// service, journal, folding included), against Redis's ZADD with every write flushed.
///
/// The board keeps the latest score, so that each submission is a change that has to be durable, as
/// each ZADD is. Redis does without TLS, a gateway, authentication and idempotency. Both have a
/// load generator in C.
enum SubmitBench {
  static let connections = 256

  struct RedisReport: Decodable {
    var ops_per_second: Double
    var p50_us: Double
    var p99_us: Double
    var server_cpu_seconds: Double
    var client_cpu_seconds: Double
    var seconds: Double
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    // Half of the baseline before and half after: the machine's speed drifts.
    let before = try await redis(options)
    let ours = try await submit(options)
    let after = try await redis(options)
    let baseline = (before.ops_per_second + after.ops_per_second) / 2
    return [
      BenchCase(
        bench: "submit", case: "\(connections) connections, durable", unit: "ops/s",
        ours: ours.ops_per_second, baseline: baseline, ratio: ours.ops_per_second / baseline)
    ]
  }

  private static func submit(_ options: BenchOptions) async throws -> FrameLoadReport {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-submit-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    let stack = try Stack()
    try await stack.start()
    var load = Load()
    load.connections = connections
    let scripted = try await ScriptedLoad(load, on: stack, programs: folder)
    let report = try await scripted.measure(
      on: stack, seconds: options.submitSeconds, "submissions")
    for file in files(of: stack) { Progress.say("  \(file)") }
    await stack.stop()
    return report
  }

  /// The sizes of a service's store: the journal must not grow without end.
  static func files(of stack: Stack, _ service: String = "leaderboard") -> [String] {
    let folder = stack.directory.appendingPathComponent("data/\(service)/1").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      let size = (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
      return String(format: "%@: %.1f MiB", name, size / 1_048_576)
    }
  }

  static func redis(_ options: BenchOptions) async throws -> RedisReport {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-redis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // About half the time of ours, at the rate that such machines reach.
    let requests = options.submitSeconds * 25_000
    let report = try await Commands.json(
      RedisReport.self, "bash",
      [Commands.source("redis_submit.sh"), folder.path, "\(connections)", "\(requests)"])
    Progress.say(
      String(
        format: "  redis: %.0f/s, p50 %.0f us, p99 %.0f us, server %.2f and client %.2f cores",
        report.ops_per_second, report.p50_us, report.p99_us,
        report.server_cpu_seconds / report.seconds, report.client_cpu_seconds / report.seconds))
    return report
  }
}
