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
  }

  package var board = FilledStack.board
  package var connections = 64
  package var seconds = 10
  /// Of a filled board, whose ranks are asked for; 0 stands for submissions alone.
  package var players = 0
  package var writesPercent = 0
  /// How many players, the last ones, get submitted scores; nil for all.
  package var writers: Int?

  package init() {}

  package func run(on stack: Stack) async throws -> Figures {
    try await Commands.json(Figures.self, of: launch(on: stack))
  }

  /// Starts the load, and waits until it measures.
  package func start(on stack: Stack) async throws -> ServerProcess {
    let process = try launch(on: stack)
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
    try await Commands.json(Facts.self, of: launch(on: stack, ["--script", folder.path]))
  }

  private func launch(on stack: Stack, _ more: [String] = []) throws -> ServerProcess {
    let arguments = [
      "--port", "\(stack.gatewayPort)", "--authority", stack.authority,
      "--operator-secret", Stack.operatorSecret, "--board", board,
      "--connections", "\(connections)", "--seconds", "\(seconds)",
      "--players", "\(players)", "--writes-percent", "\(writesPercent)",
      "--writers", "\(writers ?? players)",
    ]
    return try Commands.start(Binaries.url("muster-load").path, arguments + more)
  }
}
