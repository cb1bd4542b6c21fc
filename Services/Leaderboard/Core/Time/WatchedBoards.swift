import Wire

/// Boards that time does something to, each in its turn.
final class WatchedBoards: CorePart {
  private let allBoards: Boards
  private var boards: [Board] = []
  private var place = 0

  init(_ boards: Boards) { allBoards = boards }

  var count: Int { boards.count }

  /// Time does something to the board from now on.
  func add(_ board: Board) {
    guard let extras = board.extras, !extras.isWatched else { return }
    extras.isWatched = true
    boards.append(board)
  }

  /// The board whose turn it is; there must be one.
  func next() -> Board {
    place = (place + 1) % boards.count
    return boards[place]
  }

  func loaded() {
    for board in allBoards.all { add(board) }
    boards.sort { ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low) }
  }
}
