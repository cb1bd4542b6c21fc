import Domain
import Operations
import Wire

extension LeaderboardCore {
  func define(_ operation: DefineLeaderboard, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> DefineLeaderboard.Reply
  {
    let definition = operation.definition
    try Stop.check(definition.fault)
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
    board(at: call.key).row = row
    transaction.put(row)
    return reply
  }

  private func checkChange(of board: Board, to row: BoardRow) throws(Stop) {
    guard board.row.game == row.game, board.row.definition.board == row.definition.board else {
      throw .refuse(
        .conflict, argument: "board", "The name has the same key as another board's: change it.")
    }
    if let argument = row.definition.rankingDifference(from: board.definition), !board.isUnused {
      throw .refuse(
        .conflict, argument: argument,
        "The \(argument) of a board with entries or open challenges cannot change.")
    }
  }

  func describe(_ operation: DescribeLeaderboard, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> DescribeLeaderboard.Reply
  {
    let board = try board(operation.board, call)
    var reply = DescribeLeaderboard.Reply()
    reply.definition = board.definition
    reply.total = UInt32(board.total)
    return reply
  }

  func removeScore(_ operation: RemoveScore, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    let board = try board(operation.board, call)
    guard board.entry(of: operation.player) != nil else {
      throw .refuse(.notFound, argument: "player", "The player has no score on this board.")
    }
    board.remove(operation.player)
    transaction.remove(
      EntryRow.self, EntryKey(boardKey: board.key, player: operation.player))
    return Empty()
  }
}
