import Domain
import Operations
import Wire

extension LeaderboardCore {
  func receivedChallenges(
    _ operation: ReceivedChallenges, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ChallengePage {
    try page(of: lists(call).received, cursor: operation.cursor, limit: operation.limit)
  }

  func issuedChallenges(
    _ operation: IssuedChallenges, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ChallengePage {
    try page(of: lists(call).issued, cursor: operation.cursor, limit: operation.limit)
  }

  /// A page of a list that is kept oldest first, turned around.
  private func page(of list: [Challenge], cursor: String, limit: UInt32) throws(Stop)
    -> ChallengePage
  {
    try Stop.check(ChallengePage.fault(limit: limit))
    var end = list.count
    if !cursor.isEmpty {
      guard let position = ChallengePosition(cursor: cursor) else {
        throw .refuse(.invalidArgument, argument: "cursor", "The cursor is not one of this list.")
      }
      end = ChallengeLists.place(of: position, in: list)
    }
    let start = max(0, end - Int(limit))
    var page = ChallengePage()
    page.challenges = list[start..<end].reversed()
    if start > 0, let last = page.challenges.last { page.cursor = ChallengePosition(last).cursor }
    return page
  }

  private func lists(_ call: Call) -> ChallengeLists {
    challengeLists[ChallengeListKey(player: call.player, game: call.game)] ?? ChallengeLists()
  }

  /// An effect of a board. Effects of one board arrive in order, so the last one is the truth; one
  /// that would reopen an ended challenge without saying so is left out all the same.
  func challengeChanged(
    _ operation: ChallengeChanged, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    let (player, challenge) = (operation.player, operation.challenge)
    guard player == challenge.receiver || player == challenge.issuer else {
      throw .refuse(
        .invalidArgument, argument: "player", "The challenge is not one of this player's.")
    }
    let key = ChallengeListKey(player: player, game: call.game)
    var lists = challengeLists.removeValue(forKey: key) ?? ChallengeLists()
    switch lists.change(challenge, of: player, isUndone: operation.isUndone) {
    case .none: break
    case .remove: drop(challenge, of: player, from: &lists, &transaction)
    case .put:
      lists.put(challenge, of: player)
      var row = PlayerChallengeRow()
      row.key = PlayerChallengeKey(player: player, challenge: challenge.id)
      row.game = call.game
      row.challenge = challenge
      transaction.put(row)
      if let surplus = lists.surplus { drop(surplus, of: player, from: &lists, &transaction) }
    }
    if !lists.received.isEmpty || !lists.issued.isEmpty { challengeLists[key] = lists }
    offerReturn(operation, call, &transaction)
    return Empty()
  }

  private func drop(
    _ challenge: Challenge, of player: PlayerID, from lists: inout ChallengeLists,
    _ transaction: inout Transaction
  ) {
    lists.remove(challenge, of: player)
    transaction.remove(
      PlayerChallengeRow.self, PlayerChallengeKey(player: player, challenge: challenge.id))
  }
}
