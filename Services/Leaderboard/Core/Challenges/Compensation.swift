import Domain
import Operations
import Wire

/// Corrects the challenges that rested on removed attempts, a few at a time. The board sends itself
/// an effect for each step, so that each step happens exactly once, also over crashes.
struct Compensation: CorePart {
  let boards: Boards
  let openChallenges: OpenChallenges

  func register(_ router: inout Router) { router.on(CompensateRemoval.self, compensateRemoval) }

  /// Challenges of each kind that one step corrects; each costs two rows and four effects.
  private static var compensatedPerStep: Int { 16 }
  /// Challenges of one issuer that one step looks through in memory, at some nanoseconds each.
  private static var issuedPerStep: Int { 4096 }

  /// Begins to correct what rested on a player's attempts with these arrivals.
  func begin(
    _ player: PlayerID, _ board: Board, attempts: ArrivalRange, _ transaction: inout Transaction
  ) {
    // The arrivals must not be given out again before the last step, not even after a restart.
    board.reserve(attempts.through, &transaction)
    var step = CompensateRemoval(on: board.key)
    step.player = player
    step.first = attempts.first
    step.through = attempts.through
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  private func compensateRemoval(
    _ operation: CompensateRemoval, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let board = boards[operation.boardKey], operation.first <= operation.through
    else { return }
    var next = operation
    if !operation.isCompletedDone {
      let rows = try transaction.rows(
        CompletedChallengeRow.self, in: operation.range(limit: Self.compensatedPerStep))
      let end = boards.finalCompletion(at: transaction.now)
      for row in rows where row.completionDate > end {
        undo(row, board, &transaction)
      }
      next.isCompletedDone = rows.count < Self.compensatedPerStep
      // The first key after the last one.
      if let last = rows.last { next.from = Bytes(last.key.keyBytes + [0]) }
    } else {
      guard let arrival = withdrawIssued(operation, board, &transaction) else { return }
      next.issuedAfter = arrival
    }
    transaction.effect(next, on: board.key, game: board.row.game)
  }

  /// Undoes a completion: the challenge opens again, or ends as it would have without it.
  private func undo(
    _ row: CompletedChallengeRow, _ board: Board, _ transaction: inout Transaction
  ) {
    transaction.remove(CompletedChallengeRow.self, row.key)
    var challenge = row.challenge
    if challenge.isOver(at: transaction.now), let state = challenge.state.after(.expire) {
      challenge.state = state
      transaction.tellBoth(ChallengeExpired(challenge), of: challenge, in: board.row.game)
    } else if !canReopen(challenge, board), let state = challenge.state.after(.withdraw) {
      challenge.state = state
      transaction.tellBoth(ChallengeWithdrawn(challenge), of: challenge, in: board.row.game)
    } else {
      openChallenges.open(challenge, board, &transaction)
      transaction.tellBoth(ChallengeReopened(challenge), of: challenge, in: board.row.game)
    }
    openChallenges.tellLists(challenge, board, isUndone: true, &transaction)
  }

  /// Returns whether there is room for the challenge and its target still counts. Who is in a
  /// linked context by now does not matter: leaving it ends no open challenge either.
  private func canReopen(_ challenge: Challenge, _ board: Board) -> Bool {
    let mark = board.extras?.marks[challenge.issuer]
    let isRemoved = challenge.attempt > 0 && mark?.hasRemoved(challenge.attempt) == true
    return !isRemoved
      && openChallenges.hasRoom(from: challenge.issuer, to: challenge.receiver, on: board)
  }

  /// Withdraws challenges that removed attempts had issued; returns how far it came, nil at the
  /// end.
  private func withdrawIssued(
    _ operation: CompensateRemoval, _ board: Board, _ transaction: inout Transaction
  ) -> UInt64? {
    let attempts = operation.first...operation.through
    let issued = openChallenges.issued(by: operation.player, on: board)
    let places = issued.dropFirst(issued.end(through: operation.issuedAfter))
    var left = Self.compensatedPerStep
    for place in places.prefix(Self.issuedPerStep) {
      if left == 0 { return place.arrival - 1 }
      guard attempts.contains(place.attempt),
        let row = openChallenges.received(by: place.receiver, on: board)
          .first(where: { $0.arrival == place.arrival }),
        let state = row.challenge.state.after(.withdraw)
      else { continue }
      left -= 1
      let challenge = openChallenges.end(row, as: state, board, &transaction)
      transaction.tellBoth(ChallengeWithdrawn(challenge), of: challenge, in: board.row.game)
    }
    return places.count > Self.issuedPerStep
      ? places[places.startIndex + Self.issuedPerStep - 1].arrival : nil
  }
}

extension CompensateRemoval {
  /// The completed challenges that are still to be looked at.
  fileprivate func range(limit: Int) -> ColdRange {
    let prefix = boardKey.keyBytes + player.keyBytes
    return ColdRange(
      table: CompletedChallengeRow.tableID,
      from: from.array.isEmpty ? prefix + first.keyBytes : from.array,
      through: prefix + through.keyBytes, limit: limit)
  }
}
