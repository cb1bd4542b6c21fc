import BenchStack
import Foundation
import Stack

/// What a ticket of matchmaking costs with few and with many waiting, beside a matchmaker that
/// looks at the whole pool for each ticket; and then, with the most waiting, durable tickets of
/// players on real connections, and how long they wait for their match once its last ticket has
/// come.
///
/// In process ours is the whole call through the engine, with its rows, its answer and the
/// confirmations of the match that every second ticket makes; the scan is the search alone.
enum MatchmakingBench {
  private static let operations = 50_000
  /// The most that a ticket may cost with the most waiting, as a multiple of that with the fewest.
  private static let growthMax = 2.0
  /// What a search may cost beside tickets that were made to cost the most.
  private static let hostileNanosecondsMax = 10_000_000.0
  /// Players who keep the machine busy, and players who leave it some rest.
  private static let (busyConnections, calmConnections) = (512, 32)
  private static let ticketsPerSecondMin = 10_000.0
  private static let foundMillisecondsMax = 100.0

  private struct Report: Decodable {
    var ticket_ns: Double
    var scan_ns: Double
    var hostile_ns: Double
    var hostile_max_ns: Double
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let sizes = [options.waiting / 100, options.waiting / 10, options.waiting]
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
          bench: "matchmaking", case: "a ticket, \(size) waiting", unit: "ns", ours: ours,
          baseline: scan, ratio: scan / ours))
      if size == sizes.last { cases.append(try hostile(reports)) }
    }
    let (few, many) = (cases[0], cases[2])
    let growth = many.ours / few.ours
    PlayedLoad.judge(
      "a ticket with the most waiting, times the fewest,", growth, growthMax, isAtLeast: false)
    if growth > growthMax { throw BenchFailure("What a ticket costs grows with the pool.") }
    return try await cases + durable(options, scanNanoseconds: many.baseline)
  }

  /// A ticket that comes in vain where all that wait are made to cost the most, beside what it may.
  private static func hostile(_ reports: [Report]) throws -> BenchCase {
    let cost = median(reports.map(\.hostile_ns))
    if cost > hostileNanosecondsMax { throw BenchFailure("A hostile queue costs too much.") }
    return BenchCase(
      bench: "matchmaking", case: "a ticket in a hostile queue, bound", unit: "ns",
      ours: cost, baseline: hostileNanosecondsMax, ratio: hostileNanosecondsMax / cost)
  }

  // MARK: Through the stack

  /// - Parameter scanNanoseconds: of a ticket of the matchmaker that looks at all. It has neither
  ///   network nor disk: the tickets a second are the most that one core can search for, and a pass
  ///   in which each waiting ticket looks once is what the last ticket of a match waits for where
  ///   matches are made at a tick.
  private static func durable(_ options: BenchOptions, scanNanoseconds: Double) async throws
    -> [BenchCase]
  {
    let stack = try PlayedLoad.stack()
    try await stack.start()
    var load = Load()
    load.play = .tickets
    load.waiting = options.waiting
    load.connections = calmConnections
    load.seconds = options.loadSeconds
    let calm = try await tickets(load, on: stack)
    // Those of before wait still.
    load.waiting = 0
    load.connections = busyConnections
    load.seconds = options.loadSeconds
    let busy = try await tickets(load, on: stack)
    await stack.stop()
    let scanPerSecond = 1e9 / scanNanoseconds
    let passMilliseconds = scanNanoseconds * Double(options.waiting) / 1e6
    let found = calm.found_p99_us / 1e3
    PlayedLoad.judge(
      "durable tickets a second", busy.ops_per_second, ticketsPerSecondMin, isAtLeast: true)
    PlayedLoad.judge(
      "milliseconds from the last ticket to found, p99,", found, foundMillisecondsMax,
      isAtLeast: false)
    return [
      BenchCase(
        bench: "matchmaking", case: "durable tickets, beside a scan", unit: "1/s",
        ours: busy.ops_per_second, baseline: scanPerSecond,
        ratio: busy.ops_per_second / scanPerSecond),
      BenchCase(
        bench: "matchmaking", case: "last ticket to found, p99, a tick", unit: "ms", ours: found,
        baseline: passMilliseconds, ratio: passMilliseconds / found),
    ]
  }

  private static func tickets(_ load: Load, on stack: Stack) async throws -> Load.Figures {
    let report = try await PlayedLoad.run(
      load, on: stack, "tickets of \(load.connections) connections")
    Progress.say(
      String(
        format: "    from the last ticket to found: p50 %.1f ms, p99 %.1f ms, %.0f times",
        report.found_p50_us / 1e3, report.found_p99_us / 1e3, report.found))
    return report
  }
}
