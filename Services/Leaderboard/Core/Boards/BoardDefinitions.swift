import Domain
import Operations
import Wire

/// The boards that games declare. Whatever changes a board's definition changes it here.
struct BoardDefinitions: CorePart {
  let boards: Boards
  let sweeps: Sweeps
  let histories: Histories
  let openChallenges: OpenChallenges

  func register(_ router: inout Router) {
    router.on(DefineLeaderboard.self, define)
    router.on(DescribeLeaderboard.self, describe)
    router.on(TellLeaderboardTitle.self, tellTitle)
  }

  private func define(
    _ operation: DefineLeaderboard, _ call: Call, _ transaction: inout Transaction
  )
    throws(Stop) -> DefineLeaderboard.Reply
  {
    let definition = operation.definition
    if let zone = definition.recurrence?.zone, !zone.isEmpty, !boards.calendar.knows(zone: zone) {
      throw .invalidArgument("zone", "No zone of that name is known here.")
    }
    try call.checkNamesGame(for: "A board")
    let row = BoardRow(key: call.key, game: call.game, definition: definition)
    var reply = DefineLeaderboard.Reply()
    reply.change = .created
    if let board = boards[call.key] {
      try checkChange(of: board, to: row)
      reply.change = board.row == row ? .unchanged : .updated
    }
    guard reply.change != .unchanged else { return reply }
    let board = boards.board(at: call.key)
    if reply.change == .created || board.definition.title != definition.title {
      tellTitle(of: row, &transaction)
    }
    let linked = board.definition.linkedContext
    change(board, to: row, &transaction)
    if linked != row.definition.linkedContext {
      if let linked { openChallenges.tellUnlinked(linked, of: board, &transaction) }
      openChallenges.tellContext(of: board, &transaction)
    }
    return reply
  }

  /// Gives a board its first definition or another one. Its occurrences, its windows, its history
  /// and its kept attempts follow.
  func change(_ board: Board, to row: BoardRow, _ transaction: inout Transaction) {
    // A board that was just made has no name yet.
    let old = board.definition.board.isEmpty ? nil : board.definition
    board.adopt(row)
    histories.adopt(board, after: old, &transaction)
    if let old, old.attempts != .none, row.definition.attempts == .none {
      sweeps.eraseAll(of: board, &transaction)
    }
    boards.scheduleMaintenance(of: board, &transaction)
    transaction.put(row)
  }

  private func checkChange(of board: Board, to row: BoardRow) throws(Stop) {
    guard board.row.game == row.game, board.row.definition.board == row.definition.board else {
      throw .conflict("board", "The name has the same key as another board's: change it.")
    }
    if board.isReRanking && board.row != row {
      throw .conflict(
        "board", "The board is being ranked anew: it can change again when that has ended.")
    }
    let isUnused = board.isUnused && openChallenges.isEmpty(on: board)
    if let argument = row.definition.rankingDifference(from: board.definition), !isUnused {
      throw .conflict(
        argument,
        "The \(argument) of a board with entries or open challenges cannot be declared anew; "
          + "only its order, tie rule and aggregation can change, by ranking it anew.")
    }
    // They lack what was submitted since they were switched off.
    let hasOldWindows =
      !board.definition.hasWindows && board.extras?.windows?.isEmpty == false
    guard !row.definition.hasWindows || !hasOldWindows else {
      throw .conflict(
        "hasWindows", "The board's windows of before are not empty yet, which takes 7 days.")
    }
  }

  private func describe(
    _ operation: DescribeLeaderboard, _ call: Call, _ transaction: inout Transaction
  )
    throws(Stop) -> DescribeLeaderboard.Reply
  {
    let board = try boards.openBoard(operation.board, call)
    var reply = DescribeLeaderboard.Reply()
    reply.definition = board.definition
    reply.total = UInt32(try boards.currentStanding(of: board, transaction.now).total)
    reply.current = board.occurrence(at: transaction.now, boards.calendar)
    if let current = reply.current, current.number > 0 {
      reply.previous = board.occurrence(number: current.number - 1, boards.calendar)
    }
    reply.reRank = board.reRankProgress
    return reply
  }

  private func tellTitle(
    _ operation: TellLeaderboardTitle, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    if let board = boards[operation.boardKey], board.row.game == call.game {
      tellTitle(of: board.row, &transaction)
    }
  }

  /// Tells the game's key what a board is called.
  private func tellTitle(of board: BoardRow, _ transaction: inout Transaction) {
    var record = RecordLeaderboard()
    record.key = RoutingKey(game: board.game)
    record.board = board.definition.board
    record.title = board.definition.title
    transaction.effect(record, on: record.key, game: board.game)
  }
}
