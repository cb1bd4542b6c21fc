public import Domain
import Operations
import Wire

/// What time does to what boards keep besides their rankings.
extension LeaderboardCore {
  /// Boards that one step of time looks at, and the rows that it may remove.
  static var watchedPerTick: Int { 64 }
  static var droppedPerTick: Int { 2048 }

  public func tick(_ transaction: inout Transaction) {
    expiries.send(&transaction)
    var left = Self.droppedPerTick
    for _ in 0..<min(Self.watchedPerTick, watchedBoards.count) where left > 0 {
      let board = watchedBoards.next()
      guard let extras = board.extras else { continue }
      left -= board.eraseFormerOccurrences(atMost: left, &transaction)
      if let windows = extras.windows {
        _ = windows.slide(to: transaction.now, atMost: ScoreWindows.slideMax)
        left -= windows.trim(board.key, atMost: max(left, 0), &transaction)
      }
      left -= extras.tickets.expire(
        atMost: max(left, 0), lifetime: settings[.runTicketLifetime], &transaction)
      extras.rates.forget(board.definition, at: transaction.now, atMost: max(left, 0))
      sweeps.begin(board, &transaction)
      board.sortHistory(&transaction)
      histories.beginTrim(board, &transaction)
    }
  }
}
