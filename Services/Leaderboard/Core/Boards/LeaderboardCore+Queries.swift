import Domain
import Operations
import Wire

extension LeaderboardCore {
  func topScores(_ operation: TopScores, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ScorePage
  {
    try Stop.check(operation.fault)
    let board = try board(operation.board, call)
    let (start, count) = (Int(operation.start), Int(operation.count))
    if operation.scope == .players {
      return page(board, of: operation.players, start: start, count: count, for: call.player)
    }
    var page = ScorePage()
    page.entries = board.page(from: start - 1, count: count)
    page.localEntry = board.rankedEntry(of: call.player)
    page.total = UInt32(board.total)
    return page
  }

  func friendScores(_ operation: FriendScores, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ScorePage
  {
    try Stop.check(operation.fault)
    let board = try board(operation.board, call)
    return page(
      board, of: call.facts.friends + [call.player], start: Int(operation.start),
      count: Int(operation.count), for: call.player)
  }

  private func page(
    _ board: Board, of players: [PlayerID], start: Int, count: Int, for caller: PlayerID
  ) -> ScorePage {
    let ranking = ScopedRanking(board, players: players)
    var page = ScorePage()
    page.entries = ranking.page(from: start - 1, count: count)
    if let own = board.entry(of: caller) {
      page.localEntry = board.shown(own, rank: ranking.rank(of: own))
    }
    page.total = UInt32(ranking.entries.count)
    return page
  }

  func scoresAroundPlayer(
    _ operation: ScoresAroundPlayer, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ScorePage {
    try Stop.check(operation.fault)
    let board = try board(operation.board, call)
    let player = try subject(operation.player, call)
    var page = ScorePage()
    page.total = UInt32(board.total)
    page.localEntry = board.rankedEntry(of: call.player)
    guard let entry = board.entry(of: player) else { return page }
    let count = Int(operation.count)
    let ideal = board.position(of: entry) - (count - 1) / 2
    page.entries = board.page(from: max(0, min(ideal, board.total - count)), count: count)
    return page
  }

  func rankOfPlayer(_ operation: RankOfPlayer, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> RankOfPlayer.Reply
  {
    let board = try board(operation.board, call)
    var reply = RankOfPlayer.Reply()
    reply.entry = board.rankedEntry(of: try subject(operation.player, call))
    reply.total = UInt32(board.total)
    return reply
  }

  /// The player that a query is about: the one named, else the caller.
  private func subject(_ player: PlayerID?, _ call: Call) throws(Stop) -> PlayerID {
    if let player { return player }
    guard !call.player.isNil else {
      throw .refuse(
        .requiredArgument, argument: "player", "A caller that is no player must name one.")
    }
    return call.player
  }
}
