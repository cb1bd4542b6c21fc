package import Domain
import Operations
import Wire

extension NumberSetting {
  static let streamEventsMax = NumberSetting(
    "stream-events-max", .count, default: 10_000, 1000...10_000_000,
    "Events of one player that are kept, so that one who never comes back does not fill the disk.")
  package static let streamReplayMax = NumberSetting(
    "stream-replay-max", .count, default: 100, 1...100,
    "Missed events that are pushed when a session begins; its client reads the rest.")
}

// One stream for all domains and games of a player. Sequence numbers count all of its events; a
// session sees those of its own game and of none.

extension RequestCore {
  /// How many old events one append and one acknowledgement remove: more than come in, but few.
  private static let trimByAppendMax = 4
  private static let trimByAcknowledgeMax = 256

  func appendEvent(_ operation: AppendEvent, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    guard players[operation.player] != nil else {
      throw .notFound("player", "There is no such player to tell.")
    }
    guard operation.body.array.count <= StreamLimits.eventBytesMax else {
      throw .invalidArgument("body", "An event has at most \(StreamLimits.eventBytesMax) bytes.")
    }
    append(
      kind: operation.kind, operation.body, to: operation.player, game: call.game, &transaction)
  }

  /// Appends an event to the stream of `player`, at whose key the command must run.
  func append<E: Event>(
    _ event: E, to player: PlayerID, game: String, _ transaction: inout Transaction
  ) {
    append(
      kind: E.opcode.rawValue, Bytes(event.encoded), to: player, game: game, &transaction)
  }

  private func append(
    kind: UInt16, _ body: Bytes, to player: PlayerID, game: String,
    _ transaction: inout Transaction
  ) {
    var stream = stream(of: player)
    stream.newest += 1
    stream.newestEvent = transaction.identifier()
    let row = EventRow(
      key: EventKey(player: player, sequence: stream.newest), id: stream.newestEvent,
      game: game, time: transaction.now, kind: kind, body: body)
    transaction.put(row)
    trim(&stream, countMax: Self.trimByAppendMax, &transaction)
    streams.put(stream, &transaction)
    var event = StreamEvent(row)
    for (channel, after) in subscriptions.tell(stream.newest, of: game, to: player) {
      event.after = after
      transaction.push(event, to: channel)
    }
  }

  func acknowledge(_ operation: Acknowledge, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    var stream = stream(of: call.player)
    guard operation.through <= stream.newest else {
      throw .invalidArgument("through", "The stream ends at \(stream.newest).")
    }
    guard var game = games[PlayerGameKey(player: call.player, game: call.game)] else {
      throw .refuse(.notAuthenticated, "The player has not signed in to this game.")
    }
    guard operation.through > game.acknowledged else { return }
    game.acknowledged = operation.through
    games.put(game, &transaction)
    if trim(&stream, countMax: Self.trimByAcknowledgeMax, &transaction) {
      streams.put(stream, &transaction)
    }
  }

  func readEvents(_ operation: ReadEvents, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ReadEvents.Reply
  {
    let stream = stream(of: call.player)
    if operation.after > stream.newest {
      let key = PlayerGameKey(player: call.player, game: call.game)
      throw cursorLost("after", stream, games[key] ?? PlayerGameRow(key: key))
    }
    let page = try events(
      of: stream, after: operation.after, limit: Int(operation.limit), transaction)
    var reply = ReadEvents.Reply()
    reply.events = page.seen(in: call.game)
    reply.through = page.through
    reply.more = page.through < stream.newest
    reply.oldest = stream.oldest
    reply.throughEvent = page.throughEvent
    // The reply goes out before whatever is appended from here on is pushed.
    if !reply.more, let channel = call.channel {
      subscriptions.caughtUp(channel, at: page.through, of: call.player)
    }
    return reply
  }

  func stream(of player: PlayerID) -> StreamRow { streams[player] ?? StreamRow(key: player) }

  /// The refusal of a cursor that is no place of the stream.
  func cursorLost(_ argument: String, _ stream: StreamRow, _ game: PlayerGameRow) -> Stop {
    var ends = StreamEnds()
    (ends.oldest, ends.newest) = (stream.oldest, stream.newest)
    ends.acknowledged = game.acknowledged
    return .refused(
      Failure(
        .cursorLost, argument: argument,
        "This is no place of the stream, which ends at \(stream.newest).",
        detail: Bytes(ends.encoded)))
  }

  /// The rows of up to `limit` events that are kept after a cursor; nil where there are none.
  func range(of stream: StreamRow, after: UInt64, limit: Int) -> ColdRange? {
    let start = max(after, stream.oldest - 1)
    // The range ends where the stream ends now, so that rows read before an append are not taken
    // for those after it.
    let through = min(start + UInt64(limit), stream.newest)
    if start >= through { return nil }
    return ColdRange(
      table: EventRow.tableID,
      from: EventKey(player: stream.key, sequence: start + 1).keyBytes,
      through: EventKey(player: stream.key, sequence: through).keyBytes, limit: limit)
  }

  /// Returns up to `limit` kept events after a cursor, no more than a frame can hold.
  func events(of stream: StreamRow, after: UInt64, limit: Int, _ transaction: Transaction)
    throws(Stop) -> EventPage
  {
    let start = max(after, stream.oldest - 1)
    let through = min(start + UInt64(limit), stream.newest)
    guard let range = range(of: stream, after: after, limit: limit) else {
      return EventPage(
        events: [], after: start, through: through, throughEvent: stream.newestEvent)
    }
    let rows = try transaction.rows(EventRow.self, in: range)
    var bytes = 0
    let fitting = rows.prefix { row in
      bytes += row.body.array.count
      return bytes <= StreamLimits.pageBytesMax
    }
    return EventPage(
      events: fitting.map { StreamEvent($0) }, after: start,
      through: fitting.count == rows.count ? through : start + UInt64(fitting.count),
      throughEvent: fitting.last?.id ?? EventID())
  }

  /// Removes old events: all but a few of those that every game's clients have acknowledged, and in
  /// any case those beyond the number that is kept. Returns whether it removed any.
  @discardableResult
  private func trim(
    _ stream: inout StreamRow, countMax: Int, _ transaction: inout Transaction
  ) -> Bool {
    let acknowledgedByAll = games.rows(of: stream.key).lazy.map(\.acknowledged).min() ?? 0
    let done = min(
      acknowledgedByAll,
      stream.newest - min(stream.newest, StreamLimits.keptAcknowledgedMax))
    let keptMax = UInt64(settings[.streamEventsMax])
    let through = max(done, stream.newest - min(stream.newest, keptMax))
    let oldestBefore = stream.oldest
    while stream.oldest <= through && stream.oldest < oldestBefore + UInt64(countMax) {
      transaction.remove(
        EventRow.self, EventKey(player: stream.key, sequence: stream.oldest))
      stream.oldest += 1
    }
    return stream.oldest != oldestBefore
  }
}
