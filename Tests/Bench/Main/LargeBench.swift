import BenchStack
import Foundation
import Stack

/// A board of ten million players in the real leaderboard process: what it takes of memory, beside
/// Redis with the same members, and how long a start takes, beside one SQLite query over the rows.
enum LargeBench {
  private static let service = FilledStack.service
  /// Starts and scans, in turn.
  private static let restarts = 3

  struct Scan: Decodable {
    var rows: Int
    var seconds: Double
  }

  struct RedisReport: Decodable {
    var members: Int
    var resident_bytes: Double
    var resident_bytes_empty: Double
  }

  static func run(_ options: BenchOptions) async throws -> [BenchCase] {
    let bare = try await bareProcess()
    let filled = try await FilledStack(
      [.init(players: options.players)], tell: Progress.say)
    defer { filled.remove() }
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), filled.folder.path])
    let stack = try filled.stack()
    try await stack.start()
    let restart = try await measureRestarts(stack, filled, options.players)
    let bytes = try await measureMemory(stack, options, bare: bare)
    await stack.stop()
    let redis = try await redisBytes(filled, options.players)
    return [
      restart,
      BenchCase(
        bench: "large", case: "resident, \(options.players) entries", unit: "B/entry",
        ours: bytes, baseline: redis, ratio: redis / bytes),
    ]
  }

  /// What the process takes that has no rows.
  private static func bareProcess() async throws -> Double {
    let stack = try Stack()
    try await stack.start()
    let bytes = ProcessMemory(of: try await stack.process(service).identifier).resident
    await stack.stop()
    return bytes
  }

  // MARK: Restart

  /// The scan is what SQLite takes for all columns of the same rows, which are in the system's page
  /// cache for both.
  private static func measureRestarts(
    _ stack: Stack, _ filled: FilledStack, _ players: Int
  ) async throws -> BenchCase {
    var figures: (ours: [Double], scans: [Double]) = ([], [])
    for round in 0...restarts {
      let scan = try await Commands.json(
        Scan.self, filled.folder.appendingPathComponent("table_scan").path,
        [filled.tables.path, "entry"])
      guard scan.rows == players else {
        throw BenchFailure("The store has \(scan.rows) entries.")
      }
      try await stack.kill(service)
      let began = ContinuousClock.now
      try await stack.start(service)
      let taken = (ContinuousClock.now - began) / .seconds(1)
      // The first round warms the cache.
      if round == 0 { continue }
      figures.scans.append(scan.seconds)
      figures.ours.append(taken)
      Progress.say(
        String(
          format: "  restart %.2f s, scan %.2f s, %.2f times", taken, scan.seconds,
          taken / scan.seconds))
    }
    let (ours, scans) = (median(figures.ours), median(figures.scans))
    return BenchCase(
      bench: "large", case: "restart to ready", unit: "s", ours: ours, baseline: scans,
      ratio: scans / ours)
  }

  // MARK: Memory

  /// Resident bytes for an entry, all in all, after a time of reads and changes.
  private static func measureMemory(
    _ stack: Stack, _ options: BenchOptions, bare: Double
  ) async throws -> Double {
    let identifier = try await stack.process(service).identifier
    let players = Double(options.players)
    Progress.say(String(format: "  resident without rows: %.1f MiB", bare / 1_048_576))
    Progress.say("  after the start: \(ProcessMemory(of: identifier).perEntry(players))")
    for writesPercent in [0, 50] {
      _ = try await FilledStack.load(
        stack, players: options.players, connections: 64, seconds: options.loadSeconds,
        writesPercent: writesPercent)
      Progress.say("  after it: \(ProcessMemory(of: identifier).perEntry(players))")
    }
    return ProcessMemory(of: identifier).resident / players
  }

  private static func redisBytes(_ filled: FilledStack, _ players: Int) async throws -> Double {
    let report = try await Commands.json(
      RedisReport.self, "bash",
      [
        Commands.source("redis_memory.sh"), filled.folder.path,
        Binaries.url("bench-fill").path, "\(players)",
      ])
    guard report.members == players else {
      throw BenchFailure("Redis has \(report.members) members.")
    }
    Progress.say(
      String(
        format: "  redis: %.1f bytes an entry, %.1f MiB before",
        report.resident_bytes / Double(players), report.resident_bytes_empty / 1_048_576))
    return report.resident_bytes / Double(players)
  }
}

/// The memory of a process, as the kernel counts it.
struct ProcessMemory {
  var resident: Double
  /// The most that it ever had.
  var peak: Double

  init(of identifier: Int32) {
    let text = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
    func bytes(_ name: String) -> Double {
      let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
      return (kibibytes.flatMap { Double($0) } ?? 0) * 1024
    }
    resident = bytes("VmRSS")
    peak = bytes("VmHWM")
  }

  func perEntry(_ players: Double) -> String {
    String(
      format: "%.1f bytes an entry (%.1f MiB), at the most %.1f", resident / players,
      resident / 1_048_576, peak / players)
  }
}
