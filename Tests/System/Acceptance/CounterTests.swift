import Foundation
import KillRounds
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// The counter of the seeds' apps, played by several at once.
  @Suite struct Counter {
    @Test("3.7 3.8 3.9 a counter is right for all, over cut connections and killed processes")
    func pair() async throws {
      try await withPlayers(2, lifetime: 10_000...60_000) { stack, players, seed in
        try await befriend(players[0], players[1])
        let context = try await players[0].client.createContext(with: players[1].1.player).context
        try await players[1].client.switchContext(to: context)
        try await play(players.map(\.client), in: context, stack, seed: seed)
      }
    }

    @Test("3.3 3.7 3.8 3.9 so is the counter of eight")
    func eight() async throws {
      try await withPlayers(8, lifetime: 20_000...400_000) { stack, players, seed in
        let context = try await stack.group(of: players.map(\.client))
        try await play(players.map(\.client), in: context, stack, seed: seed)
      }
    }

    /// - Parameter lifetime: the bytes after which a connection is cut.
    private func withPlayers(
      _ count: Int, lifetime: ClosedRange<Int>,
      _ body: (Stack, [(client: MusterClient, Credential)], UInt64) async throws -> Void
    ) async throws {
      try await withStack { stack in
        let seed = Seed.drawn()
        let relay = try CuttingRelay(
          to: stack.gatewayPort, seed: seed, lifetime: lifetime)
        defer { relay.stop() }
        try await body(stack, try await stack.players(count, through: relay), seed)
        #expect(relay.cutCount > 0)
      }
    }

    /// Each player adds 1,000 times, while every process is killed once. The numbers are compared
    /// once, when nothing more comes: a number may also pass the right one on its way.
    private func play(
      _ clients: [MusterClient], in context: ContextID, _ stack: Stack, seed: UInt64
    ) async throws {
      var players: [DeltaPlayer] = []
      for client in clients {
        players.append(DeltaPlayer(try await client.match(in: context), of: clients.count))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for player in players {
          group.addTask { await player.follow() }
        }
        let patience = Task { [players] in try await Self.giveUp(onceStill: players) }
        var outcome = Result<Void, any Error>.success(())
        do {
          try await playToTheEnd(players, stack, seed: seed)
        } catch {
          outcome = .failure(error)
        }
        patience.cancel()
        for client in clients { await client.close() }
        try await group.waitForAll()
        let total = Self.total(of: players.count)
        for (index, player) in players.enumerated() {
          let report = await player.report
          #expect(report.number == total && report.isWhole, "player \(index): \(report)")
        }
        try outcome.get()
      }
    }

    private func playToTheEnd(_ players: [DeltaPlayer], _ stack: Stack, seed: UInt64)
      async throws
    {
      for player in players { try await player.untilBegun() }
      try await add(players, disturbedBy: stack, seed: seed)
      // Data of one player comes in order: behind its last message nothing of it is on its way.
      for player in players { try await player.sayLast() }
      for player in players { try await player.untilLast() }
      // What a process or a client sends a second time comes now, if it ever does.
      try await Moments.pause(Self.quiet)
    }

    /// Gives up on all when nothing has come to any of them for a while: what is lost then fails
    /// the test, and is not waited for.
    private static func giveUp(onceStill players: [DeltaPlayer]) async throws {
      var (before, count) = (-1, 0)
      while count != before {
        try await Moments.pause(patience)
        (before, count) = (count, 0)
        for player in players { count += await player.eventCount }
      }
      for player in players { await player.giveUp() }
    }

    private func add(_ players: [DeltaPlayer], disturbedBy stack: Stack, seed: UInt64)
      async throws
    {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, player) in players.enumerated() {
          group.addTask {
            for step in 1...Self.steps {
              try await player.add(Self.difference(step, index))
              // So that the kills come in the middle of it.
              try await Moments.pause(.milliseconds(2))
            }
          }
        }
        group.addTask { try await stack.killEachOnce(seed: seed, pauses: 50...600) }
        try await group.waitForAll()
      }
    }

    private static let steps = 1_000
    /// As long as nothing at all may happen to all players; a killed process is back in less.
    private static let patience = Duration.seconds(60)
    /// Longer than a client waits before it sends again what was not acknowledged.
    private static let quiet = Duration.seconds(2)

    private static func difference(_ step: Int, _ player: Int) -> Int64 {
      step.isMultiple(of: 3) ? -Int64(step) : Int64(step * (player + 1))
    }

    private static func total(of players: Int) -> Int64 {
      (0..<players).reduce(0) { sum, player in
        (1...steps).reduce(sum) { $0 + difference($1, player) }
      }
    }
  }
}
