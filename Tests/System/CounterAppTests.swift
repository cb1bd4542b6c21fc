import CounterPlay
import Foundation
import PseudoTerminal
import Stack
import Testing

extension System {
  /// The counter app of the article, on two terminals.
  @Suite struct CounterApps {
    @Test(
      "1.10 3.4 3.8 two people count together, by a link and by the menu, until one leaves",
      arguments: [(80, 24), (40, 12)])
    func together(width: Int, height: Int) async throws {
      try await withStack { stack in
        let folder = FileManager.default.temporaryDirectory
          .appendingPathComponent("muster-counter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var seen = 0
        try CounterPlay(
          program: Binaries.url("collab-counter"),
          server: ["--gateway", "localhost:\(stack.gatewayPort)", "--authority", stack.authority],
          folder: folder, size: (width, height)
        ) { _, _ in seen += 1 }.run()
        #expect(seen == 4)
      }
    }

    @Test("an option that cannot be read is answered by the usage")
    func alone() throws {
      let terminal = try PseudoTerminal(
        Binaries.url("collab-counter"), ["--gateway", "localhost:x"], width: 80, height: 24)
      try terminal.wait(for: "usage: collab-counter")
      #expect(try terminal.end() == 2)
    }
  }
}
