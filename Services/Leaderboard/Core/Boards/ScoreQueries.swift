import Domain
import Operations
import Wire

/// Ranks and pages of boards' rankings.
struct ScoreQueries: CorePart {
  let boards: Boards

  func register(_ router: inout Router) {
    router.on(TopScores.self, topScores)
    router.on(FriendScores.self, friendScores)
    router.on(ScoresAroundPlayer.self, scoresAroundPlayer)
    router.on(RankOfPlayer.self, rankOfPlayer)
    router.on(RankOfValue.self, rankOfValue)
    router.on(LesserScores.self, lesserScores)
  }

  private func topScores(_ operation: TopScores, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ScorePage
  {
    let board = try standing(operation.board, operation.period, call, transaction)
    let (start, count) = (Int(operation.start), Int(operation.count))
    if operation.scope != .global {
      let players =
        operation.scope == .context
        ? try boards.participants(in: operation.context ?? ContextID(), board, call)
        : operation.players
      return page(board, of: players, start: start, count: count, for: call.player)
    }
    return ScorePage(
      board.page(from: start - 1, count: count), own: board.rankedEntry(of: call.player),
      total: board.total)
  }

  private func friendScores(
    _ operation: FriendScores, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ScorePage {
    let board = try standing(operation.board, operation.period, call, transaction)
    let friends = try call.fact(FetchFriends.self).friends
    return page(
      board, of: friends + [call.player], start: Int(operation.start),
      count: Int(operation.count), for: call.player)
  }

  private func page(
    _ board: Board, of players: [PlayerID], start: Int, count: Int, for caller: PlayerID
  ) -> ScorePage {
    let ranking = ScopedRanking(board, players: players)
    return ScorePage(
      ranking.page(from: start - 1, count: count), own: ranking.ranked(board.entry(of: caller)),
      total: ranking.entries.count)
  }

  private func scoresAroundPlayer(
    _ operation: ScoresAroundPlayer, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ScorePage {
    let board = try standing(operation.board, operation.period, call, transaction)
    let player = try subject(operation.player, call)
    let (own, count) = (board.rankedEntry(of: call.player), Int(operation.count))
    guard let entry = board.entry(of: player)
    else { return ScorePage([], own: own, total: board.total) }
    let ideal = board.position(of: entry) - (count - 1) / 2
    let start = max(0, min(ideal, board.total - count))
    return ScorePage(board.page(from: start, count: count), own: own, total: board.total)
  }

  private func rankOfPlayer(
    _ operation: RankOfPlayer, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> RankOfPlayer.Reply {
    let board = try standing(operation.board, operation.period, call, transaction)
    let player = try subject(operation.player, call)
    if let date = operation.date {
      guard operation.period.timeScope == .allTime
      else { throw .invalidArgument("timeScope", "A past rank is one of all time.") }
      return try board.pastRank(of: player, at: date, transaction)
    }
    guard let entry = board.rankedEntry(of: player)
    else { return RankOfPlayer.Reply(nil, total: board.total) }
    let worse = board.total - board.count(atLeastAsGoodAs: entry.value)
    return RankOfPlayer.Reply(entry, worse: worse, total: board.total)
  }

  private func rankOfValue(_ operation: RankOfValue, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> RankOfValue.Reply
  {
    let board = try standing(operation.board, operation.period, call, transaction)
    let value = operation.value ?? 0
    let (better, through) = (board.count(betterThan: value), board.count(atLeastAsGoodAs: value))
    var reply = RankOfValue.Reply()
    reply.better = UInt32(better)
    reply.same = UInt32(through - better)
    reply.worse = UInt32(board.total - through)
    return reply
  }

  private func lesserScores(
    _ operation: LesserScores, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ScorePage {
    let board = try standing(operation.board, operation.period, call, transaction)
    guard let own = board.entry(of: call.player) else { return ScorePage() }
    let friends = try call.fact(FetchFriends.self).friends
    let ranking = ScopedRanking(board, players: friends + [call.player])
    let order = board.definition.sortOrder
    let first =
      ranking.entries.firstIndex { order.isBetter(own.value, than: $0.value) }
      ?? ranking.entries.count
    let start = first + Int(operation.start) - 1
    return ScorePage(
      ranking.page(from: start, count: Int(operation.count)), own: ranking.ranked(own),
      total: ranking.entries.count - first)
  }

  /// The ranking that a query is about.
  private func standing(
    _ name: String, _ period: ScorePeriod, _ call: Call, _ transaction: Transaction
  ) throws(Stop) -> Board {
    try boards.openBoard(name, call).standing(period, at: transaction.now, boards.calendar)
  }

  /// The player that a query is about: the one named, else the caller.
  private func subject(_ player: PlayerID?, _ call: Call) throws(Stop) -> PlayerID {
    if let player { return player }
    guard !call.player.isNil
    else { throw .requiredArgument("player", "A caller that is no player must name one.") }
    return call.player
  }
}

extension ScorePage {
  fileprivate init(_ entries: [LeaderboardEntry], own: LeaderboardEntry?, total: Int) {
    self.init()
    self.entries = entries
    localEntry = own
    self.total = UInt32(total)
  }
}
