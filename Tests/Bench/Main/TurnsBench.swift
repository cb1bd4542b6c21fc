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
  /// Bytes in memory of a game of two players with its context, its timer and its places in lists.
  private static let bytesMax = 8_192.0
  /// Seconds from the start of the process until it serves, with all of them.
  private static let restartSecondsMax = 60.0
  private static let restarts = 3
  /// The most that a move may cost with many open, as a multiple of that with few.
  private static let growthMax = 3.0

  private struct Moves: Decodable {
    var resident_bytes: Double
    var move_ns: Double
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    try await inProcess() + durable(options) + million(options)
  }

  // MARK: In this process

  private static func inProcess() async throws -> [BenchCase] {
    let program = Binaries.url("bench-turns").path
    let small = try await Commands.json(Moves.self, program, ["moves", "\(few)", "\(moves)"])
    let large = try await Commands.json(
      Moves.self, program, ["moves", "\(many / 10)", "\(moves)"])
    guard large.move_ns <= small.move_ns * growthMax else {
      throw BenchFailure(
        "A move takes \(large.move_ns) ns where it took \(small.move_ns).")
    }
    return [
      BenchCase(
        bench: "turns", case: "a move in memory, 100 k or 1 k open", unit: "ns",
        ours: large.move_ns, baseline: small.move_ns, ratio: small.move_ns / large.move_ns)
    ]
  }

  // MARK: Through the stack

  private static func durable(_ options: BenchOptions) async throws -> [BenchCase] {
    // Half of the baseline before and half after: the machine's speed drifts.
    let before = try await SubmitBench.redis(options)
    let stack = try PlayedLoad.stack()
    try await stack.start()
    var load = Load()
    load.play = .moves
    load.connections = connections
    load.seconds = options.submitSeconds
    let ours = try await PlayedLoad.run(load, on: stack, "moves")
    for file in SubmitBench.files(of: stack, "context") { Progress.say("  \(file)") }
    await stack.stop()
    let after = try await SubmitBench.redis(options)
    let baseline = (before.ops_per_second + after.ops_per_second) / 2
    let ratio = ours.ops_per_second / baseline
    PlayedLoad.judge("durable moves, of Redis,", ratio, redisShareMin, isAtLeast: true)
    return [
      BenchCase(
        bench: "turns", case: "\(connections) connections, durable", unit: "moves/s",
        ours: ours.ops_per_second, baseline: baseline, ratio: ratio)
    ]
  }

  // MARK: A million open games

  private static func million(_ options: BenchOptions) async throws -> [BenchCase] {
    let bare = try await bareProcess()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-turns-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let began = ContinuousClock.now
    try await Commands.run(
      Binaries.url("bench-turns").path, ["fill", folder.path, Stack.game, "\(options.games)"])
    Progress.say("  \(options.games) games written in \(ContinuousClock.now - began)")
    let stack = try PlayedLoad.stack(contextStore: folder)
    try await stack.start()
    let restart = try await measureRestarts(stack)
    let bytes = try await measureMemory(stack, options, bare: bare)
    await stack.stop()
    PlayedLoad.judge("bytes of an open game", bytes, bytesMax, isAtLeast: false)
    PlayedLoad.judge("seconds of a restart", restart, restartSecondsMax, isAtLeast: false)
    return [
      BenchCase(
        bench: "turns", case: "an open game of \(options.games)", unit: "B", ours: bytes,
        baseline: bytesMax, ratio: bytesMax / bytes),
      BenchCase(
        bench: "turns", case: "restart with \(options.games) games", unit: "s", ours: restart,
        baseline: restartSecondsMax, ratio: restartSecondsMax / restart),
    ]
  }

  /// What the process takes that has no rows.
  private static func bareProcess() async throws -> Double {
    let stack = try PlayedLoad.stack()
    try await stack.start()
    let bytes = ProcessMemory(of: try await stack.process(service).identifier).resident
    await stack.stop()
    return bytes
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

  /// Resident bytes for a game, all in all, right after a start; then moves are made, with the
  /// games open.
  private static func measureMemory(_ stack: Stack, _ options: BenchOptions, bare: Double)
    async throws -> Double
  {
    let memory = ProcessMemory(of: try await stack.process(service).identifier)
    let bytes = (memory.resident - bare) / Double(options.games)
    Progress.say(
      String(
        format: "  resident: %.1f MiB, and %.1f MiB without games; %.0f bytes a game",
        memory.resident / 1_048_576, bare / 1_048_576, bytes))
    var load = Load()
    load.play = .moves
    load.connections = connections
    load.seconds = options.loadSeconds
    load.openGames = options.games
    _ = try await PlayedLoad.run(load, on: stack, "moves with \(options.games) games open")
    return bytes
  }
}
