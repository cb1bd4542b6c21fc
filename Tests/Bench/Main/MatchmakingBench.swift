import BenchStack
import Foundation
import Stack

/// What a ticket of matchmaking costs the service's process with few and with many waiting, beside
/// a matchmaker that looks at the whole pool for each ticket, in the same process.
///
/// Ours is the whole call through the engine, with its rows, its answer and the confirmations of
/// the match that every second ticket makes; the scan is the search alone.
enum MatchmakingBench {
  private static let sizes = [1_000, 10_000, 100_000]
  private static let operations = 50_000
  /// The most that a ticket may cost with the most waiting, as a multiple of that with the fewest.
  private static let growthMax = 2.0

  /// What a search may cost beside tickets that were made to cost the most.
  private static let hostileNanosecondsMax = 10_000_000.0

  private struct Report: Decodable {
    var ticket_ns: Double
    var scan_ns: Double
    var hostile_ns: Double
    var hostile_max_ns: Double
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    var cases: [BenchCase] = []
    for size in sizes {
      var reports: [Report] = []
      for _ in 1...options.rounds {
        reports.append(
          try await Commands.json(
            Report.self, Binaries.url("bench-queue").path, ["\(size)", "\(operations)"]))
      }
      let (ours, scan) = (
        median(reports.map(\.ticket_ns)), median(reports.map(\.scan_ns))
      )
      cases.append(
        BenchCase(
          bench: "matchmaking", case: "a ticket, \(size / 1_000) k waiting", unit: "ns",
          ours: ours, baseline: scan, ratio: scan / ours))
      if size == sizes.last { cases.append(try hostile(reports)) }
    }
    if let few = cases.first?.ours, let many = cases.dropLast().last?.ours {
      Progress.say(String(format: "  with the most waiting %.2f times the cost", many / few))
      if many > few * growthMax {
        throw BenchFailure("What a ticket costs grows with the pool.")
      }
    }
    return cases
  }

  /// A ticket that comes in vain where all that wait are made to cost the most, beside what it may.
  private static func hostile(_ reports: [Report]) throws -> BenchCase {
    let cost = median(reports.map(\.hostile_ns))
    if cost > hostileNanosecondsMax { throw BenchFailure("A hostile queue costs too much.") }
    return BenchCase(
      bench: "matchmaking", case: "a ticket in a hostile queue, beside its bound", unit: "ns",
      ours: cost, baseline: hostileNanosecondsMax, ratio: hostileNanosecondsMax / cost)
  }
}
