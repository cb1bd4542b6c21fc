import Domain
import Operations
import Wire

/// Score challenges, from their issue to their end. A board's key decides what becomes of them.
struct ScoreChallenges: CorePart {
  let boards: Boards
  let openChallenges: OpenChallenges
  let budgets: ChallengeBudgets

  func register(_ router: inout Router) {
    router.on(IssueScoreChallenge.self, issueScoreChallenge)
    router.on(AcceptChallenge.self, acceptChallenge)
    router.on(DeclineChallenge.self, declineChallenge)
    router.on(ReturnScoreChallenge.self, returnScoreChallenge)
  }

  func register(_ tables: inout Tables) { tables.cold(CompletedChallengeRow.self) }

  // MARK: Issue

  private func issueScoreChallenge(
    _ operation: IssueScoreChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> IssueScoreChallenge.Reply {
    let board = try boards.openBoard(operation.board, call)
    try boards.settings.check(lifetimeMilliseconds: operation.lifetimeMilliseconds)
    let standing = try boards.currentStanding(of: board, transaction.now)
    let score = try standing.target(of: operation, by: call.player)
    let reachable = try board.reachable(operation.receivers, by: call)
    var reply = IssueScoreChallenge.Reply()
    var seen: Set<PlayerID> = []
    for receiver in operation.receivers where seen.insert(receiver).inserted {
      var outcome = ChallengeOutcome()
      outcome.receiver = receiver
      outcome.refusal = refusal(call.player, receiver, score, board, standing, reachable)
      reply.outcomes.append(outcome)
    }
    let count = reply.outcomes.count { $0.refusal == .none }
    try budgets.take(count, of: call.player, at: board.key, &transaction)
    let openBefore = openChallenges.count(on: board)
    for index in reply.outcomes.indices where reply.outcomes[index].refusal == .none {
      var challenge = Challenge(
        from: call.player, to: reply.outcomes[index].receiver,
        lifetime: operation.lifetimeMilliseconds, boards.settings, &transaction)
      challenge.message = operation.message.inNormalForm
      issue(challenge, toBeat: score, board, &transaction)
      reply.outcomes[index].challenge = challenge.id
    }
    openChallenges.tellContext(of: board, before: openBefore, &transaction)
    return reply
  }

  private func refusal(
    _ issuer: PlayerID, _ receiver: PlayerID, _ score: BeatingScore, _ board: Board,
    _ standing: Board, _ reachable: Set<PlayerID>
  ) -> ChallengeRefusal {
    if receiver == issuer { return .oneself }
    guard reachable.contains(receiver) else { return .notReachable }
    if board.meets(score.value, receiver, in: standing) { return .alreadyMet }
    return openChallenges.hasRoom(from: issuer, to: receiver, on: board) ? .none : .limitReached
  }

  private func issue(
    _ draft: Challenge, toBeat score: BeatingScore, _ board: Board,
    _ transaction: inout Transaction
  ) {
    var challenge = draft
    challenge.board = board.definition.board
    challenge.value = score.value
    challenge.scoreTag = score.scoreTag
    challenge.attempt = score.attempt
    openChallenges.open(challenge, board, &transaction)
    openChallenges.tellLists(challenge, board, &transaction)
    transaction.tell(
      ChallengeReceived(challenge), to: challenge.receiver, about: challenge, in: board.row.game)
  }

  private func returnScoreChallenge(
    _ operation: ReturnScoreChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    // Whether the two are still in the context of a linked board is not known here.
    guard let board = boards[operation.key], board.row.game == call.game,
      board.definition.linkedContext == nil, try stillCounts(operation, board, transaction)
    else { return }
    let standing = try boards.currentStanding(of: board, transaction.now)
    if board.meets(operation.score.value, operation.receiver, in: standing) { return }
    let order = board.definition.sortOrder
    let open = openChallenges.received(by: operation.receiver, on: board)
    let asksAsMuch = open.contains {
      $0.challenge.issuer == operation.issuer && !$0.challenge.isOver(at: transaction.now)
        && !order.isBetter(operation.score.value, than: $0.challenge.value)
    }
    guard !asksAsMuch,
      openChallenges.hasRoom(from: operation.issuer, to: operation.receiver, on: board)
    else { return }
    let challenge = Challenge(
      from: operation.issuer, to: operation.receiver, lifetime: nil, boards.settings, &transaction)
    issue(challenge, toBeat: operation.score, board, &transaction)
  }

  /// False when the score that beat the challenge was removed on the way here.
  private func stillCounts(
    _ operation: ReturnScoreChallenge, _ board: Board, _ transaction: Transaction
  ) throws(Stop) -> Bool {
    guard let beaten = operation.beaten else { return false }
    let key = CompletedChallengeKey(
      boardKey: board.key, player: operation.issuer, attempt: operation.score.attempt,
      challenge: beaten)
    return try transaction.row(CompletedChallengeRow.self, key) != nil
  }

  // MARK: End

  func areOpen(for player: PlayerID, on board: Board) -> Bool {
    !openChallenges.received(by: player, on: board).isEmpty
  }

  /// Ends every open challenge that the attempt meets. Those that are open were all issued before
  /// it, because the board does one thing at a time; an ended one is gone, so nobody is told twice.
  func complete(_ board: Board, _ attempt: Attempt, _ transaction: inout Transaction)
    -> [ChallengeID]
  {
    let (order, entry) = (board.definition.sortOrder, attempt.entry)
    let met = openChallenges.received(by: entry.player, on: board)
      .filter { attempt.meets($0.challenge, order) }
    guard !met.isEmpty else { return [] }
    let arrival = entry.arrival == 0 ? board.nextArrival() : entry.arrival
    // Where attempts are not kept, a restart must not give the number to another one all the same.
    board.reserve(arrival, &transaction)
    board.makeExtras().mayHaveCompleted = true
    boards.scheduleMaintenance(of: board, &transaction)
    let openBefore = openChallenges.count(on: board)
    for row in met {
      guard let state = row.challenge.state.after(.complete) else { continue }
      var event = ChallengeCompleted()
      event.challenge = row.challenge
      event.challenge.state = state
      event.challenge.completionDate = transaction.now
      event.value = entry.value
      event.scoreTag = entry.tag
      openChallenges.remove(row, board, &transaction)
      let key = CompletedChallengeKey(
        boardKey: board.key, player: entry.player, attempt: arrival, challenge: row.challenge.id)
      transaction.put(
        CompletedChallengeRow(
          key: key, completionDate: transaction.now, challenge: row.challenge))
      let isBeaten = order.isBetter(entry.value, than: row.challenge.value)
      let score = BeatingScore(value: entry.value, scoreTag: entry.tag, attempt: arrival)
      openChallenges.tellLists(
        event.challenge, board, beatenBy: isBeaten ? score : nil, &transaction)
      transaction.tellBoth(event, in: board.row.game)
    }
    openChallenges.tellContext(of: board, before: openBefore, &transaction)
    return met.map(\.challenge.id)
  }

  private func acceptChallenge(
    _ operation: AcceptChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let board = try boards.boardInOrder(operation.board, call)
    let row = try openChallenge(operation.challenge, board, call, transaction.now)
    guard let state = row.challenge.state.after(.accept), state != row.challenge.state
    else { return }
    var challenge = row.challenge
    challenge.state = state
    openChallenges.change(row, to: challenge, board, &transaction)
  }

  private func declineChallenge(
    _ operation: DeclineChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let board = try boards.boardInOrder(operation.board, call)
    let row = try openChallenge(operation.challenge, board, call, transaction.now)
    guard let state = row.challenge.state.after(.decline) else { return }
    let challenge = openChallenges.end(row, as: state, board, &transaction)
    openChallenges.tellContext(of: board, &transaction)
    transaction.tell(
      ChallengeDeclined(challenge), to: challenge.issuer, about: challenge, in: call.game)
  }

  /// An open challenge that the caller received; others' challenges are not told from unknown ones.
  private func openChallenge(
    _ id: ChallengeID, _ board: Board, _ call: Call, _ now: Int64
  ) throws(Stop) -> OpenChallengeRow {
    let open = openChallenges.received(by: call.player, on: board)
    guard let row = open.first(where: { $0.challenge.id == id }), !row.challenge.isOver(at: now)
    else {
      throw .notFound(
        "challenge", "You have no open challenge of that id on this board; it may have ended.")
    }
    return row
  }
}

extension Board {
  /// The score that a challenge asks to meet: the one that the call names, or the issuer's entry.
  /// On a board of sums an attempt that the call names stands for the entry, of which it is a part.
  /// Either score rests on the entry.
  fileprivate func target(of operation: IssueScoreChallenge, by issuer: PlayerID) throws(Stop)
    -> BeatingScore
  {
    guard let entry = entry(of: issuer) else {
      throw .notFound(
        "value", "You have no score on this board to challenge with: submit a score first.")
    }
    let isPart = operation.isAttempt && definition.aggregation == .sum
    guard let value = operation.value, !isPart else {
      return BeatingScore(value: entry.value, scoreTag: entry.tag, attempt: entry.arrival)
    }
    if definition.sortOrder.isBetter(value, than: entry.value) {
      throw .notAllowed(
        "value", "The score is better than your entry on this board: submit it first.")
    }
    return BeatingScore(value: value, scoreTag: operation.scoreTag, attempt: entry.arrival)
  }

  /// Whether a player's sum in a ranking of the board meets a target as it is, so that any attempt
  /// would complete the challenge. A score in quarantine counts: when it is released, it is in the
  /// sum again. On other boards each attempt counts by itself.
  fileprivate func meets(_ target: Int64, _ player: PlayerID, in standing: Board) -> Bool {
    guard definition.aggregation == .sum else { return false }
    let held = extras?.marks[player]?.held.flatMap {
      $0.occurrence == standing.occurrence ? $0.entry(of: player) : nil
    }
    let parts = [held, standing.entry(of: player)].compactMap { $0 }
    guard let first = parts.first else { return false }
    let sum = parts.dropFirst().reduce(first) { definition.merged($0, $1) }
    return !definition.sortOrder.isBetter(target, than: sum.value)
  }

  /// Those of the receivers who are friends of the caller, do not block it, and may submit to the
  /// board.
  fileprivate func reachable(_ receivers: [PlayerID], by call: Call) throws(Stop)
    -> Set<PlayerID>
  {
    let friends = Set(try call.fact(FetchFriends.self).friends)
    var reachable: Set<PlayerID> = []
    for receiver in receivers where friends.contains(receiver) {
      if try call.fact(FetchPlayer.self, at: receiver).isReachable { reachable.insert(receiver) }
    }
    guard let context = definition.linkedContext else { return reachable }
    return reachable.intersection(try call.fact(FetchParticipants.self, at: context).players)
  }
}
