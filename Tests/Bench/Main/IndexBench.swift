import BenchStack
import Foundation
import Stack

/// Our rank index against libstdc++'s order-statistic tree: a random player's value becomes
/// another, and what rank has it now? Uniform 64-bit values, the same numbers on both sides.
///
/// Both find a player's present key by number in an array. "update gives rank" is how the service
/// uses it; in "rank asked apart" ours, too, goes down once more for the rank. Times are of the
/// processor, and both run in turn, so that other work on the machine does less harm.
enum IndexBench {
  struct Report: Decodable {
    var ns_per_operation: Double
    var checksum: String
    var bytes_per_entry: Double?
  }

  private static let sizes: [(name: String, players: Int)] = [
    ("10 k", 10_000), ("100 k", 100_000), ("1 M", 1_000_000), ("10 M", 10_000_000),
  ]
  /// Fewer would be over in a moment, in which anything may happen to the machine.
  private static let operations = 1_000_000
  private static let smallOperations = 2_000_000
  /// A small index lives in the processor's second cache. What others on the host leave of it
  /// differs from round to round by more than half, so it takes more of them.
  private static let smallRoundsFactor = 3
  /// Filling the baseline with ten million entries takes longer than all else.
  private static let largeRoundsMax = 3

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    let baseline = folder.appendingPathComponent("index_pbds").path
    var cases: [BenchCase] = []
    for size in sizes {
      cases += try await measure(
        size.name, size.players, rounds(size.players, options), baseline)
    }
    return cases
  }

  private static func isSmall(_ players: Int) -> Bool { players <= 100_000 }

  private static func rounds(_ players: Int, _ options: BenchOptions) -> Int {
    if isSmall(players) { return options.rounds * smallRoundsFactor }
    return players > 1_000_000 ? min(largeRoundsMax, options.rounds) : options.rounds
  }

  private static func measure(
    _ name: String, _ players: Int, _ rounds: Int, _ program: String
  ) async throws -> [BenchCase] {
    var baseline: [Double] = []
    var given: [Double] = []
    var asked: [Double] = []
    let count = isSmall(players) ? smallOperations : operations
    let arguments = ["\(players)", "\(count)"]
    let ours = Binaries.url("bench-index").path
    for round in 1...rounds {
      let theirs = try await Commands.json(Report.self, program, arguments)
      let update = try await Commands.json(Report.self, ours, ["update"] + arguments)
      let ask = try await Commands.json(Report.self, ours, ["ask"] + arguments)
      guard theirs.checksum == update.checksum && theirs.checksum == ask.checksum else {
        throw BenchFailure("Ours and the baseline gave different ranks for \(name) entries.")
      }
      baseline.append(theirs.ns_per_operation)
      given.append(update.ns_per_operation)
      asked.append(ask.ns_per_operation)
      Progress.say(
        String(
          format: "  %@, round %d: ours %.0f ns, asked apart %.0f ns, %.1f bytes an entry; "
            + "pbds %.0f ns", name, round, update.ns_per_operation, ask.ns_per_operation,
          update.bytes_per_entry ?? 0, theirs.ns_per_operation))
    }
    return [
      oneCase("\(name), update gives rank", given, baseline),
      oneCase("\(name), rank asked apart", asked, baseline),
    ]
  }

  private static func oneCase(_ name: String, _ ours: [Double], _ baseline: [Double]) -> BenchCase {
    BenchCase(
      bench: "index", case: name, unit: "ns", ours: median(ours), baseline: median(baseline),
      ratio: median(zip(baseline, ours).map { $0 / $1 }))
  }
}
