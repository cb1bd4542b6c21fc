import BenchPlayers
import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension Operating {
  /// A start with many rows: nobody is answered before all of them are ranked.
  @Suite struct Loading {
    private static let service = "leaderboard/1"
    private static let board = "filled"
    private static let players = 20_000
    /// From one player who is asked about to the next.
    private static let step = 37

    @Test func ranksAreRefusedUntilTheyAreRight() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("muster-loading-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let fill = try ServerProcess(
        name: "bench-fill", executable: Binaries.url("bench-fill"),
        arguments: ["store", folder.path, Stack.game, Self.board, "\(Self.players)"])
      #expect(await fill.ended() == 0, "\(fill.output)\(fill.errors)")
      var options = Stack.Options()
      options.dataDirectories[Self.service] = folder.path
      try await withStack(options) { stack in
        let client = try RawClient(
          port: stack.gatewayPort, TLSClientContext(trust: .authority(stack.authority)))
        var signIn = SignInOperator()
        signIn.secret = Stack.operatorSecret
        signIn.game = Stack.game
        _ = try await client.call(signIn).get()
        try await stack.kill(Self.service)
        // Held at its start for as long as somebody asks.
        let process = try await stack.spawn(Self.service, isHeld: true)
        #expect(await process.printed("held"))
        let early = await ask(client, 0, deadlineMilliseconds: 300)
        #expect(early.failure?.code == .unavailable, "\(early)")
        #expect(!process.output.contains("ready"))
        process.signal(SIGCONT)
        await expectRanks(client)
        try await process.ready()
        process.signal(SIGTERM)
        await process.ended()
        try await stack.start(Self.service)
        await client.end()
        try await expectMeasures(stack)
      }
    }

    /// What was read at the start, written and passed on is told by the processes' metrics.
    private func expectMeasures(_ stack: Stack) async throws {
      var now = try await DeploymentMetrics(of: stack)
      // For two seconds, until it is in the tables, what a new player writes is in the journal.
      for _ in 0..<20 where now["journal.bytes"] == 0 {
        let (client, _) = try await stack.player("Anna")
        await client.close()
        now = try await DeploymentMetrics(of: stack)
      }
      #expect(now["tables.loaded_rows entry"] == UInt64(Self.players))
      #expect(now["tables.loaded_bytes entry"] ?? 0 > UInt64(Self.players))
      #expect(now["calls.service_time leaderboard"] ?? 0 >= UInt64(Self.players / Self.step))
      #expect(now["commits.flush_time"] ?? 0 > 0)
      #expect(now["journal.bytes"] ?? 0 > 0)
    }

    /// Asks from before the process is ready until after it: each answer is the right one.
    private func expectRanks(_ client: RawClient) async {
      let ranks = ranks()
      for number in stride(from: 0, to: Self.players, by: Self.step) {
        switch await ask(client, number, deadlineMilliseconds: 60_000) {
        case .success(let reply):
          #expect(reply.entry?.rank == ranks[number])
          #expect(reply.total == UInt32(Self.players))
        case .failure(let failure): Issue.record("\(failure)")
        }
      }
    }

    private func ask(_ client: RawClient, _ number: Int, deadlineMilliseconds: UInt32) async
      -> Result<RankOfPlayer.Reply, Failure>
    {
      var operation = RankOfPlayer()
      operation.board = Self.board
      operation.player = FilledBoard.player(number)
      var envelope = ClientEnvelope()
      envelope.deadlineMilliseconds = deadlineMilliseconds
      let body = await client.call(
        RankOfPlayer.opcode, envelope, operation.encoded, deadlineMilliseconds: 60_000)
      return body.flatMap { body in
        Result { () throws(WireError) in try RankOfPlayer.Reply(decoding: body) }
          .mapError { Failure(.malformed, "\($0)") }
      }
    }

    /// The rank of each player: no two have one value.
    private func ranks() -> [UInt32] {
      var ranks = Array(repeating: UInt32(0), count: Self.players)
      let order = (0..<Self.players).sorted { FilledBoard.value($0) > FilledBoard.value($1) }
      for (place, number) in order.enumerated() { ranks[number] = UInt32(place + 1) }
      return ranks
    }
  }
}
