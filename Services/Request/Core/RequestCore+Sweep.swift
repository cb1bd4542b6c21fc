import Domain
import Operations
import Wire

// What becomes of events that were read. Their numbers lie between those of other games, which may
// be unread for ever, so that they are looked for one after the other, in steps.

extension RequestCore {
  /// Events that one step looks at.
  private static let sweptPerStep = 64

  /// Every event up to here was read in a game by a device, or is too old. Events of no game are
  /// for all games with a session that can be resumed, since one that was left for good would hold
  /// them for ever.
  func read(of player: PlayerID, _ game: String) -> UInt64 {
    let expired = stream(of: player).expired
    if !game.isEmpty {
      return max(expired, games[PlayerGameKey(player: player, game: game)]?.acknowledged ?? 0)
    }
    let rows = games.rows(of: player)
    let inUse = instances.games(of: player)
    let least = rows.lazy.filter { inUse.contains($0.key.game) }.map(\.acknowledged).min()
    return max(expired, least ?? rows.lazy.map(\.acknowledged).min() ?? 0)
  }

  /// Whether the player has never signed in to a game. Events of no game are no stranger's.
  func isForeign(_ game: String, to player: PlayerID) -> Bool {
    !game.isEmpty && games[PlayerGameKey(player: player, game: game)] == nil
  }

  /// The last event that is not kept for those who come late.
  private func sweepEnd(_ stream: StreamRow) -> UInt64 {
    stream.newest - min(stream.newest, keptEvents)
  }

  /// Sets the timer when there is enough to look at, once for each step.
  func sweepLater(_ stream: StreamRow, _ transaction: inout Transaction) {
    let end = sweepEnd(stream)
    guard end > stream.swept, (end - stream.swept).isMultiple(of: UInt64(Self.sweptPerStep)) else {
      return
    }
    transaction.setTimer(SweepStream(), on: stream.key, at: transaction.now)
  }

  /// Looks again at the events behind a place, through another: some were read now.
  func lookAgain(
    _ place: UInt64, _ end: UInt64, of player: PlayerID, _ transaction: inout Transaction
  ) {
    var stream = stream(of: player)
    let end = min(end, stream.swept)
    guard place < end else { return }
    stream.readFrom = stream.readThrough == 0 ? place : min(stream.readFrom, place)
    stream.readThrough = max(stream.readThrough, end)
    streams.put(stream, &transaction)
    transaction.setTimer(SweepStream(), on: player, at: transaction.now)
  }

  func sweepStream(_ operation: SweepStream, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let player = PlayerID(reinterpreting: call.key)
    let hasMoreEvents = try sweepEvents(of: player, &transaction)
    leaveBehind(stream(of: player), &transaction)
    let hasMoreShares = settleShares(of: player, &transaction)
    if hasMoreEvents || hasMoreShares {
      transaction.setTimer(SweepStream(), on: player, at: transaction.now)
    }
  }

  /// Looks at some events and removes those that were read. Returns whether there are more.
  private func sweepEvents(of player: PlayerID, _ transaction: inout Transaction) throws(Stop)
    -> Bool
  {
    var stream = stream(of: player)
    let isAgain = stream.readThrough > 0
    let start = isAgain ? stream.readFrom : stream.swept
    let end = isAgain ? stream.readThrough : sweepEnd(stream)
    guard start < end else { return false }
    let range = ColdRange(
      table: EventRow.tableID,
      from: EventKey(player: player, sequence: start + 1).keyBytes,
      through: EventKey(player: player, sequence: end).keyBytes, limit: Self.sweptPerStep)
    let rows = try transaction.rows(EventRow.self, in: range)
    // While nothing older is kept, the oldest event moves on.
    var isFirst = stream.oldest > start
    var removed: [EventRow] = []
    var places: [String: UInt64] = [:]
    for row in rows {
      let settled = places[row.game] ?? settled(of: player, row.game)
      places[row.game] = settled
      if row.key.sequence <= settled {
        transaction.remove(EventRow.self, row.key)
        forgetPush(of: row, &transaction)
        removed.append(row)
      } else {
        if isFirst { stream.oldest = row.key.sequence }
        isFirst = false
      }
    }
    noteRemovals(removed[...], &stream, &transaction)
    let reached = rows.count < Self.sweptPerStep ? end : rows.last?.key.sequence ?? end
    if isFirst { stream.oldest = max(stream.oldest, reached + 1) }
    if !isAgain {
      stream.swept = reached
    } else if reached < end {
      stream.readFrom = reached
    } else {
      (stream.readFrom, stream.readThrough) = (0, 0)
    }
    streams.put(stream, &transaction)
    return reached < end
      || (isAgain && stream.swept + UInt64(Self.sweptPerStep) <= sweepEnd(stream))
  }

  /// Keeps up to where a device that comes late has missed something.
  func noteRemovals(
    _ rows: ArraySlice<EventRow>, _ stream: inout StreamRow, _ transaction: inout Transaction
  ) {
    var removed: [String: UInt64] = [:]
    for row in rows { removed[row.game] = row.key.sequence }
    for (game, last) in removed.sorted(by: { $0.key < $1.key }) {
      noteRemoval(through: last, of: game, &stream, &transaction)
    }
  }

  private func noteRemoval(
    through last: UInt64, of game: String, _ stream: inout StreamRow,
    _ transaction: inout Transaction
  ) {
    if game.isEmpty {
      stream.removedThrough = max(stream.removedThrough, last)
    } else if var row = games[PlayerGameKey(player: stream.key, game: game)],
      row.removedThrough < last
    {
      row.removedThrough = last
      games.put(row, &transaction)
    }
  }

  /// Tells what was dropped behind an `EventsDropped` that was read, and forgets the shares that
  /// have nothing unread: as many as one command may. Returns whether there are more.
  func settleShares(of player: PlayerID, _ transaction: inout Transaction) -> Bool {
    var places: [String: UInt64] = [:]
    var (gaps, settled): ([StreamShareRow], [StreamShareRow]) = ([], [])
    for row in shares.table.rows(of: player) {
      let read = places[row.key.game] ?? read(of: player, row.key.game)
      places[row.key.game] = read
      if row.dropped > 0, row.marker <= read {
        gaps.append(row)
      } else if row.isSettled(read: read) {
        settled.append(row)
      }
    }
    // What a player is to hear comes before what nobody sees.
    let due = gaps.sorted { $0.key < $1.key } + settled.sorted { $0.key < $1.key }
    for var row in due.prefix(StreamLimits.settledMax) {
      if row.dropped > 0 {
        tellDropped(&row, &transaction)
        shares.put(row, &transaction)
      } else {
        shares.remove(row.key, &transaction)
      }
    }
    return due.count > StreamLimits.settledMax
  }
}
