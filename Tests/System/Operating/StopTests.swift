import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// Processes that are told to stop while calls are under way.
  @Suite struct Stops {
    private static let board = "stops"

    private func submit(_ value: Int64) -> SubmitScore {
      var submit = SubmitScore()
      submit.board = Self.board
      submit.value = value
      return submit
    }

    /// A new player: a client that repeats nothing, and one of MusterKit.
    private func sender(_ stack: Stack) async throws -> (raw: RawClient, player: MusterClient) {
      let (player, credential) = try await stack.player("Dora")
      let raw = try stack.client()
      _ = try await raw.call(SignIn(credential)).get()
      return (raw, player)
    }

    @Test("a gateway that stops answers every call that it has read")
    func gateway() async throws {
      var options = Stack.Options()
      options.flags["gateway"] = ["--loops", "1", "--grace-seconds", "60"]
      try await withStack(options) { stack in
        try await stack.declare(Self.board, .sum)
        let (sender, player) = try await sender(stack)
        await player.close()
        let (gateway, service) = (
          try await stack.process("gateway"), try await stack.process("leaderboard/1")
        )
        service.signal(SIGSTOP)
        let ends = await sender.begin([SubmitScore](repeating: submit(1), count: 40), counter: 1)
        // The gateway answers this one itself, after it has read those before it.
        #expect(await sender.call(Echo()).code == nil)
        gateway.signal(SIGTERM)
        #expect(await gateway.logged("stopping"))
        service.signal(SIGCONT)
        var failed: [FailureCode] = []
        for await end in ends { if let end { failed.append(end) } }
        #expect(failed.isEmpty)
        #expect(await gateway.ended() == 0)
        await sender.end()
        try await stack.start("gateway")
      }
    }

    @Test("a service that stops under load answers what it has run, and runs nothing more")
    func service() async throws {
      var options = Stack.Options.underLoad
      options.flags["leaderboard/1"] = ["--grace-seconds", "1"]
      try await withStack(options) { stack in
        try await stack.declare(Self.board, .sum)
        let service = try await stack.process("leaderboard/1")
        let senders = try await withThrowingTaskGroup { group in
          for _ in 0..<4 { group.addTask { try await sender(stack) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        // The calls of several never stop at the same moment: a service that goes on reading is
        // never done.
        let sums = await withTaskGroup { group in
          for (index, sender) in senders.enumerated() {
            group.addTask {
              let sum = await sender.raw.pump(submit(1), window: 16) { count in
                if index == 0 && count == 200 { service.signal(SIGTERM) }
              }
              return (index, sum)
            }
          }
          return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(await service.ended() == 0)
        try await stack.start("leaderboard/1")
        for (index, sender) in senders.enumerated() {
          let sum = try await sender.player.call(submit(0)).entry.value
          #expect(sum == sums[index].map { Int64($0) })
          await sender.raw.end()
          await sender.player.close()
        }
      }
    }
  }
}
