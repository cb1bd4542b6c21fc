import Domain
import Operations
import Wire

extension LeaderboardCore {
  func issueScoreChallenge(
    _ operation: IssueScoreChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> IssueScoreChallenge.Reply {
    try Stop.check(operation.fault)
    let board = try openBoard(operation.board, call)
    let standing = try currentStanding(of: board, transaction.now)
    guard let target = standing.entry(of: call.player) else {
      throw .refuse(
        .notFound, argument: "value",
        "You have no score on this board to challenge with: submit a score first.")
    }
    let reachable = try board.reachable(by: call)
    var reply = IssueScoreChallenge.Reply()
    var seen: Set<PlayerID> = []
    for receiver in operation.receivers where seen.insert(receiver).inserted {
      var outcome = ChallengeOutcome()
      outcome.receiver = receiver
      outcome.refusal = board.refusal(issuer: call.player, receiver: receiver, reachable)
      if outcome.refusal == .none {
        var challenge = Challenge()
        challenge.id = transaction.identifier()
        challenge.board = operation.board
        challenge.issuer = call.player
        challenge.receiver = receiver
        challenge.value = target.value
        challenge.context = target.context
        challenge.attempt = target.arrival
        challenge.message = operation.message
        challenge.issueDate = transaction.now
        challenge.setExpiry(after: operation.lifetimeMilliseconds)
        issue(challenge, board, &transaction)
        outcome.challenge = challenge.id
      }
      reply.outcomes.append(outcome)
    }
    return reply
  }

  func issue(_ challenge: Challenge, _ board: Board, _ transaction: inout Transaction) {
    open(challenge, board, &transaction)
    tellLists(challenge, board, &transaction)
    tell(ChallengeReceived(challenge), challenge.receiver, board, &transaction)
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

  /// An effect that appends an event to a player's stream.
  func tell<E: Event>(
    _ event: E, _ player: PlayerID, _ board: Board, _ transaction: inout Transaction
  ) {
    transaction.effect(AppendEvent(event, to: player), on: player, game: board.row.game)
  }
}

extension Board {
  /// Friends of the caller who may submit to the board.
  fileprivate func reachable(by call: Call) throws(Stop) -> Set<PlayerID> {
    let friends = Set(try call.fact(FetchFriends.self).friends)
    guard let context = definition.linkedContext else { return friends }
    return friends.intersection(try call.fact(FetchParticipants.self, at: context).players)
  }

  fileprivate func refusal(issuer: PlayerID, receiver: PlayerID, _ reachable: Set<PlayerID>)
    -> ChallengeRefusal
  {
    if receiver == issuer { return .oneself }
    guard reachable.contains(receiver) else { return .notReachable }
    return hasRoom(from: issuer, to: receiver) ? .none : .limitReached
  }

  /// Whether the receiver may have one more open challenge, and one more of this issuer's.
  func hasRoom(from issuer: PlayerID, to receiver: PlayerID) -> Bool {
    let open = openChallenges[receiver] ?? []
    return open.count < LeaderboardLimits.openChallengesPerReceiverMax
      && open.count { $0.challenge.issuer == issuer } < LeaderboardLimits.openChallengesPerPairMax
  }
}
