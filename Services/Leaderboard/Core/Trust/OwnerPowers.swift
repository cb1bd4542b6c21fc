import Domain
import Operations
import Wire

/// What a game's owner may do: remove scores, put them in quarantine, ban players.
struct OwnerPowers: CorePart {
  let boards: Boards
  let sweeps: Sweeps
  let compensation: Compensation

  func register(_ router: inout Router) {
    router.on(RemoveScore.self, removeScore)
    router.on(RestrictPlayer.self, restrictPlayer)
  }

  func register(_ tables: inout Tables) {
    tables.resident(PlayerMarkRow.self) { row in
      let board = self.boards.board(at: row.key.boardKey)
      board.skipArrivals(through: row.lastArrival)
      board.makeExtras().marks[row.key.player] = row
    }
  }

  private func removeScore(_ operation: RemoveScore, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> RemoveScore.Reply
  {
    let board = try boards.board(operation.board, call)
    let standing = try boards.currentStanding(of: board, transaction.now)
    let player = operation.player
    let entry = standing.entry(of: player)
    if entry == nil { try call.checkExists(player) }
    if let entry, operation.fallsBack {
      return try fallBack(from: entry, standing, board, &transaction)
    }
    guard entry != nil || !operation.fallsBack && board.extras?.marks[player]?.held != nil
    else { throw .notFound("player", "The player has no score on this board.") }
    discard(entry, of: player, standing, board, &transaction)
    return RemoveScore.Reply()
  }

  /// Removes the attempt that an entry shows: the entry falls back to earlier attempts.
  private func fallBack(
    from entry: Board.Entry, _ standing: Board, _ board: Board, _ transaction: inout Transaction
  ) throws(Stop) -> RemoveScore.Reply {
    let player = entry.player
    guard board.definition.attempts != .none
    else { throw .conflict("fallsBack", "The board keeps no attempts to fall back to.") }
    var mark = board.mark(of: player)
    let attempts = try board.newestAttempts(
      in: board.arrivals(of: standing.occurrence), by: mark, transaction)
    let isKnown = attempts.contains { $0.arrival == entry.arrival }
    guard isKnown || board.definition.aggregation != .sum
    else { throw .conflict("fallsBack", "What the sum last gained is not kept any more.") }
    let earlier = board.fallback(from: entry, among: attempts)
    board.extras?.windows?.void(entry.arrival, of: player, board.key, &transaction)
    let single = ArrivalRange(first: entry.arrival, through: entry.arrival)
    remove(single, &mark, board, &transaction)
    if mark.held?.occurrence == standing.occurrence {
      mark.held?.isFollowed = attempts.contains { $0.arrival != entry.arrival && $0.value != 0 }
    }
    store(mark, standing, board, &transaction)
    var reply = RemoveScore.Reply()
    if let earlier {
      reply.entry = standing.ranked(earlier, position: standing.put(earlier, &transaction))
    } else {
      standing.erase(player, &transaction)
    }
    return reply
  }

  /// Makes count no longer what is behind a player's entry and what is in quarantine.
  private func discard(
    _ entry: Board.Entry?, of player: PlayerID, _ standing: Board, _ board: Board,
    _ transaction: inout Transaction
  ) {
    var mark = board.mark(of: player)
    var ranges = mark.hidden.map { [$0] } ?? []
    if entry != nil {
      let all = board.arrivalsSoFar(in: standing)
      ranges.removeAll { all.contains($0) }
      ranges.append(all)
      standing.erase(player, &transaction)
    }
    for range in ranges { remove(range, &mark, board, &transaction) }
    mark.endQuarantine()
    store(mark, standing, board, &transaction)
  }

  /// Makes a player's attempts count no longer and keeps them no longer. What rested on them is
  /// corrected in steps.
  private func remove(
    _ range: ArrivalRange, _ mark: inout PlayerMarkRow, _ board: Board,
    _ transaction: inout Transaction
  ) {
    mark.remove(range)
    sweeps.erase(range, of: mark.key.player, board, &transaction)
    compensation.begin(mark.key.player, board, attempts: range, &transaction)
  }

  /// Stores a changed mark; rankings that are being rebuilt follow it.
  ///
  /// - Parameter standing: the current ranking. Besides it, only the one whose score was in
  ///   quarantine so far may count other attempts than before.
  private func store(
    _ mark: PlayerMarkRow, _ standing: Board, _ board: Board, _ transaction: inout Transaction
  ) {
    let held = board.mark(of: mark.key.player).held
    let changed = [standing, held.flatMap { board.standing(of: $0.occurrence) }]
    board.put(mark, &transaction)
    board.recountAgain(mark.key.player, in: changed.compactMap { $0 }, &transaction)
    boards.scheduleMaintenance(of: board, &transaction)
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
    if mark != old { store(mark, standing, board, &transaction) }
  }

  private func hold(
    _ entry: Board.Entry, _ mark: inout PlayerMarkRow, _ board: Board, _ standing: Board,
    _ transaction: inout Transaction
  ) {
    var held = entry
    if let before = mark.held, before.occurrence == standing.occurrence {
      held = board.merged(before, entry)
    } else {
      // A score of an earlier occurrence makes room.
      if let hidden = mark.hidden { remove(hidden, &mark, board, &transaction) }
      mark.generation = board.generation
      mark.aggregation = board.definition.aggregation
    }
    mark.held = HeldScore(occurrence: standing.occurrence).holding(held)
    mark.hidden = board.arrivalsSoFar(in: standing)
    standing.erase(entry.player, &transaction)
  }

  private func release(
    _ mark: inout PlayerMarkRow, _ board: Board, _ transaction: inout Transaction
  ) throws(Stop) {
    let before = mark
    mark.endQuarantine()
    // An occurrence that is not kept any more has no place for it.
    guard let held = before.held, let standing = board.standing(of: held.occurrence)
    else { return }
    let (older, newer) = (held.entry(of: mark.key.player), standing.entry(of: mark.key.player))
    var entry = newer.map { board.merged(held, $0) } ?? older
    if before.generation != board.generation {
      // A sum is no attempt, which the other rule could choose.
      let shown = [before.aggregation == .sum ? nil : older, newer].compactMap { $0 }
      entry = try recounted(mark, shown, standing, board, transaction) ?? entry
    }
    _ = standing.put(entry, &transaction)
  }

  /// Rebuilds the entry of a score that was in quarantine while a re-rank rebuilt the others, from
  /// the player's newest attempts. Nil when none were kept.
  ///
  /// - Parameter shown: entries of the player, whose attempts are perhaps kept no longer.
  private func recounted(
    _ mark: PlayerMarkRow, _ shown: [Board.Entry], _ standing: Board, _ board: Board,
    _ transaction: Transaction
  ) throws(Stop) -> Board.Entry? {
    var attempts = try board.newestAttempts(
      in: board.arrivals(of: standing.occurrence), by: mark, transaction)
    if board.definition.aggregation == .best {
      let known = Set(attempts.map(\.arrival))
      attempts += shown.filter { !known.contains($0.arrival) }
      attempts.sort { $0.arrival > $1.arrival }
    }
    return attempts.reversed().reduce(nil as Board.Entry?) { entry, attempt in
      entry.map { board.definition.merged($0, attempt) } ?? attempt
    }
  }
}

extension Board {
  fileprivate func mark(of player: PlayerID) -> PlayerMarkRow {
    extras?.marks[player] ?? PlayerMarkRow(key: EntryKey(boardKey: key, player: player))
  }

  /// The arrivals of a ranking's attempts so far, behind which all others come.
  fileprivate func arrivalsSoFar(in standing: Board) -> ArrivalRange {
    ArrivalRange(first: arrivals(of: standing.occurrence).first, through: nextArrival())
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
    makeExtras().windows?.count(mark.key.player, after: mark.floor)
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
