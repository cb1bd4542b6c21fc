import Foundation
import Stack

/// Our transport against a plain C server over epoll and OpenSSL: the same frames, cipher,
/// certificate, TLS modes and read-ahead. One core for the server, one for the load.
enum EchoBench {
  struct Report: Decodable {
    var ops_per_second: Double
    var p50_us: Double
    var p99_us: Double
    var cpu_seconds: Double
    var server_cpu_seconds: Double
    var seconds: Double
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Certificates.make(in: folder)
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    var cases: [BenchCase] = []
    for depth in [1, 16] { cases.append(try await measure(depth, options, folder)) }
    return cases
  }

  private static func measure(_ depth: Int, _ options: BenchOptions, _ folder: URL) async throws
    -> BenchCase
  {
    // Ours stops reading when the record layer is empty instead of asking once more; so does the C
    // server here, which makes it an eighth faster.
    let theirs = [folder.appendingPathComponent("echo_server").path, "--stop-when-empty"]
    let ours = [Binaries.url("bench-echo").path]
    var figures: (ours: [Double], baseline: [Double], ratios: [Double]) = ([], [], [])
    for round in 1...options.rounds {
      let baseline = try await load(theirs, depth, options, folder)
      let mine = try await load(ours, depth, options, folder)
      figures.baseline.append(baseline.ops_per_second)
      figures.ours.append(mine.ops_per_second)
      figures.ratios.append(mine.ops_per_second / baseline.ops_per_second)
      Progress.say(
        "  depth \(depth), round \(round): ours \(describe(mine)); C \(describe(baseline))")
    }
    return BenchCase(
      bench: "tls-echo", case: "64 connections, depth \(depth), 64 bytes", unit: "ops/s",
      ours: median(figures.ours), baseline: median(figures.baseline),
      ratio: median(figures.ratios))
  }

  private static func describe(_ report: Report) -> String {
    String(
      format: "%.0f/s, p50 %.0f us, p99 %.0f us, server %.2f and load %.2f cores",
      report.ops_per_second, report.p50_us, report.p99_us,
      report.server_cpu_seconds / report.seconds, report.cpu_seconds / report.seconds)
  }

  private static func load(
    _ program: [String], _ depth: Int, _ options: BenchOptions, _ folder: URL
  ) async throws -> Report {
    let certificate = folder.appendingPathComponent("client.pem").path
    let key = folder.appendingPathComponent("client.key").path
    let server = try Commands.start(
      "taskset",
      ["-c", "0"] + program + ["--certificate", certificate, "--key", key, "--port", "0"])
    defer { server.signal(SIGKILL) }
    let port = try await server.port()
    return try await Commands.json(
      Report.self, "taskset",
      [
        "-c", "1", folder.appendingPathComponent("echo_load").path, "--port", "\(port)",
        "--ca", folder.appendingPathComponent("authority.pem").path, "--name", "localhost",
        "--connections", "64", "--depth", "\(depth)", "--payload", "64",
        "--seconds", "\(options.echoSeconds)", "--ciphersuite", ciphersuite,
        "--server-pid", "\(server.identifier)",
      ])
  }

  /// The load offers this one alone, so that both servers use it.
  private static let ciphersuite = "TLS_AES_128_GCM_SHA256"
}
