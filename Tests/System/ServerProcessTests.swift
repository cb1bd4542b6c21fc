import Foundation
import Stack
import Testing

extension System {
  /// The tests' own way to run processes.
  @Suite struct ServerProcesses {
    /// In a process of its own, where no other test opens descriptors.
    @Test("A process that has ended leaves no descriptors")
    func descriptors() async {
      await #expect(processExitsWith: .success) {
        func count() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        // What Foundation opens once.
        _ = try await Tools.run("true")
        let before = try count()
        for _ in 0..<20 { _ = try await Tools.run("true") }
        let left = try count() - before
        precondition(left < 10, "\(left) are left")
      }
    }
  }
}
