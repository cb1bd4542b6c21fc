/// Follows the player's stream for a whole client: decides which pushed event is the next, and what
/// to read when some were missed.
///
/// The server pushes nothing newer to a session that missed much, until the session has read what
/// it missed. So somebody must read, also when no consumer asks for events.
package struct StreamFollower {
  /// Every event up to here that is meant for this session was handed on; nil until the server has
  /// said where to begin.
  package private(set) var place: StreamPlace?
  /// The newest event that the server is known to have.
  package private(set) var streamEnd: UInt64 = 0
  private var isReading = false
  /// The newest event pushed since the read under way began; the read's answer may be older.
  private var pushedWhileReading: UInt64 = 0

  package init() {}

  /// Whether every event that is known of was handed on.
  package var isUpToDate: Bool { !isReading && place?.sequence ?? 0 >= streamEnd }

  /// Notes that a session has begun or was resumed. Its replay was pushed before.
  package mutating func began(_ started: SessionStarted) {
    isReading = false
    streamEnd = started.streamEnd
    // Reading on from the place tells the consumers that events behind it are gone.
    if let place, place.sequence < started.removedThrough { return }
    // Of an event that it was given, the follower knows the identifier in any case.
    if place?.sequence != started.replayedThrough {
      place = StreamPlace(started.replayedThrough, started.replayedEvent)
    }
  }

  /// Whether a pushed event is the next. If not, it was handed on before, or others come first,
  /// which are read together with it.
  package mutating func takes(_ event: StreamEvent) -> Bool {
    streamEnd = max(streamEnd, event.sequence)
    pushedWhileReading = max(pushedWhileReading, event.sequence)
    let place = self.place?.sequence ?? event.after
    guard event.after <= place, event.sequence > place else { return false }
    self.place = StreamPlace(event.sequence, event.id)
    return true
  }

  /// Returns the read that is needed now, and counts it as under way; nil when none is.
  package mutating func startReading() -> EventFeed.Read? {
    guard let place = place?.sequence, !isReading, place < streamEnd else { return nil }
    isReading = true
    pushedWhileReading = 0
    return EventFeed.Read(after: place, limit: UInt32(StreamLimits.pageMax))
  }

  /// Returns the events of a page that are new here.
  package mutating func read(_ reply: ReadEvents.Reply) -> [StreamEvent] {
    guard isReading, let start = place?.sequence else { return [] }
    isReading = false
    if reply.through > start { place = StreamPlace(reply.through, reply.throughEvent) }
    // While there is more, the session may get no pushes, and nothing else tells of it. When there
    // is not, the server is not asked again until a push says that it has.
    streamEnd =
      reply.more
      ? max(streamEnd, reply.through &+ 1) : max(start, reply.through, pushedWhileReading)
    return reply.events.filter { $0.sequence > start }
  }

  package mutating func readFailed() { isReading = false }
}
