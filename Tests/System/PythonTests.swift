import Foundation
import Stack
import Testing

extension System {
  /// A client in another language, written from `protocol.md` and `protocol.json` alone.
  @Suite(
    .enabled(
      if: Python.isWanted, "there is no python3 (3.9 or later, with TLS 1.3) on the path"))
  struct ForeignClients {
    /// A second codec, which shares nothing with Swift's.
    @Test func everyGoldenMessageIsReadAndWrittenByTheSchema() async throws {
      let folder = Python.root.appending(path: "Tests/Golden")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        .filter { $0.hasSuffix(".golden") }.map { folder.appending(path: $0).path }
      try await expectSuccess(Python.start("golden.py", files))
    }

    @Test func whoHasTriedUntilTheEndIsToldTheLastRefusal() async throws {
      try await expectSuccess(Python.start("patience.py", []))
    }

    @Test func aPlayerGetsFromSignUpToTheEndOfAMatch() async throws {
      try await withStack { stack in
        try await expectSuccess(Python.start("play.py", Python.options(stack)))
      }
    }

    /// It learns at sign-in how often it has to be heard.
    @Test func aClientThatPingsIsKeptAndASilentOneIsNot() async throws {
      var options = Stack.Options()
      options.flags["gateway"] = ["--client-idle-seconds", "10"]
      try await withStack(options) { stack in
        let idling = Python.options(stack) + ["--idle-seconds", "10"]
        try await expectSuccess(Python.start("play.py", idling))
      }
    }

    /// `withStack` asks at the end whether every process still serves.
    @Test func nothingThatAStrangerSendsStopsTheStack() async throws {
      try await withStack { stack in
        try await expectSuccess(Python.start("adversary.py", Python.options(stack)))
      }
    }

    /// A case that runs nothing would look like one that found nothing.
    @Test func theAdversaryRefusesACaseThatItDoesNotHave() async throws {
      let nowhere = ["--gateway", "127.0.0.1:1", "--authority", "/nowhere", "--game", "demo"]
      let script = try Python.start("adversary.py", nowhere + ["--only", "nonsense"])
      #expect(await script.ended() == 2, "\(script.output)")
      #expect(script.errors.contains("invalid choice: 'nonsense'"), "\(script.errors)")
    }

    /// Cuts and kills while calls are open. `make soak ONLY=foreign` goes on for longer.
    @Test(
      "2.8 every event comes once and in order, or is told to be gone",
      arguments: [[], ["--careful"]])
    func reconnecting(_ options: [String]) async throws {
      try await withStack(Python.reconnectOptions) { stack in
        try await expectSuccess(
          Python.reconnect(stack, ["--rounds", "10", "--missed-max", "1000", "--kills"] + options))
      }
    }

    /// Waits for a script's end. What it has printed, its seed included, is what a failure shows.
    private func expectSuccess(
      _ script: ServerProcess, _ location: SourceLocation = #_sourceLocation
    ) async throws {
      let status = await script.ended()
      #expect(
        status == 0, "\(script.output.suffix(5000))\n\(script.errors.suffix(5000))",
        sourceLocation: location)
    }
  }
}
