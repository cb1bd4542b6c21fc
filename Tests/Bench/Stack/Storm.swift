package import Foundation
package import Stack

/// Clients that sign in, and come back when their server was killed (`Attack/storm.c`).
package enum Storm {
  /// What it prints when all are back, or when its patience ends.
  package struct Report: Decodable, Sendable {
    package var clients, missing: Double
    /// From the first connection that broke until all were back, and from the first handshake of
    /// those that came back.
    package var seconds, serving_seconds: Double
    /// How long it took a client.
    package var p50_ms, p99_ms: Double
    package var attempts, failed, refused: Double
    /// Handshakes by a ticket.
    package var resumed: Double
    package var cpu_seconds: Double
    /// Of the token that each client came back with.
    package var token_bytes: Int
  }

  /// Starts the clients, and waits until all of them are signed in.
  ///
  /// - Parameters:
  ///   - accounts: frames of as many players.
  ///   - echoedTokenSize: for a server that answers with what it is sent, the bytes of a token.
  package static func start(
    _ programs: URL, _ clients: Int, port: UInt16, on stack: Stack, _ accounts: ScriptedLoad,
    echoedTokenSize: Int = 0
  ) async throws -> ServerProcess {
    let storm = try Commands.start(
      programs.appendingPathComponent("storm").path,
      [
        "--port", "\(port)", "--ca", stack.authority, "--clients", "\(clients)",
        "--openings", accounts.path(.openings), "--resume", accounts.path(.resume),
        "--token-at", "\(accounts.tokenAt)", "--echo", "\(echoedTokenSize)",
      ])
    guard await storm.printed("ready\n") else {
      throw BenchFailure("The storm has ended: \(storm.errors)")
    }
    return storm
  }
}
