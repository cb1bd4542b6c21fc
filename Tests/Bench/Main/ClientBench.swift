import BenchStack
import Foundation
import Stack

/// What the client library costs a program that has many clients, beside the load generator in C,
/// which does nothing but send what was written beforehand: the same calls on the same stack, each
/// connection waiting for its answer. They run by turns.
enum ClientBench {
  private static let players = 100_000
  /// As few as a game with some bots has, and as many as one process is to carry.
  private static let counts = [64, 1_000]

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    let filled = try await FilledStack([.init(players: players)], tell: Progress.say)
    defer { filled.remove() }
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), filled.folder.path])
    let stack = try filled.stack()
    try await stack.start()
    var resident: [(ours: Double, baseline: Double)] = []
    for count in counts {
      resident.append(
        try await compare(stack, filled.folder, connections: count, options, sheet))
    }
    await stack.stop()
    // The first clients pay for what a process needs once.
    let more = Double(counts[1] - counts[0])
    let ours = (resident[1].ours - resident[0].ours) / more
    let baseline = (resident[1].baseline - resident[0].baseline) / more
    try sheet.add(
      BenchCase(
        bench: "client", case: "memory of one more client, of \(counts[1])", unit: "B",
        ours: ours, baseline: baseline, ratio: baseline / ours))
  }

  private static func compare(
    _ stack: Stack, _ folder: URL, connections: Int, _ options: BenchOptions, _ sheet: BenchSheet
  ) async throws -> (ours: Double, baseline: Double) {
    var rounds: [(ours: FrameLoadReport, baseline: FrameLoadReport)] = []
    for round in 1...options.rounds {
      let ours = try await ours(stack, connections: connections, options)
      let baseline = try await baseline(stack, folder, connections: connections, options)
      rounds.append((ours, baseline))
      Progress.say(
        "  \(connections) clients, round \(round): \(describe(ours)); C \(describe(baseline))")
    }
    let (ours, baseline) = (
      median(rounds.map(\.ours.ops_per_second)), median(rounds.map(\.baseline.ops_per_second))
    )
    try sheet.add(
      BenchCase(
        bench: "client", case: "rank reads of \(connections) clients in one process",
        unit: "ops/s", ours: ours, baseline: baseline,
        ratio: median(rounds.map { $0.ours.ops_per_second / $0.baseline.ops_per_second })))
    return (
      median(rounds.map(\.ours.resident_bytes)), median(rounds.map(\.baseline.resident_bytes))
    )
  }

  private static func describe(_ report: FrameLoadReport) -> String {
    String(
      format: "%.0f/s, p50 %.0f us, p99 %.0f us, %.2f cores, %.1f MiB", report.ops_per_second,
      report.p50_us, report.p99_us, report.loadCores,
      report.resident_bytes / 1_048_576)
  }

  private static func ours(_ stack: Stack, connections: Int, _ options: BenchOptions) async throws
    -> FrameLoadReport
  {
    try await Commands.json(
      FrameLoadReport.self, Binaries.url("bench-client").path,
      [
        "--port", "\(stack.gatewayPort)", "--authority", stack.authority,
        "--operator-secret", Stack.operatorSecret, "--board", FilledStack.board,
        "--players", "\(players)", "--connections", "\(connections)",
        "--seconds", "\(options.echoSeconds)",
      ])
  }

  private static func baseline(
    _ stack: Stack, _ folder: URL, connections: Int, _ options: BenchOptions
  ) async throws -> FrameLoadReport {
    var load = Load()
    load.connections = connections
    load.players = players
    let scripted = try await ScriptedLoad(load, on: stack, programs: folder)
    defer { scripted.remove() }
    return try await scripted.run(on: stack, seconds: options.echoSeconds)
  }
}
