import Domain
import Operations
import Wire

/// The sets of boards that games declare, and the titles of games' boards, at the game's key.
final class BoardSets: CorePart {
  /// By the game's key.
  private var sets: [RoutingKey: Declarations<LeaderboardSetRow>] = [:]
  /// Copies, because the boards' own keys may be in other processes.
  private var titles: [GameListKey: String] = [:]
  /// The names of the boards that have a title here, in their order, by the game's key.
  private var names: [RoutingKey: [String]] = [:]

  func register(_ router: inout Router) {
    router.on(DefineLeaderboardSet.self, defineSet)
    router.on(ListLeaderboardSets.self, listSets)
    router.on(DescribeLeaderboardSet.self, describeSet)
    router.on(ListLeaderboards.self, listBoards)
    router.on(RecordLeaderboard.self, recordLeaderboard)
  }

  func register(_ tables: inout Tables) {
    tables.resident(LeaderboardSetRow.self, about: .nobody) {
      self.sets[$0.key.game, default: Declarations()].put($0)
    }
    tables.resident(LeaderboardTitleRow.self, about: .nobody) { self.know($0) }
  }

  private func defineSet(
    _ operation: DefineLeaderboardSet, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DefineLeaderboardSet.Reply {
    try call.checkNamesGame(for: "A set")
    let row = LeaderboardSetRow(
      key: GameListKey(game: call.game, name: operation.definition.set), game: call.game,
      definition: operation.definition)
    var reply = DefineLeaderboardSet.Reply()
    reply.change = try sets[call.key, default: Declarations()].declare(
      row, countMax: LeaderboardSetLimits.perGameMax,
      full: Failure(
        .limitReached, argument: "set",
        "A game has at most \(LeaderboardSetLimits.perGameMax) sets of boards."),
      &transaction)
    if reply.change != .unchanged { askForTitles(of: row.definition.boards, call, &transaction) }
    return reply
  }

  /// Asks each board whose title is not known: it may have been declared before there were sets.
  private func askForTitles(
    of boards: [String], _ call: Call, _ transaction: inout Transaction
  ) {
    for board in boards where titles[GameListKey(game: call.game, name: board)] == nil {
      let key = RoutingKey(game: call.game, name: board)
      transaction.effect(TellLeaderboardTitle(on: key), on: key, game: call.game)
    }
  }

  private func listSets(
    _ operation: ListLeaderboardSets, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListLeaderboardSets.Reply {
    var reply = ListLeaderboardSets.Reply()
    reply.sets = (sets[call.key]?.rows ?? []).map { row in
      var entry = LeaderboardSetEntry()
      entry.set = row.definition.set
      entry.title = row.definition.title
      return entry
    }
    return reply
  }

  private func describeSet(
    _ operation: DescribeLeaderboardSet, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DescribeLeaderboardSet.Reply {
    guard let row = sets[call.key]?[operation.set]
    else { throw .notFound("set", "The game has no set of that name.") }
    var reply = DescribeLeaderboardSet.Reply()
    reply.title = row.definition.title
    for board in row.definition.boards {
      var member = LeaderboardSetMember()
      member.board = board
      member.title = titles[GameListKey(game: call.game, name: board)]
      if member.title != nil || call.principal.kind != .player { reply.boards.append(member) }
    }
    return reply
  }

  private func recordLeaderboard(
    _ operation: RecordLeaderboard, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let row = LeaderboardTitleRow(
      key: GameListKey(game: call.game, name: operation.board), game: call.game,
      board: operation.board, title: operation.title)
    know(row)
    transaction.put(row)
  }

  private func know(_ row: LeaderboardTitleRow) {
    if titles.updateValue(row.title, forKey: row.key) != nil { return }
    let place = names[row.key.game, default: []].sortedCount { $0 < row.board }
    names[row.key.game, default: []].insert(row.board, at: place)
  }

  private func listBoards(
    _ operation: ListLeaderboards, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListLeaderboards.Reply {
    var reply = ListLeaderboards.Reply()
    let names = names[call.key] ?? []
    let first = names.sortedCount { $0 <= operation.cursor }
    let page = names[first...].prefix(Int(operation.limit))
    reply.boards = page.map { name in
      var entry = LeaderboardListEntry()
      entry.board = name
      entry.title = titles[GameListKey(game: call.game, name: name)] ?? ""
      return entry
    }
    if page.endIndex < names.endIndex { reply.cursor = page.last ?? "" }
    return reply
  }
}
