import Operations
import Wire

extension Simulation {
  /// Makes every kind of query of a board; of each period at least that for its whole ranking.
  func checkQueries(_ board: BoardModel) throws(Violation) {
    if deployment.options.canary == nil {
      // A canary that changes the definition has to be found by the answers to other queries.
      var describe = DescribeLeaderboard()
      describe.board = board.definition.board
      try expect(describe, of: board, as: caller(of: board)) { board.describe(at: $0) }
    }
    let key = RoutingKey(game: Deployment.game, name: board.definition.board)
    let periods = periods(board, at: deployment.time(of: key))
    for period in periods {
      var top = TopScores()
      top.board = board.definition.board
      top.count = 100
      top.period = period
      let caller = caller(of: board)
      try expect(top, of: board, as: caller) { board.answer(top, as: caller, at: $0) }
    }
    try checkMore(board, deployment.schedule.pick(periods) ?? ScorePeriod())
    try checkTooFarBack(board)
  }

  private func periods(_ board: BoardModel, at now: Int64) -> [ScorePeriod] {
    let definition = board.definition
    var periods = [ScorePeriod()]
    if definition.hasWindows {
      for scope in [ScoreTimeScope.today, .week] {
        var period = ScorePeriod()
        period.timeScope = scope
        periods.append(period)
      }
    }
    guard let current = board.current(at: now) else { return periods }
    for back in 1...definition.olderOccurrencesKept + 1 where Int64(back) <= current.number {
      var period = ScorePeriod()
      period.occurrencesBack = back
      periods.append(period)
    }
    return periods
  }

  private var caller: PlayerID { workload.clients[0].player }

  /// Somebody who may see the board, if anybody may.
  private func caller(of board: BoardModel) -> PlayerID {
    let players = workload.clients.map(\.player)
    guard let context = board.definition.linkedContext else { return caller }
    return players.first { contexts.holds($0, in: context) } ?? caller
  }

  /// Makes all kinds of query of one period, each with random bounds.
  private func checkMore(_ board: BoardModel, _ period: ScorePeriod) throws(Violation) {
    let name = board.definition.board
    let schedule = deployment.schedule
    let players = workload.clients.map(\.player).shuffled(using: &schedule.random)
    let (caller, friends) = (players[0], Array(players[1...].prefix(3)))
    let start = UInt32(schedule.number(1...4))
    let count = UInt32(schedule.number(1...5))

    var top = TopScores()
    (top.board, top.period, top.start, top.count) = (name, period, start, count)
    try expect(top, of: board, as: caller) { board.answer(top, as: caller, at: $0) }
    top.scope = .players
    top.players = friends
    try expect(top, of: board, as: caller) { board.answer(top, as: caller, at: $0) }
    try checkContexts(of: board, period, as: caller)
    var friendly = FriendScores()
    (friendly.board, friendly.period, friendly.start, friendly.count) = (name, period, start, count)
    try expect(friendly, of: board, as: caller, friends: friends) {
      board.answer(friendly, as: caller, friends: friends, at: $0)
    }
    var lesser = LesserScores()
    (lesser.board, lesser.period, lesser.count) = (name, period, count)
    try expect(lesser, of: board, as: caller, friends: friends) {
      board.answer(lesser, as: caller, friends: friends, at: $0)
    }
    var around = ScoresAroundPlayer()
    (around.board, around.period, around.count) = (name, period, count)
    around.player = schedule.isChance(oneIn: 2) ? friends.first : nil
    try expect(around, of: board, as: caller) { board.answer(around, as: caller, at: $0) }
    var rank = RankOfPlayer()
    (rank.board, rank.period) = (name, period)
    try expect(rank, of: board, as: caller) { board.answer(rank, as: caller, at: $0) }
    var value = RankOfValue()
    (value.board, value.period, value.value) = (name, period, schedule.number(-8...8))
    try expect(value, of: board, as: caller) { board.answer(value, at: $0) }
  }

  /// Queries the players of a context that the caller is in.
  private func checkContexts(of board: BoardModel, _ period: ScorePeriod, as caller: PlayerID)
    throws(Violation)
  {
    let known = contexts.all.keys.sorted().filter { contexts.holds(caller, in: $0) }
    let context = board.definition.linkedContext ?? deployment.schedule.pick(known)
    guard let context else { return }
    var top = TopScores()
    (top.board, top.period, top.count) = (board.definition.board, period, 100)
    (top.scope, top.context) = (.context, context)
    let players = contexts.players(of: context)
    try expect(top, of: board, as: caller) {
      board.answer(top, as: caller, participants: players, at: $0)
    }
  }

  private func checkTooFarBack(_ board: BoardModel) throws(Violation) {
    guard board.definition.recurrence != nil else { return }
    var top = TopScores()
    top.board = board.definition.board
    top.period.occurrencesBack = board.definition.olderOccurrencesKept + 2
    let key = RoutingKey(game: Deployment.game, name: top.board)
    guard case .failure(let failure) = try inspect(top, as: caller, key: key),
      failure.code == .notFound, failure.argument == "occurrencesBack"
    else { throw Violation(description: "\(top) was not refused") }
  }

  /// Makes a query. Its answer must be right for some moment between call and answer. Who is not in
  /// a board's context is told nothing.
  private func expect<O: Operation>(
    _ query: O, of board: BoardModel, as player: PlayerID? = nil, friends: [PlayerID] = [],
    _ wanted: (Int64) -> O.Reply
  ) throws(Violation) {
    let key = RoutingKey(game: Deployment.game, name: board.definition.board)
    let player = player ?? caller
    if let context = board.definition.linkedContext, !contexts.holds(player, in: context) {
      guard
        case .failure(let failure) = try inspect(query, as: player, key: key, friends: friends),
        failure.code == .notFound, failure.argument == "context"
      else { throw Violation(description: "\(query) of \(player) was not refused") }
      return
    }
    let before = deployment.time(of: key)
    let reply = try reply(query, as: player, key: key, friends: friends)
    let after = max(before, deployment.time(of: key))
    if reply == wanted(before) { return }
    for moment in before...after where reply == wanted(moment) { return }
    throw Violation(description: "\(query) is answered with \(reply) instead of \(wanted(after))")
  }
}
