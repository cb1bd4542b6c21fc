import BenchStack
import Foundation
import Stack

/// Our transport against a plain C server over epoll and OpenSSL: the same frames, cipher,
/// certificate, TLS modes and read-ahead. One core for the server, one for the load.
enum EchoBench {
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
    var figures: (ours: [Double], baseline: [Double], ratios: [Double]) = ([], [], [])
    for round in 1...options.rounds {
      let (ours, baseline) = try await load(depth, options, folder)
      figures.baseline.append(baseline.ops_per_second)
      figures.ours.append(ours.ops_per_second)
      figures.ratios.append(ours.ops_per_second / baseline.ops_per_second)
      Progress.say(
        "  depth \(depth), round \(round): ours \(describe(ours)); C \(describe(baseline))")
    }
    return BenchCase(
      bench: "tls-echo", case: "64 connections, depth \(depth), 64 bytes", unit: "ops/s",
      ours: median(figures.ours), baseline: median(figures.baseline),
      ratio: median(figures.ratios))
  }

  private static func describe(_ report: FrameLoadReport) -> String {
    String(
      format: "%.0f/s, p50 %.0f us, p99 %.0f us, server %.2f and load %.2f cores",
      report.ops_per_second, report.p50_us, report.p99_us,
      report.serverCores, report.loadCores)
  }

  /// Both servers on one core, served by turns of 50 ms, so that what the machine does besides
  /// happens to both alike. The one whose turn it is not finishes what it was sent, which is the
  /// same number of calls for both, and then has nothing to do.
  private static func load(_ depth: Int, _ options: BenchOptions, _ folder: URL) async throws
    -> (ours: FrameLoadReport, baseline: FrameLoadReport)
  {
    let ours = try server([Binaries.url("bench-echo").path], folder)
    defer { ours.signal(SIGKILL) }
    // Ours stops reading when the record layer is empty instead of asking once more; so does the C
    // server here, which makes it an eighth faster.
    let baseline = try server(
      [folder.appendingPathComponent("echo_server").path, "--stop-when-empty"], folder)
    defer { baseline.signal(SIGKILL) }
    let reports = try await Commands.jsons(
      FrameLoadReport.self, "taskset",
      [
        "-c", "1", folder.appendingPathComponent("frame_load").path,
        "--port", "\(try await ours.port())", "--port", "\(try await baseline.port())",
        "--server-pid", "\(ours.identifier)", "--server-pid", "\(baseline.identifier)",
        "--ca", folder.appendingPathComponent("authority.pem").path, "--name", "localhost",
        "--connections", "64", "--depth", "\(depth)", "--payload", "64",
        "--seconds", "\(options.echoSeconds)", "--ciphersuite", ciphersuite,
      ])
    guard reports.count == 2 else {
      throw BenchFailure("The load told of \(reports.count) servers.")
    }
    return (reports[0], reports[1])
  }

  private static func server(_ program: [String], _ folder: URL) throws -> ServerProcess {
    try Commands.start(
      "taskset",
      ["-c", "0"] + program + [
        "--certificate", folder.appendingPathComponent("client.pem").path,
        "--key", folder.appendingPathComponent("client.key").path, "--port", "0",
      ])
  }

  /// The load offers this one alone, so that both servers use it.
  private static let ciphersuite = "TLS_AES_128_GCM_SHA256"
}
