import Operations
import Wire

/// A part of a player's stream: all kept events that follow `after`, up to `through`.
struct EventPage {
  var events: [StreamEvent]
  var after: UInt64
  var through: UInt64
  /// The event at `through`; nil where that is 0.
  var throughEvent: EventID
  /// The last event for the session that is not kept any more.
  var removedThrough: UInt64

  /// The events that a session in `game` sees, each with the place behind which nothing is missing
  /// before it.
  func seen(in game: String) -> [StreamEvent] {
    var place = after
    var seen = events.filter { $0.game.isEmpty || $0.game == game }
    for index in seen.indices {
      seen[index].after = max(place, min(removedThrough, seen[index].sequence - 1))
      place = seen[index].sequence
    }
    return seen
  }
}

extension StreamEvent {
  init(_ row: EventRow) {
    self.init()
    sequence = row.key.sequence
    id = row.id
    game = row.game
    time = row.time
    kind = row.kind
    body = row.body
  }
}
