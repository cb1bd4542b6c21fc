import BenchStack
import Foundation
import Stack

/// A million pending timers: their memory, and the cost of setting, cancelling and firing one,
/// beside a tree with a hash table in C++; then a service that has them, some of which came due
/// while it was down, beside the same service without any; then one whose due timers are all at one
/// key.
///
/// The timers of the service are expiries of challenges that are no more, each at a key of its own
/// or all at one: what is measured is the way of a timer through the service, not what it does
/// there.
enum TimersBench {
  private static let pending = 1_000_000
  private static let operations = 1_000_000
  static let due = 100_000
  static let players = 100_000
  /// Less than applying the due ones takes.
  private static let loadSeconds = 4

  struct Report: Decodable {
    var set_ns: Double
    var replace_ns: Double
    var cancel_set_ns: Double
    var fire_set_ns: Double
    var resident_bytes: Double
    var checksum: String
    var engine_set_ns: Double?
    var engine_cancel_ns: Double?
    var engine_fire_ns: Double?
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-timers-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    let filled = try await FilledStack([.init(players: players)], tell: Progress.say)
    defer { filled.remove() }
    return try await heap(options, folder)
      + [try await service(options, filled), try await BoardTimersBench.run(options, filled)]
  }

  // MARK: In memory

  private static func heap(_ options: BenchOptions, _ folder: URL) async throws -> [BenchCase] {
    var rounds: [(ours: Report, baseline: Report)] = []
    let arguments = ["\(pending)", "\(operations)"]
    for round in 1...options.rounds {
      let program = folder.appendingPathComponent("timers_set").path
      let baseline = try await Commands.json(Report.self, program, arguments)
      let ours = try await Commands.json(
        Report.self, Binaries.url("bench-timers").path, arguments)
      guard ours.checksum == baseline.checksum else {
        throw BenchFailure("Timers fired in another order than the baseline's.")
      }
      Progress.say(
        String(
          format: "  round %d: through the engine set %.0f ns, cancel %.0f ns, fire %.0f ns", round,
          ours.engine_set_ns ?? 0, ours.engine_cancel_ns ?? 0, ours.engine_fire_ns ?? 0))
      rounds.append((ours, baseline))
    }
    func one(_ name: String, _ unit: String, _ path: KeyPath<Report, Double>) -> BenchCase {
      let ours = rounds.map { $0.ours[keyPath: path] }
      let baseline = rounds.map { $0.baseline[keyPath: path] }
      return BenchCase(
        bench: "timers", case: name, unit: unit, ours: median(ours), baseline: median(baseline),
        ratio: median(zip(baseline, ours).map { $0 / $1 }))
    }
    return [
      one("resident, 1 M pending", "B/timer", \.resident_bytes), one("set", "ns", \.set_ns),
      one("set anew", "ns", \.replace_ns), one("cancel and set", "ns", \.cancel_set_ns),
      one("fire and set", "ns", \.fire_set_ns),
    ]
  }

  // MARK: In a service

  private static func service(_ options: BenchOptions, _ filled: FilledStack) async throws
    -> BenchCase
  {
    var figures: (with: [Double], without: [Double]) = ([], [])
    for round in 1...options.rounds {
      let without = try await serve(filled, "without timers")
      let store = filled.folder.appendingPathComponent("timers-\(round)")
      try FileManager.default.copyItem(at: filled.store, to: store)
      try await Commands.run(
        Binaries.url("bench-fill").path, ["timers", store.path, "\(pending)", "\(due)"])
      let with = try await serve(filled, "with them", store: store)
      try FileManager.default.removeItem(at: store)
      figures.with.append(with)
      figures.without.append(without)
    }
    return BenchCase(
      bench: "timers", case: "p99 of a service, 100 k are due", unit: "us",
      ours: median(figures.with), baseline: median(figures.without),
      ratio: median(zip(figures.without, figures.with).map { $0 / $1 }))
  }

  /// The 99th percentile of calls, a tenth of them submissions, right after the start.
  static func serve(
    _ filled: FilledStack, _ name: String, store: URL? = nil
  ) async throws -> Double {
    let stack = try filled.stack(store: store)
    let began = ContinuousClock.now
    try await stack.start()
    let started = (ContinuousClock.now - began) / .seconds(1)
    Progress.say(String(format: "  %@, started in %.2f s:", name, started))
    let figures = try await FilledStack.load(
      stack, players: players, connections: 64, seconds: loadSeconds, writesPercent: 10)
    try await sayPending(stack)
    await stack.stop()
    return figures.p99_us
  }

  private static func sayPending(_ stack: Stack) async throws {
    Progress.say("    timers.pending \(try await pendingCount(stack))")
  }

  /// Returns how many timers the services report as pending.
  static func pendingCount(_ stack: Stack) async throws -> Int {
    struct Status: Decodable {
      struct Process: Decodable { var metrics: [Metric] }
      struct Metric: Decodable {
        var name: String
        var value: Int
      }
      var processes: [Process]
    }
    let status = try ServerProcess(
      name: "muster status", executable: Binaries.url("muster"),
      arguments: [
        "status", "--json", "--gateway", "127.0.0.1:\(stack.gatewayPort)", "--authority",
        stack.authority,
      ], environment: ["MUSTER_OPERATOR_SECRET": Stack.operatorSecret])
    guard await status.ended() == 0 else { throw BenchFailure(status.errors) }
    let processes = try JSONDecoder().decode(Status.self, from: Data(status.output.utf8)).processes
    return processes.flatMap(\.metrics).reduce(0) {
      $1.name == "timers.pending" ? $0 + $1.value : $0
    }
  }
}
