import Domain
import Operations
import Wire

extension LeaderboardCore {
  /// A player's attempts that count, newest first, as far back as one command may look.
  ///
  /// - Parameter floor: in place of what the player's mark says, the last number that does not count.
  func newestAttempts(
    of player: PlayerID, on board: Board, since: Int64, floor: UInt64? = nil,
    _ transaction: Transaction
  ) throws(Stop) -> [Board.Entry] {
    let pageMax = 512
    var prefix = AttemptKey(boardKey: board.key, player: player, arrival: 0).keyBytes
    prefix.removeLast(MemoryLayout<UInt64>.size)
    var through = prefix
    var attempts: [Board.Entry] = []
    while attempts.count < LeaderboardLimits.fallbackAttemptsMax {
      let page = try transaction.rows(
        AttemptRow.self,
        in: ColdRange(
          table: AttemptRow.tableID, from: prefix, through: through, limit: pageMax,
          isDescending: true))
      attempts += page.map(\.entry)
      guard page.count == pageMax, let last = page.last, last.key.arrival > 0, last.date >= since
      else { break }
      let before = AttemptKey(
        boardKey: board.key, player: player, arrival: last.key.arrival - 1)
      through = before.keyBytes
    }
    let floor = floor ?? board.keeping?.floor(of: player) ?? 0
    return attempts.filter { $0.arrival > floor && $0.date >= since }
  }

  /// What a player's entry becomes without the attempt that it shows; nil when none is left.
  ///
  /// - Parameter attempts: the player's, newest first.
  func entry(after entry: Board.Entry, without attempts: [Board.Entry], _ board: Board)
    -> Board.Entry?
  {
    let others = attempts.filter { $0.arrival != entry.arrival }
    let order = board.definition.sortOrder
    switch board.definition.aggregation {
    case .latest: return others.first
    case .sum:
      // What the sum was before: the attempts themselves may go back further than was read or is
      // kept.
      guard let own = attempts.first(where: { $0.arrival == entry.arrival }) else { return nil }
      let (sum, isOverflow) = entry.value.subtractingReportingOverflow(own.value)
      var previous = others.first { $0.value != 0 } ?? others.last
      if previous == nil && sum != 0 {
        previous = entry
        previous?.context = 0
      }
      previous?.value = sum
      return isOverflow ? nil : previous
    default:
      return others.reduce(nil as Board.Entry?) { best, next in
        // Newest first: among equal ones the earliest stays.
        best.map { order.isBetter($0.value, than: next.value) ? $0 : next } ?? next
      }
    }
  }

  /// Begins a round over a board's attempts, which takes those out that were kept for long enough.
  func beginSweep(_ board: Board, _ transaction: inout Transaction) {
    guard board.definition.attempts == .days, let keeping = board.keeping,
      keeping.nextSweep <= transaction.now
    else { return }
    keeping.nextSweep = transaction.now + Self.sweepMilliseconds
    var step = SweepAttempts()
    step.boardKey = board.key
    transaction.effect(step, on: board.key, game: board.row.game)
  }

  func sweepAttempts(
    _ operation: SweepAttempts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    guard let board = boards[call.key], board.definition.attempts == .days else { return Empty() }
    let range = ColdRange(
      table: AttemptRow.tableID,
      from: operation.from.array.isEmpty ? board.key.keyBytes : operation.from.array,
      through: board.key.keyBytes, limit: Self.sweepRowsMax)
    let rows = try transaction.rows(AttemptRow.self, in: range)
    let kept = Int64(board.definition.attemptDays) * Self.dayMilliseconds
    for row in rows where row.date + kept <= transaction.now {
      transaction.remove(AttemptRow.self, row.key)
    }
    guard rows.count == Self.sweepRowsMax, let last = rows.last else { return Empty() }
    var step = SweepAttempts()
    step.boardKey = board.key
    // The first key after the last one.
    step.from = Bytes(last.key.keyBytes + [0])
    transaction.effect(step, on: board.key, game: board.row.game)
    return Empty()
  }

  static var dayMilliseconds: Int64 { 24 * 3600 * 1000 }
  /// Days are what attempts are kept for, so a round a day is often enough.
  static var sweepMilliseconds: Int64 { dayMilliseconds }
  /// Attempts that one step of a round looks at.
  static var sweepRowsMax: Int { 256 }
}
