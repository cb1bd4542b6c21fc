import BenchStack
import Foundation
import Stack

/// Moves of turn-based games through the whole stack, beside Redis as in `submit`; and what a
/// million open games cost the context service's process: its memory beside the bound that it must
/// keep, a start beside the one that it must keep, and a move with many of them open beside one
/// with few.
///
/// A move changes the game's row, adds one with the move and one with the state, tells the other
/// player by the durable stream and a hint, and moves the game in both players' lists. A ZADD adds
/// a member to one set.
enum TurnsBench {
  private static let few = 1_000
  private static let many = 1_000_000
  private static let moves = 200_000
  private static let connections = SubmitBench.connections
  private static let service = "context/1"
  /// Of Redis.
  private static let redisShareMin = 0.8
  /// Our own bound: bytes in memory of a game of two players with its context, its timer and its
  /// places in lists.
  private static let bytesMax = 8_192.0
  /// Our own bound: seconds from the start of the process until it serves, with all of them.
  private static let restartSecondsMax = 60.0
  private static let restarts = 3
  /// The most that a move may cost with many open, as a multiple of that with few.
  private static let growthMax = 3.0

  private struct Moves: Decodable {
    var resident_bytes: Double
    var move_ns: Double
  }

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    await sheet.part("moves in this process") { try await inProcess(sheet) }
    await sheet.part("durable moves") { try await durable(options, sheet) }
    await sheet.part("open games") { try await million(options, sheet) }
  }

  // MARK: In this process

  private static func inProcess(_ sheet: BenchSheet) async throws {
    let program = Binaries.url("bench-turns").path
    let small = try await Commands.json(Moves.self, program, ["moves", "\(few)", "\(moves)"])
    let large = try await Commands.json(
      Moves.self, program, ["moves", "\(many / 10)", "\(moves)"])
    try sheet.add(
      BenchCase(
        bench: "turns", case: "a move in memory, 100 k open beside 1 k", unit: "ns",
        ours: large.move_ns, baseline: small.move_ns, ratio: small.move_ns / large.move_ns))
    sheet.judge(
      .bound, "turns, a move in memory with 100 k games open, times one with 1 k,",
      large.move_ns / small.move_ns, growthMax, isAtLeast: false)
  }

  // MARK: Through the stack

  private static func durable(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    // Half of the baseline before and half after: the machine's speed drifts.
    let before = try await SubmitBench.redis(options)
    var load = Load()
    load.play = .moves
    load.connections = connections
    load.seconds = options.submitSeconds
    let ours = try await PlayedLoad.withStack { stack in
      let ours = try await PlayedLoad.run(load, on: stack, "moves")
      for file in SubmitBench.files(of: stack, "context") { Progress.say("  \(file)") }
      return ours
    }
    let after = try await SubmitBench.redis(options)
    let baseline = (before.ops_per_second + after.ops_per_second) / 2
    let ratio = ours.ops_per_second / baseline
    try sheet.add(
      BenchCase(
        bench: "turns", case: "durable moves, \(connections) connections, beside Redis",
        unit: "moves/s", ours: ours.ops_per_second, baseline: baseline, ratio: ratio))
    sheet.judge(
      .goal, "turns, durable moves a second of \(connections) connections, of Redis's,", ratio,
      redisShareMin, isAtLeast: true)
  }

  // MARK: A million open games

  private static func million(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    let bare = try await bareProcess()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-turns-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let began = ContinuousClock.now
    try await Commands.run(
      Binaries.url("bench-turns").path, ["fill", folder.path, Stack.game, "\(options.games)"])
    Progress.say("  \(options.games) games written in \(ContinuousClock.now - began)")
    try await PlayedLoad.withStack(contextStore: folder) {
      try await measureGames($0, options, bare: bare, sheet)
    }
  }

  private static func measureGames(
    _ stack: Stack, _ options: BenchOptions, bare: Double, _ sheet: BenchSheet
  ) async throws {
    let restart = try await measureRestarts(stack)
    try sheet.add(
      BenchCase(
        bench: "turns", case: "warm restart with \(options.games) games, beside a bound", unit: "s",
        ours: restart, baseline: restartSecondsMax, ratio: restartSecondsMax / restart))
    sheet.judge(
      .bound, "turns, seconds of a warm restart with \(options.games) games", restart,
      restartSecondsMax, isAtLeast: false)
    let bytes = try await measureMemory(stack, options, bare: bare)
    try sheet.add(
      BenchCase(
        bench: "turns", case: "an open game of \(options.games), beside a bound", unit: "B",
        ours: bytes, baseline: bytesMax, ratio: bytesMax / bytes))
    sheet.judge(
      .bound, "turns, bytes of an open game of \(options.games)", bytes, bytesMax,
      isAtLeast: false)
    try await playOpenGames(stack, options)
  }

  /// What the process takes that has no rows.
  private static func bareProcess() async throws -> Double {
    try await PlayedLoad.withStack { stack in
      ProcessMemory(of: try await stack.process(service).identifier).resident
    }
  }

  private static func measureRestarts(_ stack: Stack) async throws -> Double {
    var figures: [Double] = []
    for round in 0...restarts {
      try await stack.kill(service)
      let began = ContinuousClock.now
      try await stack.start(service)
      // The first round warms the system's cache.
      if round > 0 { figures.append((ContinuousClock.now - began) / .seconds(1)) }
    }
    Progress.say(
      "  restarts: " + figures.map { String(format: "%.2f s", $0) }.joined(separator: ", "))
    return median(figures)
  }

  /// Resident bytes for a game, all in all, right after a start.
  private static func measureMemory(_ stack: Stack, _ options: BenchOptions, bare: Double)
    async throws -> Double
  {
    let memory = ProcessMemory(of: try await stack.process(service).identifier)
    let bytes = (memory.resident - bare) / Double(options.games)
    Progress.say(
      String(
        format: "  resident: %.1f MiB, and %.1f MiB without games; %.0f bytes a game",
        memory.resident / 1_048_576, bare / 1_048_576, bytes))
    return bytes
  }

  private static func playOpenGames(_ stack: Stack, _ options: BenchOptions) async throws {
    var load = Load()
    load.play = .moves
    load.connections = connections
    load.seconds = options.loadSeconds
    load.openGames = options.games
    _ = try await PlayedLoad.run(load, on: stack, "moves with \(options.games) games open")
  }
}
