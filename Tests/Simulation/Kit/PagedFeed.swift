import Operations
import Wire

/// A client's place in the player's stream, kept as the protocol's page says and in no other way.
struct PagedFeed {
  /// Every event up to here was taken, or is not meant for the client; nil when the server has to
  /// say where to begin.
  private(set) var place: StreamPlace? = StreamPlace()
  /// The newest event that is known of.
  private var end: UInt64 = 0
  private var isReading = false
  /// Whether a pushed event told that others come before it.
  private var isBehind = false

  var isUpToDate: Bool { !isReading && place?.sequence ?? 0 >= end }

  /// The process has died, or the session has ended: the place was kept.
  mutating func ended() { (end, isReading) = (place?.sequence ?? 0, false) }

  /// The server has refused the place.
  mutating func forget() { (place, end, isReading) = (nil, 0, false) }

  mutating func began(_ started: SessionStarted) {
    isReading = false
    if !isBehind { place = StreamPlace(started.replayedThrough, started.replayedEvent) }
    isBehind = false
    end = started.streamEnd
  }

  /// Returns a pushed event if it is to be taken.
  mutating func pushed(_ event: StreamEvent) -> StreamEvent? {
    end = max(end, event.sequence)
    let place = place?.sequence ?? event.after
    if event.sequence <= place { return nil }
    if event.after > place {
      isBehind = true
      return nil
    }
    self.place = StreamPlace(event.sequence, event.id)
    return event
  }

  /// Returns the place to read on from; nil when there is nothing to read.
  mutating func startReading() -> UInt64? {
    guard let place = place?.sequence, !isReading, place < end else { return nil }
    isReading = true
    return place
  }

  /// Returns the events of a page that are to be taken.
  mutating func read(_ reply: ReadEvents.Reply) -> [StreamEvent] {
    (isReading, isBehind) = (false, false)
    guard let before = place?.sequence else { return [] }
    if reply.through > before { place = StreamPlace(reply.through, reply.throughEvent) }
    if reply.more { end = max(end, reply.through + 1) }
    return reply.events.filter { $0.sequence > before }
  }

  mutating func readFailed() { isReading = false }
}
