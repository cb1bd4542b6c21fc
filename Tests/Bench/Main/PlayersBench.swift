import BenchStack
import Foundation
import Stack

/// The memory of the answers that are remembered for many players, by what their clients do: beside
/// it the bound that it must keep, which follows from how many answers may be remembered.
enum PlayersBench {
  private static let players = 100_000
  private static let calls = 10_000

  private struct Report: Decodable {
    var rows: Double
    var bytes: Double
    var instances: Double
    var refused: Double
    var call_ns: Double
    var resident_bytes: Double
  }

  /// The most instances and answers of one player, by the clients' habit. Eight greedy ones have
  /// answers; and of 148 that made room, or of one where a player makes few calls, the floor is
  /// known.
  private static let habits: [(name: String, instances: Double, answers: Double)] = [
    ("acknowledging", 1, 1), ("silent", 1, 64), ("greedy", 11, 512),
  ]

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    var cases: [BenchCase] = []
    for habit in habits {
      let report = try await Commands.json(
        Report.self, Binaries.url("bench-answers").path, ["\(players)", "\(calls)", habit.name])
      let count = Double(players)
      Progress.say(
        String(
          format: "  %@: %.0f answers of %.0f bytes, %.0f instances, %.0f calls refused, "
            + "%.0f ns a call, %.0f MB resident",
          habit.name, report.rows, report.bytes, report.instances, report.refused, report.call_ns,
          report.resident_bytes / 1e6))
      let bound = 512 + habit.instances * 192 + habit.answers * 32
      let ours = report.resident_bytes / count
      guard report.rows <= habit.answers * count, ours <= bound else {
        throw BenchFailure(
          "Clients that are \(habit.name) take \(ours) bytes a player, more than \(bound).")
      }
      cases.append(
        BenchCase(
          bench: "players", case: "\(habit.name), 10 k calls each", unit: "B/player", ours: ours,
          baseline: bound, ratio: bound / ours))
    }
    return cases
  }
}
