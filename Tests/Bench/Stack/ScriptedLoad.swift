package import Foundation
package import Stack

/// What the load generator in C (`Baseline/frame_load.c`) prints at its end.
package struct FrameLoadReport: Decodable, Sendable {
  package var operations: Double
  package var seconds: Double
  package var ops_per_second: Double
  package var p50_us: Double
  package var p99_us: Double
  package var cpu_seconds: Double
  /// The most that the load has had in memory.
  package var resident_bytes: Double
  /// The longest that a call took, and how many were refused; other loads that print such a report
  /// tell neither.
  private var max_us, refused: Double?
  /// Of the server, when its process was named.
  private var server_cpu_seconds: Double?

  package var loadCores: Double { cpu_seconds / seconds }
  package var serverCores: Double { (server_cpu_seconds ?? 0) / seconds }
  package var longest: Double { max_us ?? 0 }
  package var refusedCount: Double { refused ?? 0 }
}

/// The calls of a `Load`, made by the generator in C that also drives the C echo: with records
/// sealed by hand and requests written beforehand it leaves the machine to what is measured.
package struct ScriptedLoad: Sendable {
  private struct Facts: Decodable, Sendable {
    var counters_at: Int
    var reply_min: Int
    var token_at: Int
  }

  /// What is written for a load whose players only stay connected.
  package enum Frames: String, Sendable {
    /// How each connection signs in.
    case openings
    /// A call with which a session is resumed, without its token.
    case resume
    /// A call of the largest size that is taken from a client, and one of half of that.
    case large = "echo-65536"
    case half = "echo-32768"
  }

  private let generator: URL
  private let folder: URL
  private let connections: Int
  private let facts: Facts

  /// Writes the calls, and signs up who makes them.
  ///
  /// - Parameter programs: where `Baseline/build.sh` has put the generator.
  package init(_ load: Load, on stack: Stack, programs: URL) async throws {
    generator = programs.appendingPathComponent("frame_load")
    folder = programs.appendingPathComponent("script-\(UUID().uuidString)")
    connections = load.connections
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    facts = try await load.write(to: folder, on: stack)
  }

  package func remove() { try? FileManager.default.removeItem(at: folder) }

  package func path(_ frames: Frames) -> String {
    folder.appendingPathComponent(frames.rawValue).path
  }

  /// Where `Frames.resume` has the length of its token.
  package var tokenAt: Int { facts.token_at }

  package func run(on stack: Stack, seconds: Int) async throws -> FrameLoadReport {
    try await Commands.json(
      FrameLoadReport.self, generator.path, arguments(stack, seconds: seconds))
  }

  /// Starts connections that each make so many calls a second, and waits until they have done so
  /// for `seconds`. Their process then has printed a report, prints another after `pause` and
  /// `seconds` more, and ends.
  package func start(on stack: Stack, pace: Int, seconds: Int, pause: Int) async throws
    -> ServerProcess
  {
    let process = try Commands.start(
      generator.path,
      arguments(stack, seconds: seconds) + ["--pace", "\(pace)", "--again", "\(pause)"])
    guard await process.printed("}\n") else {
      throw BenchFailure("The load has ended: \(process.errors)")
    }
    return process
  }

  private func arguments(_ stack: Stack, seconds: Int) -> [String] {
    [
      "--port", "\(stack.gatewayPort)", "--ca", stack.authority, "--name", "localhost",
      "--connections", "\(connections)", "--seconds", "\(seconds)",
      "--calls", folder.appendingPathComponent("calls").path,
      "--openings", path(.openings),
      "--counters-at", "\(facts.counters_at)", "--reply-min", "\(facts.reply_min)",
    ]
  }
}
