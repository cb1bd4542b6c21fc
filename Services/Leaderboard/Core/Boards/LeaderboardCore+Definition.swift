import Domain
import Operations
import Wire

extension LeaderboardCore {
  func define(_ operation: DefineLeaderboard, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> DefineLeaderboard.Reply
  {
    let definition = operation.definition
    try Stop.check(definition.fault)
    if let zone = definition.recurrence?.zone, !zone.isEmpty, !calendar.knows(zone: zone) {
      throw .refuse(.invalidArgument, argument: "zone", "No zone of that name is known here.")
    }
    guard !call.game.isEmpty else {
      throw .refuse(.requiredArgument, argument: "game", "A board belongs to a game: name it.")
    }
    var row = BoardRow()
    row.key = call.key
    row.game = call.game
    row.definition = definition
    var reply = DefineLeaderboard.Reply()
    reply.change = .created
    if let board = boards[call.key] {
      try checkChange(of: board, to: row)
      reply.change = board.row == row ? .unchanged : .updated
    }
    guard reply.change != .unchanged else { return reply }
    let old = boards[call.key]?.definition
    let board = board(at: call.key)
    if reply.change == .created || board.definition.title != definition.title {
      tellTitle(of: row, &transaction)
    }
    board.adopt(row)
    board.adoptHistory(after: old, historyShape, &transaction)
    watch(board)
    transaction.put(row)
    return reply
  }

  private func checkChange(of board: Board, to row: BoardRow) throws(Stop) {
    guard board.row.game == row.game, board.row.definition.board == row.definition.board else {
      throw .refuse(
        .conflict, argument: "board", "The name has the same key as another board's: change it.")
    }
    if board.isReRanking && board.row != row {
      throw .refuse(
        .conflict, argument: "board",
        "The board is being ranked anew: it can change again when that has ended.")
    }
    if let argument = row.definition.rankingDifference(from: board.definition), !board.isUnused {
      throw .refuse(
        .conflict, argument: argument,
        "The \(argument) of a board with entries or open challenges cannot be declared anew; "
          + "only its order, tie rule and aggregation can change, by ranking it anew.")
    }
    // They lack what was submitted since they were switched off.
    let hasOldWindows =
      !board.definition.hasWindows && board.keeping?.windows?.isEmpty == false
    guard !row.definition.hasWindows || !hasOldWindows else {
      throw .refuse(
        .conflict, argument: "hasWindows",
        "The board's windows of before are not empty yet, which takes 7 days.")
    }
  }

  func describe(_ operation: DescribeLeaderboard, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> DescribeLeaderboard.Reply
  {
    let board = try openBoard(operation.board, call)
    var reply = DescribeLeaderboard.Reply()
    reply.definition = board.definition
    reply.total = UInt32(try currentStanding(of: board, transaction.now).total)
    reply.current = board.occurrence(at: transaction.now, calendar)
    if let current = reply.current, current.number > 0 {
      reply.previous = board.occurrence(number: current.number - 1, calendar)
    }
    reply.reRank = board.reRankProgress
    return reply
  }
}
