import Operations
import Wire

/// A client's place in the player's stream, kept as the protocol's page says and in no other way.
struct PagedFeed {
  /// Every event up to here was taken, or is not meant for the client.
  private(set) var place: UInt64 = 0
  /// The newest event that is known of.
  private var end: UInt64 = 0
  private var isReading = false

  var isUpToDate: Bool { !isReading && place >= end }

  /// The process has died, or the session has ended: the place was kept.
  mutating func ended() { (end, isReading) = (place, false) }

  mutating func began(_ started: SessionStarted) {
    isReading = false
    place = max(place, started.replayedThrough)
    end = started.streamEnd
  }

  /// Returns a pushed event if it is to be taken.
  mutating func pushed(_ event: StreamEvent) -> StreamEvent? {
    end = max(end, event.sequence)
    if event.sequence <= place || event.after > place { return nil }
    place = event.sequence
    return event
  }

  /// Returns the place to read on from; nil when there is nothing to read.
  mutating func startReading() -> UInt64? {
    if isReading || place >= end { return nil }
    isReading = true
    return place
  }

  /// Returns the events of a page that are to be taken.
  mutating func read(_ reply: ReadEvents.Reply) -> [StreamEvent] {
    isReading = false
    let new = reply.events.filter { $0.sequence > place }
    place = max(place, reply.through)
    if reply.more { end = max(end, place + 1) }
    return new
  }

  mutating func readFailed() { isReading = false }
}
