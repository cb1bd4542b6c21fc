import BenchStack
import Foundation
import Stack
import Testing
import Wire

extension System {
  /// Small trials of what `make bench` runs for minutes: the tools that play turn-based games and
  /// ask for matches.
  @Suite struct PlayedLoads {
    private static let context = "context/1"

    private func trial(_ body: (inout Load) -> Void, store: URL? = nil) async throws
      -> Load.Figures
    {
      var options = Stack.Options.underLoad
      options.leftOut = [.leaderboard]
      options.flags[Self.context] = ["--match-ticket-burst", "100000"]
      options.dataDirectories[Self.context] = store?.path
      var load = Load()
      load.connections = 8
      load.seconds = 1
      body(&load)
      var figures: Load.Figures?
      try await withStack(options) { figures = try await load.run(on: $0) }
      return try #require(figures)
    }

    @Test func movesAreMadeInTurns() async throws {
      let figures = try await trial { $0.play = .moves }
      #expect(figures.operations > 20 && figures.heard == 0)
    }

    @Test("tickets are matched beside others that wait and fit nobody")
    func tickets() async throws {
      let figures = try await trial {
        $0.play = .tickets
        $0.waiting = 300
      }
      #expect(figures.operations > 10)
      // Each of two hears of a match, and asks for the next one only then.
      #expect(figures.heard > 8 && figures.heard <= figures.operations + 8)
      #expect(figures.heard_p99_us > 0)
    }

    @Test("requests reach every recipient, also while a long stream is read")
    func requests() async throws {
      for recipients in [1, 3] {
        var options = Stack.Options.underLoad
        options.leftOut = [.leaderboard, .context]
        options.flags["request/1"] = RequestLoad.flags
        var load = Load()
        load.play = .requests
        load.connections = 8
        load.seconds = 1
        load.recipients = recipients
        load.replay = 300
        var figures: Load.Figures?
        try await withStack(options) { figures = try await load.run(on: $0) }
        let requests = try #require(figures)
        #expect(requests.operations > 20)
        // What is under way at the end is not heard.
        #expect(requests.heard > requests.operations * Double(recipients) * 0.5)
        #expect(requests.heard <= (requests.operations + 8) * Double(recipients))
        #expect(requests.heard_p50_us > 0 && requests.heard_p50_us <= requests.heard_p99_us)
        #expect(requests.replayed >= 300)
      }
    }

    @Test("players stay connected in silence, and connections without players do")
    func idle() async throws {
      var options = Stack.Options.underLoad
      options.leftOut = [.leaderboard, .context]
      var load = Load()
      load.play = .idle
      load.connections = 40
      load.seconds = 60
      try await withStack(options) { stack in
        let gateway = try await stack.process("gateway").identifier
        let before = try ResidentMemory.bytes(of: gateway)
        let process = try await load.start(on: stack)
        #expect(try ResidentMemory.bytes(of: gateway) > before)
        #expect(try await Load.end(process).operations == 0)
        let bare = try await Load.startBare(
          8, port: stack.gatewayPort, authority: stack.authority)
        bare.signal(SIGTERM)
        #expect(await bare.ended() == 0)
      }
    }

    @Test("games that were written to a store are open in a service that starts on it")
    func writtenGames() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("muster-written-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let fill = try ServerProcess(
        name: "bench-turns", executable: Binaries.url("bench-turns"),
        arguments: ["fill", folder.path, Stack.game, "2500"])
      #expect(await fill.ended() == 0, "\(fill.output)\(fill.errors)")
      let load: (inout Load) -> Void = {
        $0.play = .moves
        $0.openGames = 2500
      }
      #expect(try await trial(load, store: folder).operations > 20)
      // One more than there are is missed.
      await #expect(throws: BenchFailure.self) {
        _ = try await trial(
          {
            load(&$0)
            $0.openGames = 2501
          }, store: folder)
      }
    }

    @Test func trialsInOneProcess() async throws {
      struct Moves: Decodable { var move_ns: Double }
      struct Tickets: Decodable { var ticket_ns, scan_ns, hostile_ns, hostile_max_ns: Double }
      let moves = try await BenchStack.Commands.json(
        Moves.self, Binaries.url("bench-turns").path, ["moves", "20", "60"])
      #expect(moves.move_ns > 0)
      let tickets = try await BenchStack.Commands.json(
        Tickets.self, Binaries.url("bench-queue").path, ["100", "50"])
      #expect(tickets.ticket_ns > 0 && tickets.scan_ns > 0)
      #expect(tickets.hostile_ns > 0 && tickets.hostile_ns <= tickets.hostile_max_ns)
    }
  }
}
