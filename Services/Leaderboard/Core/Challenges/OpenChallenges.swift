import Domain
import Operations
import Wire

/// Open score challenges, on their boards and in their rows.
final class OpenChallenges: CorePart {
  private let boards: Boards
  private let expiries: ExpiryQueue

  init(_ boards: Boards, _ expiries: ExpiryQueue) {
    self.boards = boards
    self.expiries = expiries
  }

  func register(_ tables: inout Tables) {
    tables.resident(OpenChallengeRow.self) { self.boards.board(at: $0.key.boardKey).load($0) }
  }

  func loaded() {
    for board in boards.all {
      for row in board.openChallenges.values.joined() {
        expiries.push(row.challenge, at: board.key, game: board.row.game)
      }
    }
  }

  /// Puts a challenge on its board, behind all that came before; nobody is told.
  func open(_ challenge: Challenge, _ board: Board, _ transaction: inout Transaction) {
    var row = OpenChallengeRow()
    row.key = OpenChallengeKey(boardKey: board.key, challenge: challenge.id)
    row.arrival = board.nextArrival()
    row.challenge = challenge
    board.add(row)
    transaction.put(row)
    expiries.push(challenge, at: board.key, game: board.row.game)
  }

  /// Gives an open challenge another state, in which it is still open.
  func change(
    _ row: OpenChallengeRow, to state: ChallengeState, _ board: Board,
    _ transaction: inout Transaction
  ) {
    var row = row
    row.challenge.state = state
    board.replace(row)
    transaction.put(row)
    tellLists(row.challenge, board, &transaction)
  }

  /// Takes a challenge off its board and gives it back in the state in which it ended.
  func end(
    _ row: OpenChallengeRow, as state: ChallengeState, _ board: Board,
    _ transaction: inout Transaction
  ) -> Challenge {
    var challenge = row.challenge
    challenge.state = state
    board.removeChallenges(of: challenge.receiver) { $0.key == row.key }
    transaction.remove(OpenChallengeRow.self, row.key)
    tellLists(challenge, board, &transaction)
    return challenge
  }

  /// Effects that bring both players' lists up to date.
  func tellLists(
    _ challenge: Challenge, _ board: Board, beatenBy: BeatingScore? = nil,
    isUndone: Bool = false, _ transaction: inout Transaction
  ) {
    for player in [challenge.receiver, challenge.issuer] {
      var change = ChallengeChanged(
        challenge, for: player, beatenBy: player == challenge.receiver ? beatenBy : nil)
      change.isUndone = isUndone
      transaction.effect(change, on: player, game: board.row.game)
    }
  }
}

extension Board {
  /// Whether the receiver may have one more open challenge, and one more of this issuer's.
  func hasRoom(from issuer: PlayerID, to receiver: PlayerID) -> Bool {
    let open = openChallenges[receiver] ?? []
    return open.count < LeaderboardLimits.openChallengesPerReceiverMax
      && open.count { $0.challenge.issuer == issuer } < LeaderboardLimits.openChallengesPerPairMax
  }
}
