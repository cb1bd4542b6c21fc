import Foundation
package import Stack

/// Calls by `muster-load`, each connection's next one as soon as the last one is answered.
package struct Load: Sendable {
  /// The figures that the load prints at its end.
  package struct Figures: Decodable, Sendable {
    package var operations: Double
    package var seconds: Double
    package var ops_per_second: Double
    package var p50_us: Double
    package var p99_us: Double
    package var p999_us: Double
    package var max_us: Double
    package var cpu_seconds: Double
    /// How often a player heard of a match, and how long after the last ticket of it; or of a
    /// request, and how long after it was sent.
    package var heard: Double
    package var heard_p50_us: Double
    package var heard_p99_us: Double
    /// Of these, how often and how long after while a long stream was read; how many events were
    /// read of that, and in how many microseconds.
    package var during, during_p99_us, replayed, replay_us: Double
    /// The longest time that a player has waited for a match when the load ended.
    package var waited_us: Double
  }

  /// What is called all the time.
  package enum Play: String, Sendable { case board, moves, tickets, requests, idle }

  package var play = Play.board
  package var board = FilledStack.board
  package var connections = 64
  package var seconds = 10
  /// Of a filled board, whose ranks are asked for; 0 stands for submissions alone.
  package var players = 0
  package var writesPercent = 0
  /// How many players, the last ones, get submitted scores; nil for all.
  package var writers: Int?
  /// Turn-based games that `bench-turns` has written and that are open meanwhile.
  package var openGames = 0
  /// How many friends each request goes to, and how many requests of a sender are under way.
  package var (recipients, depth) = (1, 1)
  /// Events of one more player that are read from the first on meanwhile.
  package var replay = 0
  /// Tickets of other players that wait meanwhile.
  package var waiting = 0

  package init() {}

  package func run(on stack: Stack) async throws -> Figures {
    try await Commands.json(Figures.self, of: await launch(on: stack))
  }

  /// Starts the load, and waits until it measures.
  package func start(on stack: Stack) async throws -> ServerProcess {
    let process = try await launch(on: stack)
    guard await process.printed("measuring\n") else {
      throw BenchFailure("The load has ended: \(process.errors)")
    }
    return process
  }

  /// Makes so many connections to a server that answers any call, such as the C echo, and keeps
  /// them.
  package static func startBare(_ connections: Int, port: UInt16, authority: String) async throws
    -> ServerProcess
  {
    let process = try Commands.start(
      Binaries.url("muster-load").path,
      [
        "--play", "bare", "--port", "\(port)", "--authority", authority, "--operator-secret",
        Stack.operatorSecret, "--connections", "\(connections)", "--seconds", "3600",
      ])
    guard await process.printed("measuring\n") else {
      throw BenchFailure("The load has ended: \(process.errors)")
    }
    return process
  }

  /// Ends a load that measures, before its time is over.
  package static func end(_ process: ServerProcess) async throws -> Figures {
    process.signal(SIGTERM)
    return try await Commands.json(Figures.self, of: process)
  }

  /// Writes the calls to a folder in place of making them.
  func write<Facts: Decodable & Sendable>(to folder: URL, on stack: Stack) async throws -> Facts {
    try await Commands.json(Facts.self, of: await launch(on: stack, ["--script", folder.path]))
  }

  private func launch(on stack: Stack, _ more: [String] = []) async throws -> ServerProcess {
    let arguments = [
      "--play", play.rawValue, "--open-games", "\(openGames)",
      "--waiting", "\(waiting)",
      "--recipients", "\(recipients)", "--depth", "\(depth)", "--replay", "\(replay)",
      "--request-port", "\(await stack.port("request/1"))",
      // A stack may leave this one out.
      "--context-port", "\(max(1, await stack.port("context/1")))",
      "--certificate", stack.certificate("gateway.pem"),
      "--key", stack.certificate("gateway.key"),
      "--port", "\(stack.gatewayPort)", "--authority", stack.authority,
      "--operator-secret", Stack.operatorSecret, "--board", board,
      "--connections", "\(connections)", "--seconds", "\(seconds)",
      "--players", "\(players)", "--writes-percent", "\(writesPercent)",
      "--writers", "\(writers ?? players)",
    ]
    return try Commands.start(Binaries.url("muster-load").path, arguments + more)
  }
}
