import BenchMachine

/// Prints what open turn-based games cost the service's process.
///
///     bench-turns moves GAMES MOVES     memory of so many open games, and what a move in one costs
///     bench-turns restart GAMES         how long a process that starts anew takes to load them
@main
enum TurnsMain {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    switch (arguments.first, numbers.count) {
    case ("moves", 2): moves(games: numbers[0], moves: numbers[1])
    case ("restart", 1): restart(games: numbers[0])
    default: Machine.fail("bench-turns moves GAMES MOVES | restart GAMES", code: 2)
    }
  }

  private static func moves(games: Int, moves: Int) {
    let before = Machine.residentBytes
    let trial = TurnTrial()
    for game in 0..<games { _ = trial.open(game) }
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

  private static func restart(games: Int) {
    var stored: [UInt16: [[UInt8]]] = [:]
    let writer = TurnTrial()
    for game in 0..<games {
      for (place, row) in writer.open(game) { stored[place.table, default: []].append(row) }
    }
    let start = Machine.processorTime
    let loaded = TurnTrial(stored)
    let nanoseconds = Machine.processorTime - start
    // A move proves that the games are there.
    loaded.move(games - 1)
    print(
      line([("games", "\(games)"), ("restart_seconds", figure(nanoseconds / 1e9))]))
  }
}
