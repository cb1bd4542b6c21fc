import Domain
import Operations
import Wire

// What becomes of events that were read. Their numbers lie between those of other games, which may
// be unread for ever, so that they are looked for one after the other, in steps.

extension RequestCore {
  /// Events that one step looks at.
  private static let sweptPerStep = 64

  /// Every event up to here was read in a game. Events of no game are for all games with a session
  /// that can be resumed, since one that was left for good would hold them for ever.
  func read(of player: PlayerID, _ game: String) -> UInt64 {
    if !game.isEmpty {
      return games[PlayerGameKey(player: player, game: game)]?.acknowledged ?? 0
    }
    let rows = games.rows(of: player)
    let inUse = instances.games(of: player)
    let least = rows.lazy.filter { inUse.contains($0.key.game) }.map(\.acknowledged).min()
    return least ?? rows.lazy.map(\.acknowledged).min() ?? 0
  }

  /// Whether the player has never signed in to a game. Events of no game are no stranger's.
  func isForeign(_ game: String, to player: PlayerID) -> Bool {
    !game.isEmpty && games[PlayerGameKey(player: player, game: game)] == nil
  }

  /// The last event that is not kept for those who come late.
  private func sweepEnd(_ stream: StreamRow) -> UInt64 {
    stream.newest - min(stream.newest, UInt64(settings[.streamEventsKept]))
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
  func sweep(
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
    var stream = stream(of: player)
    let isAgain = stream.readThrough > 0
    let start = isAgain ? stream.readFrom : stream.swept
    let end = isAgain ? stream.readThrough : sweepEnd(stream)
    guard start < end else { return }
    let range = ColdRange(
      table: EventRow.tableID,
      from: EventKey(player: player, sequence: start + 1).keyBytes,
      through: EventKey(player: player, sequence: end).keyBytes, limit: Self.sweptPerStep)
    let rows = try transaction.rows(EventRow.self, in: range)
    // While nothing older is kept, the oldest event moves on.
    var isFirst = stream.oldest > start
    for row in rows {
      if row.key.sequence <= read(of: player, row.game) {
        transaction.remove(EventRow.self, row.key)
      } else {
        if isFirst { stream.oldest = row.key.sequence }
        isFirst = false
      }
    }
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
    if reached < end || (isAgain && stream.swept + UInt64(Self.sweptPerStep) <= sweepEnd(stream)) {
      transaction.setTimer(SweepStream(), on: player, at: transaction.now)
    }
  }

  /// Tells what was dropped behind an `EventsDropped` that was read now, and forgets the shares
  /// that have nothing unread: as many as one command may.
  func settleShares(
    of player: PlayerID, in game: String, _ transaction: inout Transaction
  ) {
    let rows = shares.table.rows(of: player).filter { $0.key.game == game || $0.key.game.isEmpty }
    if rows.isEmpty { return }
    var places = [game: read(of: player, game)]
    places[""] = read(of: player, "")
    let due = rows.filter { row in
      let read = places[row.key.game] ?? 0
      return row.isSettled(read: read) || (row.dropped > 0 && row.marker <= read)
    }
    for var row in due.sorted(by: { $0.key < $1.key }).prefix(StreamLimits.settledMax) {
      if row.dropped > 0 {
        tellDropped(&row, &transaction)
        shares.put(row, &transaction)
      } else {
        shares.remove(row.key, &transaction)
      }
    }
  }
}
