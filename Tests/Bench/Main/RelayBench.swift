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

    /// The share that came of what was to come, when each message goes to so many.
    func share(of receivers: Int) -> Double { delivered / max(1, sent * Double(receivers)) }
  }

  /// A relay may take so many times as long as an echo, which crosses two hops where it crosses
  /// eight, and must deliver that share of its messages.
  private static let (roundTripMax, floodShareMin) = (6.0, 0.2)
  /// Rooms of sixteen players, each of whom sends so many messages a second of so many bytes.
  private static let (size, rate, payload) = (16, 60, 64)
  private static let roomsMax = 10
  private static let roomsP99MicrosecondsMax = 10_000.0
  /// The least of unreliable data that must come, or the rooms are not held: what does not come has
  /// no p99.
  private static let unreliableShareMin = 0.99
  /// Runs of each number of rooms, the middle one of which counts.
  private static let roomRounds = 3
  private static let seconds = 8

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Certificates.make(in: folder)
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    var stackOptions = Stack.Options()
    stackOptions.leftOut = [.leaderboard]
    let stack = try Stack(stackOptions)
    try await stack.start()
    await sheet.part("round trip") { try await roundTrip(stack, folder, options, sheet) }
    await sheet.part("100 matches of 2") { try await flood(stack, folder, options, sheet) }
    for lane in ["reliable", "unreliable"] {
      await sheet.part("rooms, \(lane)") { try await rooms(stack, lane: lane, sheet) }
    }
    await stack.stop()
  }

  private static func roundTrip(
    _ stack: Stack, _ folder: URL, _ options: BenchOptions, _ sheet: BenchSheet
  ) async throws {
    var figures: (p50: [Double], p99: [Double], echo50: [Double], echo99: [Double])
    figures = ([], [], [], [])
    for round in 1...options.rounds {
      let echo = try await echo(folder, connections: 1, depth: 1, payload: 8)
      let ours = try await load(
        stack, ["--kind", "round-trip", "--payload", "8"], "round trip, round \(round)")
      // A message back and forth is delivered once.
      try expectWhole(ours, ours.sent / 2)
      Progress.say(
        String(format: "    C echo: p50 %.0f us, p99 %.0f us", echo.p50_us, echo.p99_us))
      figures.p50.append(ours.p50_us)
      figures.p99.append(ours.p99_us)
      figures.echo50.append(echo.p50_us)
      figures.echo99.append(echo.p99_us)
    }
    for (name, ours, echo) in [
      ("p50", median(figures.p50), median(figures.echo50)),
      ("p99", median(figures.p99), median(figures.echo99)),
    ] {
      try sheet.add(
        BenchCase(
          bench: "relay", case: "round trip of 8 bytes, 1 match of 2, \(name)", unit: "us",
          ours: ours, baseline: echo, ratio: echo / ours))
      sheet.judge(
        .goal, "relay, round trip of 8 bytes in 1 match of 2, \(name), times the echo's,",
        ours / echo, roundTripMax, isAtLeast: false)
    }
  }

  private static func flood(
    _ stack: Stack, _ folder: URL, _ options: BenchOptions, _ sheet: BenchSheet
  ) async throws {
    var figures: (ours: [Double], echo: [Double], ratios: [Double]) = ([], [], [])
    for round in 1...options.rounds {
      let echo = try await echo(folder, connections: 200, depth: 16, payload: 64)
      let ours = try await load(
        stack, ["--kind", "flood", "--rooms", "100", "--depth", "16", "--payload", "64"],
        "100 matches of 2, round \(round)")
      try expectWhole(ours, ours.sent)
      Progress.say(String(format: "    C echo: %.0f a second", echo.ops_per_second))
      figures.ours.append(ours.per_second)
      figures.echo.append(echo.ops_per_second)
      figures.ratios.append(ours.per_second / echo.ops_per_second)
    }
    let ratio = median(figures.ratios)
    try sheet.add(
      BenchCase(
        bench: "relay", case: "100 matches of 2, depth 16, 64 bytes", unit: "msgs/s",
        ours: median(figures.ours), baseline: median(figures.echo), ratio: ratio))
    sheet.judge(
      .goal, "relay, messages a second of 100 matches of 2 at depth 16, times the echo's,", ratio,
      floodShareMin, isAtLeast: true)
  }

  /// Reliable data must all come: what does not is a broken promise, and no slow machine.
  private static func expectWhole(_ report: Report, _ wanted: Double) throws {
    if report.lost > 0 || report.delivered != wanted {
      throw BenchFailure(
        "Of \(wanted) reliable messages \(report.delivered) came, with \(report.lost) gaps or repeats."
      )
    }
  }

  // MARK: Rooms

  private struct RoomsTrial {
    var p99: Double
    /// Of what was to come, in the worst run.
    var share: Double
    var isHeld: Bool
  }

  /// The most rooms that hold the time: all of them, or by halves as many as do. What all of them
  /// come to is told in any case.
  private static func rooms(_ stack: Stack, lane: String, _ sheet: BenchSheet) async throws {
    var (held, failed, count) = (0, roomsMax + 1, roomsMax)
    while failed - held > 1 {
      let trial = try await rooms(stack, lane: lane, count)
      if count == roomsMax || trial.isHeld { try add(trial, count, lane, sheet) }
      if trial.isHeld { held = count } else { failed = count }
      count = (held + failed) / 2
    }
    try sheet.add(
      BenchCase(
        bench: "relay", case: "rooms of 16 at 60/s with p99 of 10 ms, \(lane)", unit: "rooms",
        ours: Double(held), baseline: Double(roomsMax), ratio: Double(held) / Double(roomsMax)))
    sheet.judge(
      .goal, "relay, rooms of 16 at 60/s that hold a p99 of 10 ms, \(lane),", Double(held),
      Double(roomsMax), isAtLeast: true)
  }

  private static func add(_ trial: RoomsTrial, _ count: Int, _ lane: String, _ sheet: BenchSheet)
    throws
  {
    try sheet.add(
      BenchCase(
        bench: "relay", case: "\(count) rooms of 16 at 60/s, \(lane), p99", unit: "us",
        ours: trial.p99, baseline: roomsP99MicrosecondsMax,
        ratio: roomsP99MicrosecondsMax / trial.p99),
      BenchCase(
        bench: "relay", case: "\(count) rooms of 16 at 60/s, \(lane), delivered", unit: "%",
        ours: trial.share * 100, baseline: 100, ratio: trial.share))
  }

  /// Runs so many rooms several times. They hold the time if the middle p99 does, and if in no run
  /// anything reliable, or more than a little of what is unreliable, did not come.
  private static func rooms(_ stack: Stack, lane: String, _ count: Int) async throws
    -> RoomsTrial
  {
    let shareMin = lane == "reliable" ? 1 : unreliableShareMin
    var (times, share) = ([Double](), Double.infinity)
    for round in 1...roomRounds {
      let report = try await load(
        stack,
        [
          "--kind", "rooms", "--lane", lane, "--rooms", "\(count)", "--size", "\(size)",
          "--rate", "\(rate)", "--payload", "\(payload)",
        ], "\(count) rooms, \(lane), round \(round)")
      // What is late may be too much for the machine; a gap never is.
      if report.lost > 0 { throw BenchFailure("\(report.lost) gaps or repeats in data.") }
      times.append(report.p99_us)
      share = min(share, report.share(of: size - 1))
    }
    let p99 = median(times)
    return RoomsTrial(
      p99: p99, share: share,
      isHeld: share >= shareMin
        && BenchSheet.isMet(p99, roomsP99MicrosecondsMax, isAtLeast: false))
  }

  // MARK: Loads

  private static func load(_ stack: Stack, _ arguments: [String], _ name: String) async throws
    -> Report
  {
    let process = try Commands.start(
      Binaries.url("bench-relay").path,
      [
        "--port", "\(stack.gatewayPort)", "--authority", stack.authority,
        "--context-port", "\(await stack.port("context/1"))",
        "--certificate", stack.certificate("request.pem"),
        "--key", stack.certificate("request.key"), "--seconds", "\(seconds)",
      ] + arguments)
    // Neither the sign-ins nor what is waited for at the end belong to what is measured.
    _ = await process.printed("measuring\n")
    let processors = try await StackProcessors(stack)
    _ = await process.printed("measured\n")
    let used = processors.used()
    let report = try await Commands.json(Report.self, of: process)
    guard report.delivered > 0 else { throw BenchFailure("\(name): nothing was delivered.") }
    let cores = StackProcessors.text(
      used, over: report.seconds, load: report.cpu_seconds / report.seconds)
    Progress.say(
      String(
        format: "  %@: %.0f sent, %.0f delivered, %.0f a second, %.0f lost, "
          + "p50 %.0f us, p99 %.0f us; cores: %@",
        name, report.sent, report.delivered, report.per_second, report.lost, report.p50_us,
        report.p99_us, cores))
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
