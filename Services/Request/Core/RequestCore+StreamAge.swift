package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let streamEventLifetime = NumberSetting(
    "stream-event-lifetime-days", .days, default: 60, 1...3650,
    "How long an event of a player is kept, acknowledged or not.")
}

// Events that nobody has read in time. They go from the beginning of the stream on, since an event
// is never older than those before it.

extension RequestCore {
  /// Events that one step removes.
  private static let expiredEventsPerStep = 64

  /// Sets the timer of a stream that had none: for the first event, and for whatever was written
  /// before there were timers.
  func expireLater(_ stream: inout StreamRow, _ transaction: inout Transaction) {
    guard stream.expires == 0 else { return }
    stream.expires = transaction.now + settings[.streamEventLifetime]
    setExpiry(of: stream, &transaction)
  }

  private func setExpiry(of stream: StreamRow, _ transaction: inout Transaction) {
    // It follows from the row.
    transaction.setTimer(ExpireEvents(), on: stream.key, at: stream.expires, isKept: false)
  }

  func streamsLoaded(_ transaction: inout Transaction) {
    for stream in streams.rows.values where stream.expires != 0 {
      setExpiry(of: stream, &transaction)
    }
  }

  func readSnapshot(_ operation: ReadSnapshot, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ReadSnapshot.Reply
  {
    let player = try caller(call).key
    let stream = stream(of: player)
    let edges = edges.counts(of: player)
    var reply = ReadSnapshot.Reply()
    (reply.through, reply.throughEvent) = (stream.newest, stream.newestEvent)
    let requestCount = requests.count(of: player, game: call.game) { [self] sender in
      self.edges.state(player, sender) == .blocked
    }
    reply.requests = UInt32(clamping: requestCount)
    reply.friends = UInt32(clamping: self.edges.friends(of: player).count)
    reply.invitations = UInt32(clamping: edges.received)
    return reply
  }

  func expireEvents(_ operation: ExpireEvents, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let player = PlayerID(reinterpreting: call.key)
    var stream = stream(of: player)
    let lifetime = settings[.streamEventLifetime]
    var rows: [EventRow] = []
    if let range = range(of: stream, after: 0, limit: Self.expiredEventsPerStep) {
      rows = try transaction.rows(EventRow.self, in: range)
    }
    let old = rows.prefix { $0.time + lifetime <= transaction.now }
    let left = rows.dropFirst(old.count).first
    let before = reach(of: player, "")
    if let last = old.last {
      for row in old {
        transaction.remove(EventRow.self, row.key)
        forgetPush(of: row, &transaction)
      }
      noteRemovals(old, &stream, &transaction)
      stream.expired = last.key.sequence
      stream.oldest = max(stream.oldest, left?.key.sequence ?? last.key.sequence + 1)
    }
    // A page that is old through and through has more behind it.
    let hasMore = left == nil && rows.count == Self.expiredEventsPerStep
    stream.expires = hasMore ? transaction.now : left.map { $0.time + lifetime } ?? 0
    streams.put(stream, &transaction)
    if stream.expires != 0 { setExpiry(of: stream, &transaction) }
    if old.isEmpty { return }
    moved(from: before, of: player, "", &transaction)
    // What is gone was unread in the shares of whoever sent it.
    transaction.setTimer(SweepStream(), on: player, at: transaction.now)
  }
}
