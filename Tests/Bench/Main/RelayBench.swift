import BenchStack
import Foundation
import Stack
import Wire

/// Match data from player to player through gateway and context service, beside the C echo in the
/// same run. A message back and forth crosses eight TLS hops, an echo two.
enum RelayBench {
  /// What `bench-relay` prints.
  private struct Report: Decodable, Sendable {
    var sent: Double
    var delivered: Double
    var lost: Double
    var seconds: Double
    var per_second: Double
    var p50_us: Double
    var p99_us: Double
    var cpu_seconds: Double
  }

  /// Rooms of sixteen players, each of whom sends so many messages a second of so many bytes.
  private static let (size, rate, payload) = (16, 60, 64)
  private static let roomsMax = 10
  private static let roomsP99MicrosecondsMax = 10_000.0
  /// Runs of each number of rooms, the middle one of which counts.
  private static let roomRounds = 3
  private static let seconds = 8

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Certificates.make(in: folder)
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    var stackOptions = Stack.Options()
    stackOptions.leftOut = [.leaderboard]
    let stack = try Stack(stackOptions)
    try await stack.start()
    do {
      var cases = try await roundTrip(stack, folder, options)
      cases.append(try await flood(stack, folder, options))
      for lane in ["reliable", "unreliable"] {
        cases += try await rooms(stack, lane: lane)
      }
      await stack.stop()
      return cases
    } catch {
      await stack.stop()
      throw error
    }
  }

  private static func roundTrip(_ stack: Stack, _ folder: URL, _ options: BenchOptions)
    async throws -> [BenchCase]
  {
    var figures: (p50: [Double], p99: [Double], echo50: [Double], echo99: [Double])
    figures = ([], [], [], [])
    for round in 1...options.rounds {
      let echo = try await echo(folder, connections: 1, depth: 1, payload: 8)
      let ours = try await load(
        stack, ["--kind", "round-trip", "--payload", "8"], "round trip, round \(round)")
      Progress.say(
        String(format: "    C echo: p50 %.0f us, p99 %.0f us", echo.p50_us, echo.p99_us))
      figures.p50.append(ours.p50_us)
      figures.p99.append(ours.p99_us)
      figures.echo50.append(echo.p50_us)
      figures.echo99.append(echo.p99_us)
    }
    let p50 = (ours: median(figures.p50), baseline: median(figures.echo50))
    let p99 = (ours: median(figures.p99), baseline: median(figures.echo99))
    return [
      BenchCase(
        bench: "relay", case: "round trip of 8 bytes, p50", unit: "us", ours: p50.ours,
        baseline: p50.baseline, ratio: p50.baseline / p50.ours),
      BenchCase(
        bench: "relay", case: "round trip of 8 bytes, p99", unit: "us", ours: p99.ours,
        baseline: p99.baseline, ratio: p99.baseline / p99.ours),
    ]
  }

  private static func flood(_ stack: Stack, _ folder: URL, _ options: BenchOptions) async throws
    -> BenchCase
  {
    var figures: (ours: [Double], echo: [Double], ratios: [Double]) = ([], [], [])
    for round in 1...options.rounds {
      let echo = try await echo(folder, connections: 200, depth: 16, payload: 64)
      let ours = try await load(
        stack, ["--kind", "flood", "--rooms", "100", "--depth", "16", "--payload", "64"],
        "100 matches of 2, round \(round)")
      Progress.say(String(format: "    C echo: %.0f a second", echo.ops_per_second))
      figures.ours.append(ours.per_second)
      figures.echo.append(echo.ops_per_second)
      figures.ratios.append(ours.per_second / echo.ops_per_second)
    }
    return BenchCase(
      bench: "relay", case: "100 matches of 2, depth 16, 64 bytes", unit: "msgs/s",
      ours: median(figures.ours), baseline: median(figures.echo), ratio: median(figures.ratios))
  }

  /// The most rooms that hold the time: all of them, or by halves as many as do.
  private static func rooms(_ stack: Stack, lane: String) async throws -> [BenchCase] {
    var (held, failed) = (0, roomsMax + 1)
    var (count, p99) = (roomsMax, [Int: Double]())
    while failed - held > 1 {
      let trial = try await rooms(stack, lane: lane, count)
      p99[count] = trial.p99
      if trial.isHeld { held = count } else { failed = count }
      count = (held + failed) / 2
    }
    let told = max(1, held)
    let time = p99[told] ?? .infinity
    return [
      BenchCase(
        bench: "relay", case: "rooms of 16 at 60/s, \(lane)", unit: "rooms", ours: Double(held),
        baseline: Double(roomsMax), ratio: Double(held) / Double(roomsMax)),
      BenchCase(
        bench: "relay", case: "\(told) rooms, \(lane), p99", unit: "us", ours: time,
        baseline: roomsP99MicrosecondsMax, ratio: roomsP99MicrosecondsMax / time),
    ]
  }

  /// Runs so many rooms several times. They hold the time if the middle p99 does, and if nothing
  /// reliable was lost in any run.
  private static func rooms(_ stack: Stack, lane: String, _ count: Int) async throws
    -> (p99: Double, isHeld: Bool)
  {
    var (times, isWhole) = ([Double](), true)
    for round in 1...roomRounds {
      let report = try await load(
        stack,
        [
          "--kind", "rooms", "--lane", lane, "--rooms", "\(count)", "--size", "\(size)",
          "--rate", "\(rate)", "--payload", "\(payload)", "--acknowledge-every", "1000",
        ], "\(count) rooms, \(lane), round \(round)")
      times.append(report.p99_us)
      let wanted = report.sent * Double(size - 1)
      if lane == "reliable" && (report.delivered != wanted || report.lost != 0) { isWhole = false }
    }
    let p99 = median(times)
    return (p99, isWhole && p99 <= roomsP99MicrosecondsMax)
  }

  private static func load(_ stack: Stack, _ arguments: [String], _ name: String) async throws
    -> Report
  {
    let processors = try await StackProcessors(stack)
    let report = try await Commands.json(
      Report.self, Binaries.url("bench-relay").path,
      [
        "--port", "\(stack.gatewayPort)", "--authority", stack.authority,
        "--context-port", "\(await stack.port("context/1"))",
        "--certificate", stack.certificate("request.pem"),
        "--key", stack.certificate("request.key"), "--seconds", "\(seconds)",
      ] + arguments)
    Progress.say(
      String(
        format: "  %@: %.0f sent, %.0f delivered, %.0f a second, %.0f lost, "
          + "p50 %.0f us, p99 %.0f us; cores: %@",
        name, report.sent, report.delivered, report.per_second, report.lost, report.p50_us,
        report.p99_us,
        processors.cores(over: report.seconds, load: report.cpu_seconds / report.seconds)))
    return report
  }

  /// The C echo on the same machine, as often as the relay is measured.
  private static func echo(_ folder: URL, connections: Int, depth: Int, payload: Int) async throws
    -> FrameLoadReport
  {
    let server = try Commands.start(
      folder.appendingPathComponent("echo_server").path,
      [
        "--stop-when-empty", "--certificate", folder.appendingPathComponent("client.pem").path,
        "--key", folder.appendingPathComponent("client.key").path, "--port", "0",
      ])
    defer { server.signal(SIGKILL) }
    return try await Commands.json(
      FrameLoadReport.self, folder.appendingPathComponent("frame_load").path,
      [
        "--port", "\(try await server.port())", "--server-pid", "\(server.identifier)",
        "--ca", folder.appendingPathComponent("authority.pem").path, "--name", "localhost",
        "--connections", "\(connections)", "--depth", "\(depth)", "--payload", "\(payload)",
        "--seconds", "\(seconds)",
      ])
  }
}
