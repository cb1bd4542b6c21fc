import Domain
import Operations
import Wire

/// Players' lists of challenges. Achievement challenges live in the receiver's list; all else in a
/// list is a copy of what a board or another player's key decided.
final class ChallengeLists: CorePart {
  private let preferences: ChallengePreferences
  private var lists: [ChallengeListKey: PlayerChallenges] = [:]

  init(_ preferences: ChallengePreferences) { self.preferences = preferences }

  func register(_ router: inout Router) {
    router.on(ReceivedChallenges.self, receivedChallenges)
    router.on(IssuedChallenges.self, issuedChallenges)
    router.on(ChallengeChanged.self, challengeChanged)
  }

  func register(_ tables: inout Tables) {
    tables.resident(PlayerChallengeRow.self) { row in
      let key = ChallengeListKey(player: row.key.player, game: row.game)
      self.lists[key, default: PlayerChallenges()]
        .put(row.challenge, of: row.key.player, endedOn: row.endedOn)
    }
  }

  /// The achievement challenges that a player has received and not ended yet.
  func achievementChallenges(of player: PlayerID, in game: String) -> [Challenge] {
    let key = ChallengeListKey(player: player, game: game)
    return lists[key]?.received.filter { !$0.achievement.isEmpty } ?? []
  }

  /// Puts a challenge into a player's list, in place of its earlier state, and tells the devices
  /// that show it.
  func put(
    _ challenge: Challenge, of player: PlayerID, in game: String,
    _ transaction: inout Transaction
  ) {
    let key = ChallengeListKey(player: player, game: game)
    // Nobody says when a challenge was declined or withdrawn: it is when the list hears of it.
    let endedOn = challenge.state.isOpen ? 0 : challenge.completionDate ?? transaction.now
    lists[key, default: PlayerChallenges()].put(challenge, of: player, endedOn: endedOn)
    let rowKey = PlayerChallengeKey(player: player, challenge: challenge.id)
    transaction.put(
      PlayerChallengeRow(key: rowKey, game: game, challenge: challenge, endedOn: endedOn))
    transaction.hint(ChallengeListChanged(challenge), to: player, game: game)
  }

  func remove(
    _ challenge: Challenge, of player: PlayerID, in game: String,
    _ transaction: inout Transaction
  ) {
    let key = ChallengeListKey(player: player, game: game)
    lists[key]?.remove(challenge, of: player)
    if lists[key]?.isEmpty == true { lists[key] = nil }
    transaction.remove(
      PlayerChallengeRow.self, PlayerChallengeKey(player: player, challenge: challenge.id))
    transaction.hint(ChallengeListChanged(challenge), to: player, game: game)
  }

  private func receivedChallenges(
    _ operation: ReceivedChallenges, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ChallengePage {
    try page(
      of: list(call).received, PagedList(operation, call), cursor: operation.cursor,
      limit: operation.limit)
  }

  private func issuedChallenges(
    _ operation: IssuedChallenges, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ChallengePage {
    try page(
      of: list(call).issued, PagedList(operation, call), cursor: operation.cursor,
      limit: operation.limit)
  }

  /// A page of a list that is kept oldest first, turned around.
  private func page(of list: [Challenge], _ id: PagedList, cursor: String, limit: UInt32)
    throws(Stop) -> ChallengePage
  {
    let last: PageCursor<ChallengeKind>? = try id.end(ofPage: cursor)
    let end = last.map { last in list.sortedCount { $0.place < last } } ?? list.count
    let start = max(0, end - Int(limit))
    var page = ChallengePage()
    page.challenges = list[start..<end].reversed()
    if start > 0, let last = page.challenges.last { page.cursor = id.text(last.place) }
    return page
  }

  private func list(_ call: Call) -> PlayerChallenges {
    lists[ChallengeListKey(player: call.player, game: call.game)] ?? PlayerChallenges()
  }

  /// An effect of a board. Effects of one board arrive in order, so the last one is the truth; one
  /// that would reopen an ended challenge without saying so is left out all the same.
  private func challengeChanged(
    _ operation: ChallengeChanged, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let (player, challenge) = (operation.player, operation.challenge)
    guard player == challenge.receiver || player == challenge.issuer else {
      throw .invalidArgument("player", "The challenge is not one of this player's.")
    }
    let key = ChallengeListKey(player: player, game: call.game)
    let change = (lists[key] ?? PlayerChallenges())
      .change(challenge, of: player, isUndone: operation.isUndone)
    switch change {
    case .none: break
    case .remove: remove(challenge, of: player, in: call.game, &transaction)
    case .put:
      put(challenge, of: player, in: call.game, &transaction)
      if let surplus = lists[key]?.surplus {
        remove(surplus, of: player, in: call.game, &transaction)
      }
    }
    preferences.offerReturn(operation, call, &transaction)
  }
}
