package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let streamEventsMax = NumberSetting(
    "stream-events-max", .count, default: 10_000, 10...10_000_000,
    "Unread events of a player in one game that are kept; further ones are dropped, and told.")
  package static let streamEventsPerSender = NumberSetting(
    "stream-events-per-sender", .count, default: 200, 10...100_000,
    "Unread events of a player in one game that one other player may have caused, counted in runs: "
      + "up to half as many more may stand there. Above half of stream-events-max it is half.")
  package static let streamEventsKept = NumberSetting(
    "stream-events-kept", .count, default: Int(StreamLimits.keptAcknowledgedMax), 0...10_000,
    "Acknowledged events of a player that are kept all the same, for a device that comes later.")
  package static let streamReplayMax = NumberSetting(
    "stream-replay-max", .count, default: 100, 1...100,
    "Missed events that are pushed when a session begins; its client reads the rest.")
}

// One stream for all domains and games of a player. Sequence numbers count all of its events; a
// session sees those of its own game and of none.

extension RequestCore {
  func appendEvent(_ operation: AppendEvent, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    guard players[operation.player] != nil else {
      throw .notFound("player", "There is no such player to tell.")
    }
    guard operation.body.array.count <= StreamLimits.eventBytesMax else {
      throw .invalidArgument("body", "An event has at most \(StreamLimits.eventBytesMax) bytes.")
    }
    if operation.isUnlessBlocked, !operation.sender.isNil,
      edges.state(operation.player, operation.sender) == .blocked
    {
      return
    }
    append(
      kind: operation.kind, operation.body, to: operation.player, from: operation.sender,
      game: call.game, &transaction)
  }

  /// Appends an event to the stream of `player`, at whose key the command must run.
  ///
  /// - Parameter sender: who has caused it; nil for the game itself.
  func append<E: Event>(
    _ event: E, to player: PlayerID, from sender: PlayerID, game: String,
    _ transaction: inout Transaction
  ) {
    append(
      kind: E.opcode.rawValue, Bytes(event.encoded(capacity: 256)), to: player, from: sender,
      game: game, &transaction)
  }

  /// Appends an event if there is room for it.
  private func append(
    kind: UInt16, _ body: Bytes, to player: PlayerID, from sender: PlayerID, game: String,
    _ transaction: inout Transaction
  ) {
    let place = StreamShares.Place(
      key: ShareKey(player: player, game: game, sender: sender),
      read: read(of: player, game), isForeign: isForeign(game, to: player),
      isOwn: { [self] in !isForeign($0, to: player) })
    let newest = stream(of: player).newest
    guard shares.counts(place, newest: newest) else {
      return write(kind: kind, body, to: player, game: game, &transaction)
    }
    if let full = shares.full(place, newest: newest) {
      var row = shares.row(full)
      row.dropped += 1
      // One that is not read yet stands for what is dropped behind it, too.
      if row.marker <= read(of: player, full.game) { tellDropped(&row, &transaction) }
      return shares.put(row, &transaction)
    }
    var row = shares.row(place.key)
    if row.dropped > 0 {
      tellDropped(&row, &transaction)
      shares.put(row, &transaction)
    }
    write(kind: kind, body, to: player, game: game, &transaction)
    shares.add(stream(of: player).newest, to: place.key, read: place.read, &transaction)
  }

  /// Says in the stream how many events of a share are missing there.
  func tellDropped(_ row: inout StreamShareRow, _ transaction: inout Transaction) {
    var event = EventsDropped()
    event.count = row.dropped
    write(
      kind: EventsDropped.opcode.rawValue, Bytes(event.encoded), to: row.key.player,
      game: row.key.game, &transaction)
    (row.dropped, row.marker) = (0, stream(of: row.key.player).newest)
  }

  private func write(
    kind: UInt16, _ body: Bytes, to player: PlayerID, game: String,
    _ transaction: inout Transaction
  ) {
    var stream = stream(of: player)
    stream.add(EventID(high: transaction.incarnation, low: transaction.randomInteger()))
    var row = EventRow(
      key: EventKey(player: player, sequence: stream.newest), id: stream.newestEvent,
      game: game, time: transaction.now, kind: kind, body: body)
    queuePush(of: &row, &transaction)
    transaction.put(row)
    expireLater(&stream, &transaction)
    streams.put(stream, &transaction)
    sweepLater(stream, &transaction)
    var event = StreamEvent(row)
    for (channel, after) in subscriptions.tell(stream.newest, of: game, to: player) {
      event.after = after
      transaction.push(event, to: channel)
    }
  }

  func acknowledge(_ operation: Acknowledge, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    // A store that was put back to a backup has given the numbers to other events since. So those
    // of a client count only once its session was opened anew, with its place in the stream.
    if let channel = call.channel, !subscriptions.isOpen(channel, of: call.player) {
      throw .refuse(.unavailable, "The session is not open here yet.")
    }
    let stream = stream(of: call.player)
    guard operation.through <= stream.newest else {
      throw .invalidArgument("through", "The stream ends at \(stream.newest).")
    }
    guard let game = games[PlayerGameKey(player: call.player, game: call.game)] else {
      throw .refuse(.notAuthenticated, "The player has not signed in to this game.")
    }
    let device = call.principal.device
    guard operation.through > place(of: device, in: game) else { return }
    let (before, beforeOfNone) = (settled(of: call.player, call.game), settled(of: call.player, ""))
    move(device, through: operation.through, in: game, &transaction)
    lookAgain(before, settled(of: call.player, call.game), of: call.player, &transaction)
    lookAgain(beforeOfNone, settled(of: call.player, ""), of: call.player, &transaction)
    if settleShares(of: call.player, &transaction) {
      transaction.setTimer(SweepStream(), on: call.player, at: transaction.now)
    }
  }

  func readEvents(_ operation: ReadEvents, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ReadEvents.Reply
  {
    let stream = stream(of: call.player)
    guard stream.has(StreamPlace(operation.after, operation.afterEvent)) else {
      let key = PlayerGameKey(player: call.player, game: call.game)
      throw cursorLost(
        "after", stream, games[key] ?? PlayerGameRow(key: key), call.principal.device)
    }
    let page = try events(
      of: stream, in: call.game, after: operation.after, limit: Int(operation.limit), transaction)
    var reply = ReadEvents.Reply()
    reply.events = page.seen(in: call.game)
    reply.through = page.through
    reply.more = page.through < stream.newest
    reply.oldest = stream.oldest
    reply.throughEvent = page.throughEvent
    reply.removedThrough = page.removedThrough
    // The reply goes out before whatever is appended from here on is pushed.
    if !reply.more, let channel = call.channel {
      subscriptions.caughtUp(channel, at: page.through, of: call.player)
    }
    return reply
  }

  func stream(of player: PlayerID) -> StreamRow { streams[player] ?? StreamRow(key: player) }

  /// The refusal of a cursor that is no place of the stream.
  func cursorLost(
    _ argument: String, _ stream: StreamRow, _ game: PlayerGameRow, _ device: DeviceID
  ) -> Stop {
    var ends = StreamEnds()
    (ends.oldest, ends.newest) = (stream.oldest, stream.newest)
    ends.acknowledged = place(of: device, in: game)
    return .refused(
      Failure(
        .cursorLost, argument: argument,
        "This is no place of the stream, which ends at \(stream.newest).",
        detail: Bytes(ends.encoded)))
  }

  /// The rows of up to `limit` events that are kept after a cursor; nil where there are none.
  func range(of stream: StreamRow, after: UInt64, limit: Int) -> ColdRange? {
    let start = max(after, stream.oldest - 1)
    if start >= stream.newest { return nil }
    // The range ends where the stream ends now, so that rows read before an append are not taken
    // for those after it.
    return ColdRange(
      table: EventRow.tableID,
      from: EventKey(player: stream.key, sequence: start + 1).keyBytes,
      through: EventKey(player: stream.key, sequence: stream.newest).keyBytes, limit: limit)
  }

  /// Returns up to `limit` kept events after a cursor, no more than a frame can hold, as a session
  /// in `game` sees them.
  func events(
    of stream: StreamRow, in game: String, after: UInt64, limit: Int, _ transaction: Transaction
  ) throws(Stop) -> EventPage {
    // What was there for a game before the player came may have got too old.
    let own =
      games[PlayerGameKey(player: stream.key, game: game)]?.removedThrough ?? stream.expired
    let end = EventPage(
      events: [], after: after, through: stream.newest, throughEvent: stream.newestEvent,
      removedThrough: max(own, stream.removedThrough))
    guard let range = range(of: stream, after: after, limit: limit) else { return end }
    let rows = try transaction.rows(EventRow.self, in: range)
    var bytes = 0
    let fitting = rows.prefix { row in
      bytes += row.body.array.count
      return bytes <= StreamLimits.pageBytesMax
    }
    var page = end
    page.events = fitting.map { StreamEvent($0) }
    if let last = fitting.last, rows.count == limit || fitting.count < rows.count {
      (page.through, page.throughEvent) = (last.key.sequence, last.id)
    }
    return page
  }
}
