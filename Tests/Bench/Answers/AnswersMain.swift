import BenchMachine
import Domain

/// `bench-answers PLAYERS CALLS HABIT`: measures the memory that the remembered answers of so many
/// players take after so many calls of each. Prints a line of JSON.
@main
enum AnswersMain {
  private static let usage = """
    usage: bench-answers PLAYERS CALLS \(Habit.allCases.map(\.rawValue).joined(separator: "|"))
    """

  static func main() {
    if CommandLine.arguments.contains("--help") {
      print("\(usage)\nMeasures the memory that remembered answers take.")
      return
    }
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.prefix(2).compactMap { Int($0) }.filter { $0 > 0 }
    guard numbers.count == 2, arguments.count == 3, let last = arguments.last,
      let habit = Habit(rawValue: last)
    else { Machine.fail(usage, code: 64) }
    print(line(AnswersTrial(players: numbers[0], calls: numbers[1], habit: habit).run()))
  }
}
