import BenchMachine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures turn-based games in this process, or writes them for another one.
///
///     bench-turns moves GAMES MOVES            memory of open games, and what a move in one costs
///     bench-turns fill DIRECTORY GAME GAMES    a context service's store with so many open games
@main
enum TurnsMain {
  private static let usage = "bench-turns moves GAMES MOVES | fill DIRECTORY GAME GAMES"

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard numbers.allSatisfy({ $0 > 0 }) else { Machine.fail(usage, code: 2) }
    switch (arguments.first, arguments.count, numbers.count) {
    case ("moves", 3, 2): moves(games: numbers[0], moves: numbers[1])
    case ("fill", 4, 1):
      do {
        let fill = TurnFill(
          directory: arguments[1], game: arguments[2], now: Int64(time(nil)) * 1_000)
        try fill.run(games: numbers[0])
      } catch {
        Machine.fail("bench-turns: \(error)", code: 1)
      }
    default: Machine.fail(usage, code: 2)
    }
  }

  private static func moves(games: Int, moves: Int) {
    let before = Machine.residentBytes
    let trial = TurnTrial()
    for game in 0..<games { trial.open(game) }
    let bytes = Machine.residentBytes - before
    var random = SplitMix()
    let cost = nanoseconds(each: moves) { _ in
      trial.move(Int(random.below(UInt64(games))))
    }
    print(
      line([
        ("games", "\(games)"), ("resident_bytes", "\(bytes)"), ("move_ns", figure(cost)),
      ]))
  }
}
