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
    let openBefore = openChallenges.count(on: board)
    var next = operation
    if !operation.isCompletedDone {
      let rows = try transaction.rows(
        CompletedChallengeRow.self, in: operation.range(limit: Self.compensatedPerStep))
      let end = boards.finalCompletion(at: transaction.now)
      for row in rows where row.completionDate > end {
        undo(row, board, &transaction)
      }
      openChallenges.tellContext(of: board, before: openBefore, &transaction)
      next.isCompletedDone = rows.count < Self.compensatedPerStep
      // The first key after the last one.
      if let last = rows.last { next.from = Bytes(last.key.keyBytes + [0]) }
    } else {
      let arrival = withdrawIssued(operation, board, &transaction)
      openChallenges.tellContext(of: board, before: openBefore, &transaction)
      guard let arrival else { return }
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
    } else if let open = reopened(challenge, metBy: row.key.attempt, board) {
      challenge = open
      openChallenges.open(challenge, board, &transaction)
      transaction.tellBoth(ChallengeReopened(challenge), of: challenge, in: board.row.game)
    } else if let state = challenge.state.after(.withdraw) {
      challenge.state = state
      transaction.tellBoth(ChallengeWithdrawn(challenge), of: challenge, in: board.row.game)
    }
    openChallenges.tellLists(challenge, board, isUndone: true, &transaction)
  }

  /// Returns the challenge as it opens again; nil when there is no room for it, or when its target
  /// does not count any more. Who is in a linked context by now does not matter: leaving it ends no
  /// open challenge either.
  private func reopened(_ challenge: Challenge, metBy attempt: UInt64, _ board: Board)
    -> Challenge?
  {
    guard openChallenges.hasRoom(from: challenge.issuer, to: challenge.receiver, on: board)
    else { return nil }
    let mark = board.extras?.marks[challenge.issuer]
    guard challenge.attempt > 0, mark?.hasRemoved(challenge.attempt) == true
    else { return challenge }
    // A score that came later does not bring the removed one back.
    guard let entry = board.entry(vouchingFor: challenge), entry.arrival < attempt
    else { return nil }
    var open = challenge
    open.attempt = entry.arrival
    return open
  }

  /// Withdraws challenges that removed attempts had issued, or has them rest on the entry that took
  /// the place of a single one. Returns how far it came, nil at the end.
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
          .first(where: { $0.arrival == place.arrival })
      else { continue }
      left -= 1
      if operation.first == operation.through,
        let entry = board.entry(vouchingFor: row.challenge)
      {
        var challenge = row.challenge
        challenge.attempt = entry.arrival
        openChallenges.change(row, to: challenge, board, &transaction)
      } else if let state = row.challenge.state.after(.withdraw) {
        let challenge = openChallenges.end(row, as: state, board, &transaction)
        transaction.tellBoth(ChallengeWithdrawn(challenge), of: challenge, in: board.row.game)
      }
    }
    return places.count > Self.issuedPerStep
      ? places[places.startIndex + Self.issuedPerStep - 1].arrival : nil
  }
}

extension Board {
  /// Returns the issuer's entry in the ranking that a challenge is about, if the entry is at least
  /// as good as the score to meet.
  fileprivate func entry(vouchingFor challenge: Challenge) -> Entry? {
    let entry = ranking(of: challenge.attempt)?.entry(of: challenge.issuer)
    return entry.flatMap {
      definition.sortOrder.isBetter(challenge.value, than: $0.value) ? nil : $0
    }
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
