import Domain
import Operations
import Wire

/// What a submitted score means for the player's open challenges.
struct Attempt {
  var player: PlayerID
  /// The value that counts against targets.
  var value: Int64
  var context: UInt64
  var date: Int64
  /// The board's number of it; 0 when it has none yet.
  var arrival: UInt64
  /// Nil makes every challenge eligible.
  var eligible: Set<ChallengeID>?

  func meets(_ challenge: Challenge, _ order: ScoreOrder) -> Bool {
    if challenge.isOver(at: date) { return false }
    if let eligible, !eligible.contains(challenge.id) { return false }
    return !order.isBetter(challenge.value, than: value)
  }
}

extension LeaderboardCore {
  /// Ends every open challenge that the attempt meets. Those that are open were all issued before it,
  /// because the board does one thing at a time; an ended one is gone, so nobody is told twice.
  func completeChallenges(_ board: Board, _ attempt: Attempt, _ transaction: inout Transaction)
    -> [ChallengeID]
  {
    let order = board.definition.sortOrder
    let met = (board.openChallenges[attempt.player] ?? [])
      .filter { attempt.meets($0.challenge, order) }
    guard !met.isEmpty else { return [] }
    let arrival = attempt.arrival == 0 ? board.nextArrival() : attempt.arrival
    // Where attempts are not kept, a restart must not give the number to another one all the same.
    board.reserve(arrival, &transaction)
    // The rows of completed challenges are to go again some day.
    watch(board)
    for row in met {
      guard let state = row.challenge.state.after(.complete) else { continue }
      var event = ChallengeCompleted()
      event.challenge = row.challenge
      event.challenge.state = state
      event.challenge.completionDate = transaction.now
      event.value = attempt.value
      event.context = attempt.context
      transaction.remove(OpenChallengeRow.self, row.key)
      transaction.put(
        CompletedChallengeRow(row.challenge, attempt: arrival, at: transaction.now, board.key))
      let isBeaten = order.isBetter(attempt.value, than: row.challenge.value)
      let score = BeatingScore(
        value: attempt.value, context: attempt.context, attempt: arrival)
      tellLists(event.challenge, board, beatenBy: isBeaten ? score : nil, &transaction)
      event.isLocal = true
      tell(event, row.challenge.receiver, board, &transaction)
      event.isLocal = false
      tell(event, row.challenge.issuer, board, &transaction)
    }
    let ended = Set(met.map(\.key))
    board.removeChallenges(of: attempt.player) { ended.contains($0.key) }
    return met.map(\.challenge.id)
  }

  func acceptChallenge(
    _ operation: AcceptChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    let board = try board(operation.board, call)
    var row = try openChallenge(operation.challenge, board, call, transaction.now)
    guard let state = row.challenge.state.after(.accept), state != row.challenge.state else {
      return Empty()
    }
    row.challenge.state = state
    board.replace(row)
    transaction.put(row)
    tellLists(row.challenge, board, &transaction)
    return Empty()
  }

  func declineChallenge(
    _ operation: DeclineChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    let board = try board(operation.board, call)
    var row = try openChallenge(operation.challenge, board, call, transaction.now)
    guard let state = row.challenge.state.after(.decline) else { return Empty() }
    row.challenge.state = state
    board.removeChallenges(of: call.player) { $0.key == row.key }
    transaction.remove(OpenChallengeRow.self, row.key)
    tellLists(row.challenge, board, &transaction)
    tell(ChallengeDeclined(row.challenge), row.challenge.issuer, board, &transaction)
    return Empty()
  }

  /// An open challenge that the caller received; others' challenges are not told from unknown ones.
  private func openChallenge(
    _ id: ChallengeID, _ board: Board, _ call: Call, _ now: Int64
  ) throws(Stop) -> OpenChallengeRow {
    let open = board.openChallenges[call.player] ?? []
    guard let row = open.first(where: { $0.challenge.id == id }), !row.challenge.isOver(at: now)
    else {
      throw .refuse(
        .notFound, argument: "challenge",
        "You have no open challenge of that id on this board; it may have ended.")
    }
    return row
  }
}
