import BenchStack
import Foundation
import Stack
import Wire

/// Players whose gateway was killed all come back at once, by TLS tickets and tokens of their
/// sessions; beside them the same number of clients of the C server, which was killed as well and
/// makes the same handshakes, but answers with what it is sent. Ours has each session confirmed by
/// the request service besides.
enum StormBench {
  private static let secondsMax = 20.0
  private static let shareMin = 0.8
  private static let roundsMax = 3
  /// Of the system's descriptors, what the gateway keeps for others than players, and some more.
  private static let descriptorsKept = 600

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-storm-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    let clients = clientCount(options)
    var stackOptions = Stack.Options()
    stackOptions.leftOut = [.leaderboard, .context]
    // Nobody pings while all of them sign in.
    stackOptions.flags["gateway"] = [
      "--connections-max", "1000000", "--client-idle-seconds", "3600",
    ]
    try await Stack.running(stackOptions) { stack in
      try await measure(stack, folder, clients: clients, options, sheet)
    }
  }

  /// As many as were asked for, or as the gateway can have connections.
  private static func clientCount(_ options: BenchOptions) -> Int {
    let descriptors = sysconf(Int32(_SC_OPEN_MAX))
    let most = descriptors - descriptorsKept
    if most >= options.storm { return options.storm }
    Progress.say(
      "  The system lets a process have \(descriptors) descriptors: \(most) clients come back, and "
        + "not \(options.storm).")
    return most
  }

  private static func measure(
    _ stack: Stack, _ folder: URL, clients: Int, _ options: BenchOptions, _ sheet: BenchSheet
  ) async throws {
    var load = Load()
    load.play = .idle
    load.connections = clients
    let began = ContinuousClock.now
    let accounts = try await ScriptedLoad(load, on: stack, programs: folder)
    Progress.say("  \(clients) players signed up in \(ContinuousClock.now - began)")
    var rounds: [(ours: Storm.Report, baseline: Storm.Report)] = []
    for _ in 1...min(options.rounds, roundsMax) {
      let ours = try await ours(stack, folder, accounts, clients)
      let baseline = try await baseline(
        stack, folder, accounts, clients, tokenSize: ours.token_bytes)
      rounds.append((ours, baseline))
    }
    let rate = { (report: Storm.Report) in report.clients / report.serving_seconds }
    let ratio = median(rounds.map { rate($0.ours) / rate($0.baseline) })
    let seconds = median(rounds.map(\.ours.seconds))
    let baselineSeconds = median(rounds.map(\.baseline.seconds))
    try sheet.add(
      BenchCase(
        bench: "storm", case: "\(clients) clients come back", unit: "clients/s",
        ours: median(rounds.map { rate($0.ours) }),
        baseline: median(rounds.map { rate($0.baseline) }), ratio: ratio),
      BenchCase(
        bench: "storm", case: "\(clients) clients, from the kill until all are back", unit: "s",
        ours: seconds, baseline: baselineSeconds, ratio: baselineSeconds / seconds))
    sheet.judge(
      .goal, "storm, seconds from the kill until \(clients) clients are back", seconds,
      secondsMax, isAtLeast: false)
    sheet.judge(
      .goal, "storm, clients a second that come back, of those of the C server,", ratio, shareMin,
      isAtLeast: true)
  }

  private static func ours(
    _ stack: Stack, _ folder: URL, _ accounts: ScriptedLoad, _ clients: Int
  ) async throws -> Storm.Report {
    let storm = try await Storm.start(
      folder, clients, port: stack.gatewayPort, on: stack, accounts)
    defer { storm.signal(SIGKILL) }
    let request = try await stack.process("request/1").identifier
    let before = ProcessorTime.seconds(of: request)
    try await stack.kill("gateway")
    try await stack.start("gateway")
    return try await report(storm, "gateway") {
      [
        ("gateway", ProcessorTime.seconds(of: try await stack.process("gateway").identifier)),
        ("request/1", ProcessorTime.seconds(of: request) - before),
      ]
    }
  }

  /// - Parameter tokenSize: the bytes of a token of ours; the C server makes none.
  private static func baseline(
    _ stack: Stack, _ folder: URL, _ accounts: ScriptedLoad, _ clients: Int, tokenSize: Int
  ) async throws -> Storm.Report {
    let (first, port) = try await CServer.start(folder, on: stack)
    defer { first.signal(SIGKILL) }
    let storm = try await Storm.start(
      folder, clients, port: port, on: stack, accounts, echoedTokenSize: tokenSize)
    defer { storm.signal(SIGKILL) }
    first.signal(SIGKILL)
    await first.ended()
    let (second, _) = try await CServer.start(folder, on: stack, port: port)
    defer { second.signal(SIGKILL) }
    return try await report(storm, "C server") {
      [("C server", ProcessorTime.seconds(of: second.identifier))]
    }
  }

  private static func report(
    _ storm: ServerProcess, _ server: String,
    _ used: () async throws -> [(name: String, seconds: Double)]
  ) async throws -> Storm.Report {
    let report = try await Commands.json(Storm.Report.self, of: storm)
    let processors = (try await used() + [("storm", report.cpu_seconds)])
      .map { String(format: "%@ %.0f", $0.0, $0.1 / report.clients * 1e6) }
    Progress.say(
      String(
        format: "  %@: all back after %.1f s, %.1f s of them served; a client after p50 %.0f ms, "
          + "p99 %.0f ms; %.0f attempts, %.0f failed, %.0f refused, %.0f by ticket; "
          + "processor us a client: %@",
        server, report.seconds, report.serving_seconds, report.p50_ms, report.p99_ms,
        report.attempts, report.failed, report.refused, report.resumed,
        processors.joined(separator: ", ")))
    if report.missing > 0 {
      throw BenchFailure("\(server): \(report.missing) clients have not come back. \(storm.errors)")
    }
    return report
  }
}
