/// `bench-index update|ask PLAYERS OPERATIONS`, `bench-index memory|contexts|load PLAYERS`: what the
/// rank index and the table of entries take, of time and of memory. Prints a line of JSON.
@main
enum IndexMain {
  private static let usage =
    "usage: bench-index update|ask PLAYERS OPERATIONS | memory|contexts|load PLAYERS"

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    switch (arguments.first, numbers.count) {
    case ("update", 2), ("ask", 2):
      UpdateTrial.run(
        players: numbers[0], operations: numbers[1], isAsked: arguments.first == "ask")
    case ("memory", 1), ("contexts", 1):
      let hasContexts = arguments.first == "contexts"
      let isKept = MemoryTrial.run(players: numbers[0], hasContexts: hasContexts)
      if !isKept {
        let promised = MemoryTrial.promised(hasContexts: hasContexts)
        Machine.fail("an entry takes more than \(figure(promised)) bytes", code: 1)
      }
    case ("load", 1): MemoryTrial.load(players: numbers[0])
    case ("--help", _): print(usage)
    default: Machine.fail(usage, code: 64)
    }
  }
}
