import BenchStack
import Foundation
import Stack

/// Others who play: on the board that is ranked anew, and on another one.
struct ReRankLoad {
  static let otherBoard = "bench-other"

  struct Measured {
    var board: String
    var figures: Load.Figures
  }

  private let stack: Stack
  private let loads: [(board: String, load: Load)]

  init(_ options: ReRankOptions, _ stack: Stack) {
    self.stack = stack
    loads = [
      ("the same board", FilledStack.board, options.players),
      ("another board", Self.otherBoard, options.otherPlayers),
    ].map { (name: String, board: String, players: Int) in
      var load = Load()
      load.board = board
      load.connections = options.connections
      load.seconds = Self.secondsMax
      load.players = players
      load.writesPercent = options.writesPercent
      load.writers = min(options.writers.count, players)
      return (name, load)
    }
  }

  /// It is ended before.
  private static var secondsMax: Int { 3_600 }

  /// Measures others' calls for as long as `body` takes.
  func during(_ body: () async throws -> Void) async throws -> [Measured] {
    var running: [ServerProcess] = []
    // Those that have ended do not mind.
    defer { for process in running { process.signal(SIGKILL) } }
    for (_, load) in loads { running.append(try await load.start(on: stack)) }
    try await body()
    var measured: [Measured] = []
    for (process, (board, _)) in zip(running, loads) {
      measured.append(Measured(board: board, figures: try await Load.end(process)))
    }
    return measured
  }

  static func describe(_ measured: [Measured], _ when: String) -> [String] {
    measured.map {
      let figures = $0.figures
      return String(
        format: "  %@, %@: %.0f/s, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, max %.1f ms in %.1f s",
        when, $0.board, figures.ops_per_second, figures.p50_us / 1000, figures.p99_us / 1000,
        figures.p999_us / 1000, figures.max_us / 1000, figures.seconds)
    }
  }
}
