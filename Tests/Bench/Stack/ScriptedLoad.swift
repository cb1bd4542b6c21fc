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
  /// Of the server, when its process was named.
  private var server_cpu_seconds: Double?

  package var loadCores: Double { cpu_seconds / seconds }
  package var serverCores: Double { (server_cpu_seconds ?? 0) / seconds }
}

/// The calls of a `Load`, made by the generator in C that also drives the C echo: with records
/// sealed by hand and requests written beforehand it leaves the machine to what is measured.
package struct ScriptedLoad: Sendable {
  private struct Facts: Decodable, Sendable {
    var counters_at: Int
    var reply_min: Int
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

  package func run(on stack: Stack, seconds: Int) async throws -> FrameLoadReport {
    try await Commands.json(
      FrameLoadReport.self, generator.path,
      [
        "--port", "\(stack.gatewayPort)", "--ca", stack.authority, "--name", "localhost",
        "--connections", "\(connections)", "--seconds", "\(seconds)",
        "--calls", folder.appendingPathComponent("calls").path,
        "--openings", folder.appendingPathComponent("openings").path,
        "--counters-at", "\(facts.counters_at)", "--reply-min", "\(facts.reply_min)",
      ])
  }
}
