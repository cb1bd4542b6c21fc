import Domain
import Operations
import Wire

/// Sets of boards, and what the boards of a game are called, at the game's key.
extension LeaderboardCore {
  func defineSet(
    _ operation: DefineLeaderboardSet, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DefineLeaderboardSet.Reply {
    try Stop.check(operation.definition.fault)
    guard !call.game.isEmpty else {
      throw .refuse(.requiredArgument, argument: "game", "A set belongs to a game: name it.")
    }
    var row = LeaderboardSetRow()
    row.key = GameListKey(game: call.game, name: operation.definition.set)
    row.game = call.game
    row.definition = operation.definition
    var reply = DefineLeaderboardSet.Reply()
    reply.change = try gameSets[call.key, default: Declarations()].declare(
      row, countMax: LeaderboardSetLimits.perGameMax,
      full: Failure(
        .limitReached, argument: "set",
        "A game has at most \(LeaderboardSetLimits.perGameMax) sets of boards."),
      &transaction)
    if reply.change != .unchanged { askForTitles(of: row.definition.boards, call, &transaction) }
    return reply
  }

  /// Boards that nothing is known of: not declared, or before there were sets.
  private func askForTitles(
    of boards: [String], _ call: Call, _ transaction: inout Transaction
  ) {
    for board in boards where boardTitles[GameListKey(game: call.game, name: board)] == nil {
      var question = TellLeaderboardTitle()
      question.boardKey = RoutingKey(game: call.game, name: board)
      transaction.effect(question, on: question.boardKey, game: call.game)
    }
  }

  func listSets(_ operation: ListLeaderboardSets, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ListLeaderboardSets.Reply
  {
    var reply = ListLeaderboardSets.Reply()
    reply.sets = (gameSets[call.key]?.rows ?? []).map { row in
      var entry = LeaderboardSetEntry()
      entry.set = row.definition.set
      entry.title = row.definition.title
      return entry
    }
    return reply
  }

  func describeSet(
    _ operation: DescribeLeaderboardSet, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DescribeLeaderboardSet.Reply {
    if operation.set.isEmpty { try Stop.check(LeaderboardSetName.fault(of: operation.set)) }
    guard let row = gameSets[call.key]?[operation.set] else {
      throw .refuse(.notFound, argument: "set", "The game has no set of that name.")
    }
    var reply = DescribeLeaderboardSet.Reply()
    reply.title = row.definition.title
    for board in row.definition.boards {
      var member = LeaderboardSetMember()
      member.board = board
      member.title = boardTitles[GameListKey(game: call.game, name: board)]
      if member.title != nil || call.principal.kind != .player { reply.boards.append(member) }
    }
    return reply
  }

  func tellTitle(
    _ operation: TellLeaderboardTitle, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    if let board = boards[operation.boardKey], board.row.game == call.game {
      tellTitle(of: board.row, &transaction)
    }
    return Empty()
  }

  /// A board says what it is called.
  func tellTitle(of board: BoardRow, _ transaction: inout Transaction) {
    var record = RecordLeaderboard()
    record.key = RoutingKey(game: board.game)
    record.board = board.definition.board
    record.title = board.definition.title
    transaction.effect(record, on: record.key, game: board.game)
  }

  func recordLeaderboard(
    _ operation: RecordLeaderboard, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    var row = LeaderboardTitleRow()
    row.key = GameListKey(game: call.game, name: operation.board)
    row.game = call.game
    row.board = operation.board
    row.title = operation.title
    boardTitles[row.key] = row.title
    transaction.put(row)
    return Empty()
  }
}
