import BenchStack
import Foundation
import Stack

/// What open turn-based games cost the context service's process: their memory beside the bound
/// that it must keep, the time of a restart beside the one that it must keep, and what a move costs
/// with many of them open beside what it costs with few.
enum TurnsBench {
  private static let few = 1_000
  private static let many = 1_000_000
  private static let moves = 200_000
  /// Bytes in memory of a game of two players with its context, its timer and its places in lists.
  private static let bytesMax = 8_192.0
  /// Seconds of the processor for loading them all, without reading them from the disk.
  private static let restartSecondsMax = 60.0
  /// The most that a move may cost with many open, as a multiple of that with few.
  private static let growthMax = 3.0

  private struct Moves: Decodable {
    var resident_bytes: Double
    var move_ns: Double
  }

  private struct Restart: Decodable {
    var restart_seconds: Double
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let program = Binaries.url("bench-turns").path
    let small = try await Commands.json(Moves.self, program, ["moves", "\(few)", "\(moves)"])
    let large = try await Commands.json(Moves.self, program, ["moves", "\(many)", "\(moves)"])
    let restart = try await Commands.json(Restart.self, program, ["restart", "\(many)"])
    let bytes = large.resident_bytes / Double(many)
    guard bytes <= bytesMax, restart.restart_seconds <= restartSecondsMax,
      large.move_ns <= small.move_ns * growthMax
    else {
      throw BenchFailure(
        "A game takes \(bytes) bytes, a restart \(restart.restart_seconds) s, and a move "
          + "\(large.move_ns) ns where it took \(small.move_ns).")
    }
    return [
      BenchCase(
        bench: "turns", case: "an open game of a million", unit: "B", ours: bytes,
        baseline: bytesMax, ratio: bytesMax / bytes),
      BenchCase(
        bench: "turns", case: "a restart with a million games", unit: "s",
        ours: restart.restart_seconds, baseline: restartSecondsMax,
        ratio: restartSecondsMax / restart.restart_seconds),
      BenchCase(
        bench: "turns", case: "a move, a million open or 1 k", unit: "ns", ours: large.move_ns,
        baseline: small.move_ns, ratio: small.move_ns / large.move_ns),
    ]
  }
}
