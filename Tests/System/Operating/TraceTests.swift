import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// One call, followed through the logs of all processes.
  @Suite struct Traces {
    private static let board = "traced"
    private static let services = ["context/1", "request/1", "leaderboard/1"]

    /// What all processes have logged so far, in a file for each.
    private func logs(_ stack: Stack) async throws -> [String] {
      var paths: [String] = []
      for name in stack.names {
        let path = stack.directory.appendingPathComponent("log-\(paths.count)").path
        try await stack.process(name).errors.write(
          toFile: path, atomically: true, encoding: .utf8)
        paths.append(path)
      }
      return paths
    }

    @Test("a call, its facts, its effects and the event that reaches another player are one trace")
    func followed() async throws {
      var options = Stack.Options()
      for name in Self.services { options.flags[name] = ["--log-level", "debug"] }
      options.flags["leaderboard/1"]? += ["--log-format", "json"]
      try await withStack(options) { stack in
        try await stack.declare(Self.board)
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        try await befriend(anna, ben)
        var submit = SubmitScore()
        (submit.board, submit.value) = (Self.board, 5)
        _ = try await anna.client.call(submit)
        let raw = try stack.client()
        _ = try await raw.call(SignIn(anna.1)).get()
        var issue = IssueScoreChallenge()
        (issue.board, issue.receivers) = (Self.board, [ben.1.player])
        var envelope = ClientEnvelope()
        envelope.traceID = TraceID(high: 0xfeed, low: 0xbeef)
        (envelope.idempotency.counter, envelope.idempotency.floor) = (1, 1)
        #expect(try await raw.call(issue, envelope).get().outcomes.first?.challenge != nil)
        for await event in ben.client.events where event.kind == ChallengeReceived.opcode { break }

        let id = envelope.traceID.description
        let service = try await stack.process("leaderboard/1")
        // Their senders hear last of effects.
        #expect(
          await service.logged(
            "\"effect applied\",\"subsystem\":\"effects\",\"trace\":\"\(id)\""))
        let paths = try await logs(stack)
        let text = try await Tools.muster(working: stack, ["trace", id] + paths)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.dropLast().allSatisfy { $0.contains(" trace=\(id)") }, "\(text)")
        #expect(lines.dropLast() == lines.dropLast().sorted { $0.prefix(24) < $1.prefix(24) }[...])
        for part in [
          "gateway: call trace=\(id) operation=IssueScoreChallenge peer=leaderboard ",
          "operation=FetchFriends ", "operation=FetchPlayer ", "operation=AppendEvent ",
          "event pushed trace=\(id)", "effect applied trace=\(id)",
        ] {
          #expect(lines.contains { $0.contains(part) }, "\(part) is not in\n\(text)")
        }
        for name in ["gateway", "leaderboard", "request"] {
          #expect(lines.last?.contains("muster-\(name)") == true, "\(text)")
        }

        // The same from standard input, for programs.
        let piped = try await Tools.run(
          "cat \(paths.joined(separator: " ")) | \(Binaries.url("muster").path) trace \(id) --json")
        #expect(piped.split(separator: "\n").count == lines.count - 1)
        #expect(piped.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"time\":\"") })
        let none = try Tools.muster(stack, ["trace", String(repeating: "1", count: 32)] + paths)
        #expect(await none.ended() == 64 && none.errors.contains("No line has the trace"))
        await raw.end()
        for player in [anna, ben] { await player.client.close() }
      }
    }

    @Test("an error names what its call is called in the log")
    func error() async throws {
      try await withStack { stack in
        let (client, _) = try await stack.player("Anna")
        var submit = SubmitScore()
        (submit.board, submit.value) = ("nowhere", 5)
        let error = await #expect(throws: MusterError.self) { try await client.call(submit) }
        let trace = try #require(error?.trace)
        let gateway = try await stack.process("gateway")
        #expect(
          await gateway.logged("call failed trace=\(trace) operation=SubmitScore peer=leaderboard"))
        await client.close()
        let other = MusterClient(stack.configuration)
        let refused = await #expect(throws: MusterError.self) {
          try await other.signIn(
            Credential(player: PlayerID(high: 1, low: 1), device: DeviceID(), secret: [1]))
        }
        let signIn = try #require(refused?.trace)
        #expect(await gateway.logged("call failed trace=\(signIn) operation=SignIn"))
        await other.close()

        _ = try await Tools.muster(working: stack, ["signup", "Ben"])
        let command = try Tools.muster(stack, ["board", "submit", "nowhere", "5"])
        #expect(await command.ended() == 1)
        let line = try #require(command.errors.split(separator: "\n").last)
        #expect(line.hasPrefix("  trace "), "\(command.errors)")
        #expect(await gateway.logged("trace=\(line.dropFirst(8)) operation=SubmitScore"))
      }
    }
  }
}
