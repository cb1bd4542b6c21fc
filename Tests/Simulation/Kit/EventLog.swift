import Operations
import Wire

/// The events of one player in order, without gaps or doubles, as a client puts them together from
/// pushes, replays and pages.
struct EventLog {
  private(set) var events: [StreamEvent] = []

  var through: UInt64 { UInt64(events.count) }

  /// Takes the event when it is the next one. Says what is wrong when it differs from what had the
  /// number before.
  mutating func take(_ event: StreamEvent) -> String? {
    if event.sequence == through + 1 {
      events.append(event)
      return nil
    }
    if event.sequence == 0 { return "an event has the number 0" }
    guard event.sequence <= through else { return nil }
    let known = events[Int(event.sequence) - 1]
    return known == event ? nil : "event \(event.sequence) is not what it was before"
  }

  /// The events of one kind.
  func all<E: Event>(_ type: E.Type) -> [E] {
    events.compactMap { event in
      event.kind == E.opcode.rawValue ? try? E(decoding: event.body.array) : nil
    }
  }
}
