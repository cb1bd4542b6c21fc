import BenchPlayers
import Foundation
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  /// A start with many rows: nobody is answered before all of them are ranked.
  @Suite struct Loading {
    private static let service = "leaderboard/1"
    private static let board = "filled"
    private static let players = 20_000

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
      }
    }

    /// Asks from before the process is ready until after it: each answer is the right one.
    private func expectRanks(_ client: RawClient) async {
      let ranks = ranks()
      for number in stride(from: 0, to: Self.players, by: 37) {
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
