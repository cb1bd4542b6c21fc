import Operations
import Wire

/// The events of one player, in order and without gaps or doubles. A client collects them from
/// pushes, replays and pages.
struct EventLog {
  private(set) var events: [StreamEvent] = []
  /// The server has refused the client's place, and old events come again.
  var comesAgain = false

  var through: UInt64 { UInt64(events.count) }

  /// Takes an event. Returns what is wrong when it is not the one that follows the last.
  mutating func take(_ event: StreamEvent) -> String? {
    if comesAgain, event.sequence <= through, events[Int(event.sequence) - 1] == event.kept {
      return nil
    }
    if event.sequence == through + 1 {
      comesAgain = false
      events.append(event.kept)
      return nil
    }
    return "event \(event.sequence) came after \(through)"
  }

  /// The events of one kind.
  func all<E: Event>(_ type: E.Type) -> [E] {
    events.compactMap { event in
      event.kind == E.opcode.rawValue ? try? E(decoding: event.body.array) : nil
    }
  }
}

extension StreamEvent {
  /// What stays the same however the event came.
  var kept: StreamEvent {
    var event = self
    event.after = 0
    return event
  }
}
