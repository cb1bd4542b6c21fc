import BenchMachine

/// `bench-index update|ask PLAYERS OPERATIONS`, `bench-index memory|tags|load PLAYERS`:
/// measures the time and the memory that the rank index and the table of entries take. Prints a
/// line of JSON.
@main
enum IndexMain {
  private static let usage =
    "usage: bench-index update|ask PLAYERS OPERATIONS | memory|tags|load PLAYERS"

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    switch (arguments.first, numbers.count) {
    case ("update", 2), ("ask", 2):
      UpdateTrial.run(
        players: numbers[0], operations: numbers[1], isAsked: arguments.first == "ask")
    case ("memory", 1), ("tags", 1):
      let hasTags = arguments.first == "tags"
      let isKept = MemoryTrial.run(players: numbers[0], hasTags: hasTags)
      if !isKept {
        let promised = MemoryTrial.promised(hasTags: hasTags)
        Machine.fail("an entry takes more than \(figure(promised)) bytes", code: 1)
      }
    case ("load", 1): MemoryTrial.load(players: numbers[0])
    case ("--help", _): print(usage)
    default: Machine.fail(usage, code: 64)
    }
  }
}
