import KillRounds
import Locking
import MusterKit
import Operations
import Wire

/// Two friends who play a turn-based game with each other. Each move says how many came before it,
/// and is made for the version that the last one has left: one that is lost or made twice is seen.
final class TurnPair: Sendable {
  /// How long a player thinks. A game has 2,000 moves at most, which is enough for minutes.
  private static let thinking = Duration.milliseconds(100)

  private let players: [SoakPlayer]
  private let context: ContextID
  private let game: Locked<TurnGameInfo>

  private init(_ players: [SoakPlayer], _ game: TurnGameInfo) {
    self.players = players
    context = game.context
    self.game = Locked(game)
  }

  static func meet(_ players: [SoakPlayer]) async throws -> TurnPair {
    let made = try await players[0].client.createContext(with: players[1].identifier)
    try await players[1].client.switchContext(to: made.context)
    let turns = players.map { $0.client.turns(in: made.context) }
    let started = try await turns[0].start(players: players.map(\.identifier))
    return TurnPair(players, try await turns[1].answer(started.number, accept: true))
  }

  /// Moves that were acknowledged.
  var moveCount: Int { Int(game.withLock { $0.moveCount }) }

  /// Plays until the load is over, or something is wrong, which is returned.
  func play(while isOn: @Sendable () -> Bool) async -> String? {
    do {
      while isOn(), moveCount < TurnLimits.movesMax {
        try await move()
        try await Moments.pause(Self.thinking)
      }
      return nil
    } catch {
      return "move \(moveCount + 1) in \(context): \(error)"
    }
  }

  private func move() async throws {
    let before = game.withLock { $0 }
    let count = before.moveCount + 1
    let turns = players[(Int(count) + 1) % 2].client.turns(in: context)
    switch try await turns.move(Self.payload(count), in: before) {
    case .made(let info) where info.moveCount == count: game.withLock { $0 = info }
    case .made(let info):
      throw SoakFailure(description: "the game has \(info.moveCount) moves after it")
    case .stale(let view):
      throw SoakFailure(description: "the game is at move \(view.info.moveCount) already")
    }
  }

  private static func payload(_ count: UInt32) -> [UInt8] {
    [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
  }

  /// Both players read the moves that were acknowledged, and no others.
  func violations() async throws -> [String] {
    var found: [String] = []
    let expected = (0..<UInt32(moveCount)).map { Self.payload($0 + 1) }
    for player in players {
      let moves = try await player.client.turns(in: context).moves()
      if moves.map(\.payload.array) != expected {
        found.append(
          "\(player.identifier) reads \(moves.count) moves in \(context); "
            + "\(expected.count) were acknowledged")
      }
    }
    return found
  }
}
