import BenchStack
import Foundation
import Stack

/// Measures the processor time of each process of a stack, from the moment at which it is made.
struct StackProcessors {
  private var processes: [(name: String, id: Int32, before: Double)] = []

  init(_ stack: Stack) async throws {
    for name in stack.names {
      let id = try await stack.process(name).identifier
      processes.append((name, id, ProcessorTime.seconds(of: id)))
    }
  }

  /// How many cores each took over so many seconds up to now, and the load besides.
  func cores(over seconds: Double, load: Double) -> String {
    Self.text(used(), over: seconds, load: load)
  }

  /// The seconds that each took up to now.
  func used() -> [(name: String, seconds: Double)] {
    processes.map { ($0.name, ProcessorTime.seconds(of: $0.id) - $0.before) }
  }

  static func text(_ used: [(name: String, seconds: Double)], over seconds: Double, load: Double)
    -> String
  {
    (used.map { ($0.name, $0.seconds / seconds) } + [("load", load)])
      .map { String(format: "%@ %.2f", $0.0, $0.1) }.joined(separator: ", ")
  }
}
