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

    @Test("3.4 an app whose terminal is gone has left its match")
    func hungUp() async throws {
      var options = Stack.Options()
      // After the grace time the others would see the player leave in any case.
      options.flags["context/1"] = ["--match-grace-seconds", "3600"]
      try await withStack(options) { stack in
        func open(_ name: String) throws -> PseudoTerminal {
          try PseudoTerminal(
            Binaries.url("collab-counter"),
            [
              "--gateway", "localhost:\(stack.gatewayPort)", "--authority", stack.authority,
              "--name", name, "--credential", stack.directory.appendingPathComponent(name).path,
              "startOnlineCounter",
            ], width: 80, height: 24)
        }
        let (ada, ben) = (try open("Ada"), try open("Ben"))
        for terminal in [ada, ben] {
          try terminal.wait(for: "› Play with anybody")
          terminal.press("\r")
        }
        try ada.wait(for: "with Ben")
        try ben.wait(for: "with Ada")
        ada.hangUp()
        try ben.wait(for: "Everybody else has left.")
        #expect(try ada.end() == 0)
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
