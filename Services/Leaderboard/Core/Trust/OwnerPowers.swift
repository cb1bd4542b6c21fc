import Domain
import Operations
import Wire

/// What a game's owner may do: remove scores, put them in quarantine, ban players.
struct OwnerPowers: CorePart {
  let boards: Boards
  let compensation: Compensation

  func register(_ router: inout Router) {
    router.on(RemoveScore.self, removeScore)
    router.on(RestrictPlayer.self, restrictPlayer)
  }

  func register(_ tables: inout Tables) {
    tables.resident(PlayerMarkRow.self) { row in
      let board = self.boards.board(at: row.key.boardKey)
      board.skipArrivals(through: max(row.countsAfter, row.hiddenThrough))
      board.makeExtras().marks[row.key.player] = row
    }
  }

  private func removeScore(_ operation: RemoveScore, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> RemoveScore.Reply
  {
    let board = try boards.board(operation.board, call)
    let standing = try boards.currentStanding(of: board, transaction.now)
    let player = operation.player
    let since = board.occurrence(at: transaction.now, boards.calendar)?.start ?? .min
    let entry = standing.entry(of: player)
    if entry == nil { try call.checkExists(player) }
    if let entry, operation.fallsBack {
      return try fallBack(from: entry, standing, board, since: since, &transaction)
    }
    guard entry != nil || !operation.fallsBack && board.extras?.marks[player]?.held != nil
    else { throw .notFound("player", "The player has no score on this board.") }
    if entry != nil { standing.erase(player, &transaction) }
    discard(player, board, since: since, &transaction)
    return RemoveScore.Reply()
  }

  /// Removes the attempt that an entry shows: the entry falls back to earlier attempts.
  private func fallBack(
    from entry: Board.Entry, _ standing: Board, _ board: Board, since: Int64,
    _ transaction: inout Transaction
  ) throws(Stop) -> RemoveScore.Reply {
    let player = entry.player
    guard board.definition.attempts != .none
    else { throw .conflict("fallsBack", "The board keeps no attempts to fall back to.") }
    let attempts = try board.newestAttempts(of: player, since: since, transaction)
    let isKnown = attempts.contains { $0.arrival == entry.arrival }
    guard isKnown || board.definition.aggregation != .sum
    else { throw .conflict("fallsBack", "What the sum last gained is not kept any more.") }
    let earlier = board.fallback(from: entry, among: attempts)
    transaction.remove(
      AttemptRow.self,
      AttemptKey(boardKey: board.key, player: player, arrival: entry.arrival))
    board.extras?.windows?.void(entry.arrival, of: player, board.key, &transaction)
    board.recountAgain(player, &transaction)
    var mark = board.mark(of: player)
    mark.remove(entry.arrival)
    if mark.held?.occurrence == standing.occurrence {
      mark.held?.isFollowed = attempts.contains { $0.arrival != entry.arrival && $0.value != 0 }
    }
    board.put(mark, &transaction)
    compensation.begin(
      player, board, attempts: entry.arrival...entry.arrival, since: since, &transaction)
    var reply = RemoveScore.Reply()
    if let earlier {
      reply.entry = standing.ranked(earlier, position: standing.put(earlier, &transaction))
    } else {
      standing.erase(player, &transaction)
    }
    return reply
  }

  /// Makes everything that the player did on the board count no longer.
  private func discard(
    _ player: PlayerID, _ board: Board, since: Int64, _ transaction: inout Transaction
  ) {
    var mark = board.mark(of: player)
    mark.countsAfter = board.nextArrival()
    mark.removedAttempts = []
    mark.hiddenThrough = 0
    mark.held = nil
    mark.generation = 0
    board.put(mark, &transaction)
    board.recountAgain(player, &transaction)
    compensation.begin(player, board, attempts: 0...mark.countsAfter, since: since, &transaction)
  }

  private func restrictPlayer(
    _ operation: RestrictPlayer, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let board = try boards.board(operation.board, call)
    let standing = try boards.currentStanding(of: board, transaction.now)
    var mark = board.mark(of: operation.player)
    let old = mark
    let entry = standing.entry(of: operation.player)
    if entry == nil { try call.checkExists(operation.player) }
    switch operation.restriction {
    case .quarantine, .release:
      guard entry != nil || mark.held != nil
      else { throw .notFound("player", "The player has no score on this board.") }
    case .ban: mark.isBanned = true
    case .unban: mark.isBanned = false
    default:
      throw .invalidArgument("restriction", "The restriction is not known.")
    }
    let isHidden = operation.restriction == .quarantine || operation.restriction == .ban
    if isHidden, let entry {
      hold(entry, &mark, board, standing, &transaction)
    } else if !isHidden {
      try release(&mark, board, &transaction)
    }
    if mark != old {
      board.put(mark, &transaction)
      board.recountAgain(operation.player, &transaction)
    }
  }

  private func hold(
    _ entry: Board.Entry, _ mark: inout PlayerMarkRow, _ board: Board, _ standing: Board,
    _ transaction: inout Transaction
  ) {
    var held = entry
    if mark.held == nil { mark.generation = board.generation }
    if let before = mark.held, before.occurrence == standing.occurrence {
      held = board.merged(before, entry)
    }
    mark.held = HeldScore(occurrence: standing.occurrence).holding(held)
    mark.hiddenThrough = board.nextArrival()
    standing.erase(entry.player, &transaction)
  }

  private func release(
    _ mark: inout PlayerMarkRow, _ board: Board, _ transaction: inout Transaction
  ) throws(Stop) {
    let recounted = try recounted(mark, board, transaction)
    mark.hiddenThrough = 0
    mark.generation = 0
    guard let held = mark.held else { return }
    mark.held = nil
    let player = mark.key.player
    // An occurrence that is not kept any more has no place for it.
    var place: Board? = board
    if let number = held.occurrence {
      place = board.makeExtras().occurrences.last { $0.row.key.number == number }?.board
    }
    guard let standing = place else { return }
    var entry = recounted ?? held.entry(of: player)
    if recounted == nil, let newer = standing.entry(of: player) {
      entry = board.merged(held, newer)
    }
    _ = standing.put(entry, &transaction)
  }

  /// Rebuilds the entry of a score in quarantine from the player's newest attempts, if a re-rank
  /// rebuilt the board's entries meanwhile. Nil when none did, or no attempts were kept.
  private func recounted(_ mark: PlayerMarkRow, _ board: Board, _ transaction: Transaction)
    throws(Stop) -> Board.Entry?
  {
    guard mark.held != nil, mark.generation != board.generation else { return nil }
    let attempts = try board.newestAttempts(
      of: mark.key.player, since: .min, floor: mark.countsAfter, transaction)
    return attempts.reversed().reduce(nil as Board.Entry?) { entry, attempt in
      entry.map { board.definition.merged($0, attempt) } ?? attempt
    }
  }
}

extension Board {
  fileprivate func mark(of player: PlayerID) -> PlayerMarkRow {
    extras?.marks[player] ?? PlayerMarkRow(key: EntryKey(boardKey: key, player: player))
  }

  /// Stores a mark, or removes it once it says nothing.
  fileprivate func put(_ mark: PlayerMarkRow, _ transaction: inout Transaction) {
    if mark == PlayerMarkRow(key: mark.key) {
      makeExtras().marks[mark.key.player] = nil
      transaction.remove(PlayerMarkRow.self, mark.key)
    } else {
      makeExtras().marks[mark.key.player] = mark
      transaction.put(mark)
    }
    makeExtras().windows?.count(mark.key.player, after: makeExtras().floor(of: mark.key.player))
  }
}

extension Board {
  /// Notes on a score in quarantine that an attempt has changed its player's sum since.
  func follow(_ attempt: Entry, in occurrence: Int64?, _ transaction: inout Transaction) {
    guard definition.aggregation == .sum, attempt.value != 0,
      var mark = extras?.marks[attempt.player], mark.held?.isFollowed == false,
      mark.held?.occurrence == occurrence
    else { return }
    mark.held?.isFollowed = true
    put(mark, &transaction)
  }

  /// Merges a score in quarantine with the entry that was submitted since.
  fileprivate func merged(_ held: HeldScore, _ newer: Entry) -> Entry {
    let merged = definition.merged(held.entry(of: newer.player), newer)
    guard held.isFollowed, definition.aggregation == .sum else { return merged }
    // A sum that went up and down again shows the attempt that changed it last.
    var entry = newer
    entry.value = merged.value
    return entry
  }
}
