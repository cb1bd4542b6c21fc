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
  /// No player waits so long for a match beside others who fit.
  private static let waitedSecondsMax = 5.0

  private struct Report: Decodable {
    var ticket_ns: Double
    var scan_ns: Double
    var hostile_ns: Double
    var hostile_max_ns: Double
  }

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    var scanNanoseconds: Double?
    await sheet.part("tickets in this process") {
      scanNanoseconds = try await inProcess(options, sheet)
    }
    await sheet.part("durable tickets") {
      try await PlayedLoad.withStack {
        try await durable($0, options, scanNanoseconds: scanNanoseconds ?? .nan, sheet)
      }
    }
  }

  // MARK: In process

  /// Returns the nanoseconds of a scan with the most waiting.
  private static func inProcess(_ options: BenchOptions, _ sheet: BenchSheet) async throws
    -> Double
  {
    let sizes = [options.waiting / 100, options.waiting / 10, options.waiting]
    var costs: [(ours: Double, scan: Double)] = []
    for size in sizes {
      var reports: [Report] = []
      for _ in 1...options.rounds {
        reports.append(
          try await Commands.json(
            Report.self, Binaries.url("bench-queue").path, ["\(size)", "\(operations)"]))
      }
      let cost = (ours: median(reports.map(\.ticket_ns)), scan: median(reports.map(\.scan_ns)))
      costs.append(cost)
      try sheet.add(
        BenchCase(
          bench: "matchmaking", case: "a ticket, \(size) waiting, beside a scan", unit: "ns",
          ours: cost.ours, baseline: cost.scan, ratio: cost.scan / cost.ours))
      if size == sizes.last { try addHostile(reports, sheet) }
    }
    sheet.judge(
      .goal, "matchmaking, a ticket with \(sizes[2]) waiting, times one with \(sizes[0]),",
      costs[2].ours / costs[0].ours, growthMax, isAtLeast: false)
    return costs[2].scan
  }

  /// A ticket that comes in vain where all that wait are made to cost the most, beside what it may.
  private static func addHostile(_ reports: [Report], _ sheet: BenchSheet) throws {
    let cost = median(reports.map(\.hostile_ns))
    try sheet.add(
      BenchCase(
        bench: "matchmaking", case: "a ticket in a hostile queue, beside a bound of 10 ms",
        unit: "ns", ours: cost, baseline: hostileNanosecondsMax,
        ratio: hostileNanosecondsMax / cost))
    sheet.judge(
      .bound, "matchmaking, ns of a ticket in a hostile queue", cost, hostileNanosecondsMax,
      isAtLeast: false)
  }

  // MARK: Through the stack

  /// - Parameter scanNanoseconds: of a ticket of the matchmaker that looks at all. It has neither
  ///   network nor disk: the tickets a second are the most that one core can search for, and a pass
  ///   in which each waiting ticket looks once is what the last ticket of a match waits for where
  ///   matches are made at a tick.
  private static func durable(
    _ stack: Stack, _ options: BenchOptions, scanNanoseconds: Double, _ sheet: BenchSheet
  ) async throws {
    var load = Load()
    load.play = .tickets
    load.waiting = options.waiting
    load.connections = calmConnections
    load.seconds = options.loadSeconds
    let passMilliseconds = scanNanoseconds * Double(options.waiting) / 1e6
    await sheet.part("tickets of \(calmConnections) connections") {
      let calm = try await tickets(load, on: stack)
      try addFound(calm, calmConnections, options, passMilliseconds, sheet)
      sheet.judge(
        .goal,
        "matchmaking, ms from the last ticket to found, p99, \(calmConnections) connections, "
          + "\(options.waiting) waiting,", calm.heard_p99_us / 1e3, foundMillisecondsMax,
        isAtLeast: false)
    }
    // Those of before wait still.
    load.waiting = 0
    load.connections = busyConnections
    await sheet.part("tickets of \(busyConnections) connections") {
      let busy = try await tickets(load, on: stack)
      try sheet.add(
        BenchCase(
          bench: "matchmaking",
          case: "durable tickets, \(busyConnections) connections, beside scans of a core",
          unit: "1/s", ours: busy.ops_per_second, baseline: 1e9 / scanNanoseconds,
          ratio: busy.ops_per_second * scanNanoseconds / 1e9))
      try addFound(busy, busyConnections, options, passMilliseconds, sheet)
      sheet.judge(
        .goal, "matchmaking, durable tickets a second, \(busyConnections) connections,",
        busy.ops_per_second, ticketsPerSecondMin, isAtLeast: true)
    }
  }

  private static func addFound(
    _ report: Load.Figures, _ connections: Int, _ options: BenchOptions,
    _ passMilliseconds: Double, _ sheet: BenchSheet
  ) throws {
    let found = report.heard_p99_us / 1e3
    try sheet.add(
      BenchCase(
        bench: "matchmaking",
        case: "last ticket to found, p99, \(connections) connections, beside a pass over all",
        unit: "ms", ours: found, baseline: passMilliseconds, ratio: passMilliseconds / found))
  }

  private static func tickets(_ load: Load, on stack: Stack) async throws -> Load.Figures {
    let report = try await PlayedLoad.run(
      load, on: stack, "tickets of \(load.connections) connections")
    Progress.say(
      String(
        format: "    from the last ticket to found: p50 %.1f ms, p99 %.1f ms, %.0f times; "
          + "waited at the end: %.1f ms",
        report.heard_p50_us / 1e3, report.heard_p99_us / 1e3, report.heard,
        report.waited_us / 1e3))
    // All fit each other: a player has at most one ticket that is answered and not found.
    guard report.heard > 0, report.heard >= report.operations - Double(load.connections) else {
      throw BenchFailure("\(report.operations) tickets, and \(report.heard) times found.")
    }
    guard report.waited_us <= waitedSecondsMax * 1e6 else {
      throw BenchFailure("A ticket waits for \(report.waited_us / 1e6) s beside others that fit.")
    }
    return report
  }
}
