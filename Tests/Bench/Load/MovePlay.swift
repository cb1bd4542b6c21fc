import Operations
import Wire

/// Turn-based games of two. Two neighbours play several with each other, so that one of them waits
/// for a player at any time: each makes its next move as soon as the last one is durable, in
/// whichever game has its turn, and says the version that it has seen.
final class MovePlay {
  /// So many that in no run of minutes one of them reaches the most moves that a game may have.
  private static let gamesPerPair = 16
  private static let payload = Bytes([UInt8](repeating: 7, count: 16))
  private static let state = Bytes([UInt8](repeating: 7, count: 256))

  private struct Game {
    var context: ContextID
    var version: UInt64 = 0
    /// Whose turn it is: 0 or 1.
    var side: Int
  }

  private final class Pair {
    let clients: [LoadClient]
    var games: [Game] = []
    /// Where each of the two looks first for its turn.
    var next = [0, 0]
    var isIdle = [true, true]

    init(_ clients: [LoadClient]) { self.clients = clients }

    /// A game in which it is the turn of one of the two.
    func takeGame(of side: Int) -> Int? {
      for step in games.indices {
        let place = (next[side] + step) % games.count
        if games[place].side == side {
          next[side] = place + 1
          return place
        }
      }
      return nil
    }
  }

  private let pairs: [Pair]
  private let context: ContextCalls

  init(_ clients: [LoadClient], _ context: ContextCalls) {
    pairs = stride(from: 0, to: clients.count - 1, by: 2).map {
      Pair([clients[$0], clients[$0 + 1]])
    }
    self.context = context
  }

  // MARK: Games begin

  func prepare(_ ready: @escaping () -> Void) {
    let openGames = context.plan.openGames
    if openGames == 0 { return openGamesOfPairs(ready) }
    context.expectGame(0) { [self] in
      context.expectGame(openGames - 1) { [self] in openGamesOfPairs(ready) }
    }
  }

  private func openGamesOfPairs(_ ready: @escaping () -> Void) {
    var left = pairs.count
    for pair in pairs {
      openGames(of: pair) {
        left -= 1
        if left == 0 { ready() }
      }
    }
  }

  private func openGames(of pair: Pair, _ ready: @escaping () -> Void) {
    if pair.games.count == Self.gamesPerPair { return ready() }
    let side = pair.games.count % 2
    let players = pair.clients.map(\.player)
    var game = Game(
      context: ContextID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)),
      side: side)
    context.open(game.context, players) { [self] in
      var start = StartTurnGame()
      start.context = game.context
      start.players = [players[side], players[1 - side]]
      start.state = Self.state
      pair.clients[side].callToChange(start) { info in
        var answer = AnswerTurnGame()
        (answer.context, answer.number, answer.accept) = (game.context, info.number, true)
        pair.clients[1 - side].callToChange(answer) { [self] info in
          game.version = info.version
          pair.games.append(game)
          openGames(of: pair, ready)
        }
      }
    }
  }

  // MARK: Moves

  func begin() {
    for pair in pairs { for side in 0..<2 { move(pair, side) } }
  }

  private func move(_ pair: Pair, _ side: Int) {
    let client = pair.clients[side]
    guard client.report.isOpen else { return }
    guard let place = pair.takeGame(of: side) else {
      pair.isIdle[side] = true
      return
    }
    pair.isIdle[side] = false
    var move = MakeMove()
    move.context = pair.games[place].context
    (move.number, move.version) = (1, pair.games[place].version)
    move.payload = Self.payload
    move.state = Self.state
    client.change(move) { [self] info in
      pair.games[place].version = info.version
      pair.games[place].side = 1 - side
      if pair.isIdle[1 - side] { self.move(pair, 1 - side) }
      self.move(pair, side)
      return info.version
    }
  }
}
