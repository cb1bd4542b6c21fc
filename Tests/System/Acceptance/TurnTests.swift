import KillRounds
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// A turn-based game of four, over cut connections and killed processes.
  @Suite struct TurnGame {
    @Test("1.9 1.11 no move of a game of four is lost or made twice, whoever dies")
    func four() async throws {
      try await withStack { stack in
        let seed = Seed.drawn()
        let relay = try CuttingRelay(
          to: stack.gatewayPort, seed: seed, lifetime: 20_000...100_000)
        defer { relay.stop() }
        let players = try await stack.players(4, through: relay)
        let context = try await stack.group(of: players.map(\.client))
        let games = players.map { $0.client.turns(in: context) }
        let started = try await games[0].start(players: players.map(\.1.player))
        for game in games.dropFirst() { try await game.answer(started.number, accept: true) }
        try await play(games, started.number, disturbedBy: stack, seed: seed)
        try await expectWhole(games, started.number)
        #expect(relay.cutCount > 0)
        for player in players { await player.client.close() }
      }
    }

    private static let moveCount: UInt32 = 200

    private func play(
      _ games: [TurnGames], _ number: UInt32, disturbedBy stack: Stack, seed: UInt64
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, game) in games.enumerated() {
          group.addTask { try await Self.play(game, number, as: UInt8(index)) }
        }
        group.addTask { try await stack.killEachOnce(seed: seed, pauses: 200...1_500) }
        try await group.waitForAll()
      }
    }

    /// Makes a move whenever it is this player's turn, until the game has all its moves.
    private static func play(_ game: TurnGames, _ number: UInt32, as index: UInt8) async throws {
      let me = try #require(game.client.session?.player)
      while true {
        let view = try await game.read(number)
        if view.info.moveCount >= moveCount { return }
        guard view.info.next.first == me else {
          // A person looks again after a while, too.
          try await Moments.pause(.milliseconds(10))
          continue
        }
        let count = UInt8(truncatingIfNeeded: view.info.moveCount + 1)
        _ = try await game.move([index, count], in: view.info, state: [count])
      }
    }

    /// Every player reads the same moves, each made once by the one whose turn it was.
    private func expectWhole(_ games: [TurnGames], _ number: UInt32) async throws {
      for game in games {
        let moves = try await game.moves(number)
        #expect(moves.map(\.index) == Array(1...Self.moveCount))
        let payloads = moves.map(\.payload.array)
        #expect(
          payloads
            == (0..<Self.moveCount).map {
              [UInt8($0 % 4), UInt8(truncatingIfNeeded: $0 + 1)]
            })
        let view = try await game.read(number)
        #expect(view.state?.array == [UInt8(truncatingIfNeeded: Self.moveCount)])
      }
    }
  }
}
