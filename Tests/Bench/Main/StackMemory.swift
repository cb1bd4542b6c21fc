import BenchStack
import Foundation
import Stack

/// Measures how much more memory each process of a stack comes to have, from the moment at which it
/// is made.
struct StackMemory {
  private var processes: [(name: String, id: Int32, before: Double)] = []

  init(_ stack: Stack) async throws {
    for name in stack.names { try watch(name, try await stack.process(name)) }
  }

  /// Measures one more process from now on.
  mutating func watch(_ name: String, _ process: ServerProcess) throws {
    let before = try ResidentMemory.watch(process.identifier)
    processes.append((name, process.identifier, before))
  }

  /// The bytes that each had at the most, beyond those it had before.
  func grown() throws -> [(name: String, bytes: Double)] {
    try processes.map { ($0.name, max(0, try ResidentMemory.peak(of: $0.id) - $0.before)) }
  }

  static func text(_ grown: [(name: String, bytes: Double)]) -> String {
    grown.map { String(format: "%@ +%.1f", $0.name, $0.bytes / 1_048_576) }
      .joined(separator: ", ") + " MiB"
  }
}
