import Domain
import Operations
import Wire

/// Open score challenges, on their boards and in their rows.
final class OpenChallenges: CorePart {
  private let boards: Boards
  /// By the board's key.
  private var challenges: [RoutingKey: BoardChallenges] = [:]

  init(_ boards: Boards) { self.boards = boards }

  func register(_ tables: inout Tables) {
    tables.resident(OpenChallengeRow.self) { row in
      self.boards.board(at: row.key.boardKey).skipArrivals(through: row.arrival)
      self.challenges[row.key.boardKey, default: BoardChallenges()].add(row)
    }
  }

  func loaded(_ transaction: inout Transaction) {
    for key in challenges.keys { challenges[key]?.sort() }
  }

  func isEmpty(on board: Board) -> Bool { challenges[board.key] == nil }

  /// What a player has received and not ended yet, in order of arrival.
  func received(by player: PlayerID, on board: Board) -> [OpenChallengeRow] {
    challenges[board.key]?.received(by: player) ?? []
  }

  /// What a player has issued and is still open, in order of arrival.
  func issued(by player: PlayerID, on board: Board) -> [IssuedChallenge] {
    challenges[board.key]?.issued(by: player) ?? []
  }

  /// Whether the receiver may have one more open challenge, and one more of this issuer's.
  func hasRoom(from issuer: PlayerID, to receiver: PlayerID, on board: Board) -> Bool {
    let open = received(by: receiver, on: board)
    return open.count < LeaderboardLimits.openChallengesPerReceiverMax
      && open.count { $0.challenge.issuer == issuer } < LeaderboardLimits.openChallengesPerPairMax
  }

  func count(on board: Board) -> Int { challenges[board.key]?.count ?? 0 }

  /// Puts a challenge on its board, behind all that came before; nobody is told, and the linked
  /// context by `tellContext` when all is done.
  func open(_ challenge: Challenge, _ board: Board, _ transaction: inout Transaction) {
    let row = OpenChallengeRow(
      key: OpenChallengeKey(boardKey: board.key, challenge: challenge.id),
      arrival: board.nextArrival(), challenge: challenge)
    challenges[board.key, default: BoardChallenges()].add(row)
    transaction.put(row)
    transaction.setExpiry(of: challenge, at: board.key, game: board.row.game)
  }

  /// Changes a challenge in a way that leaves it open.
  func change(
    _ row: OpenChallengeRow, to challenge: Challenge, _ board: Board,
    _ transaction: inout Transaction
  ) {
    var row = row
    row.challenge = challenge
    challenges[board.key]?.replace(row)
    transaction.put(row)
    tellLists(row.challenge, board, &transaction)
  }

  /// Takes a challenge off its board and returns it in the state in which it ended. The linked
  /// context is told by `tellContext`.
  func end(
    _ row: OpenChallengeRow, as state: ChallengeState, _ board: Board,
    _ transaction: inout Transaction
  ) -> Challenge {
    var challenge = row.challenge
    challenge.state = state
    remove(row, board, &transaction)
    tellLists(challenge, board, &transaction)
    return challenge
  }

  /// Takes a challenge off its board; nobody is told, as by `open`.
  func remove(_ row: OpenChallengeRow, _ board: Board, _ transaction: inout Transaction) {
    forget(row, board, &transaction)
    transaction.cancelExpiry(of: row.challenge, at: board.key)
  }

  /// Removes a challenge without its timer, which is of another key where a player is erased, and
  /// then finds nothing.
  func forget(_ row: OpenChallengeRow, _ board: Board, _ transaction: inout Transaction) {
    challenges[board.key]?.remove(row)
    if challenges[board.key]?.isEmpty == true { challenges[board.key] = nil }
    transaction.remove(OpenChallengeRow.self, row.key)
  }

  /// Tells the context to which a board is linked how many open challenges the board has: once for
  /// all that one command opens and ends, because the context tells all who are in it.
  /// - Parameter before: how many there were; when they are as many now, nothing is told.
  func tellContext(of board: Board, before: Int? = nil, _ transaction: inout Transaction) {
    let count = count(on: board)
    guard let context = board.definition.linkedContext, count != before else { return }
    tell(context, of: board, isLinked: true, openChallenges: UInt32(count), &transaction)
  }

  /// Tells a context that a board is not linked to it any more.
  func tellUnlinked(_ context: ContextID, of board: Board, _ transaction: inout Transaction) {
    tell(context, of: board, isLinked: false, openChallenges: 0, &transaction)
  }

  private func tell(
    _ context: ContextID, of board: Board, isLinked: Bool, openChallenges: UInt32,
    _ transaction: inout Transaction
  ) {
    var link = LinkBoard()
    link.context = context
    link.board = board.definition.board
    link.isLinked = isLinked
    link.openChallenges = openChallenges
    // Effects of a board on a context come in order; those of a store that was put back from a
    // backup are of a later time.
    link.version = UInt64(clamping: transaction.now)
    transaction.effect(link, on: context, game: board.row.game)
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
