import Operations
import Wire

/// The events of one player, in order and without doubles, as one device has got them. A client
/// collects them from pushes, replays and pages.
struct EventLog {
  private(set) var events: [StreamEvent] = []
  /// The last event that the device has got, or is not to get; nil before it knows where to begin.
  private var place: UInt64?
  /// The place before an event that came first, before the device was told where to begin.
  private var supposed: UInt64?
  /// The server has refused the client's place, and old events come again.
  var comesAgain = false
  /// Up to here the device was told that events are not kept any more.
  private var removedThrough: UInt64 = 0
  /// What it has missed, and was told of.
  private(set) var missed: [ClosedRange<UInt64>] = []

  /// - Parameter place: nil for a device that comes later, and begins where the server says.
  init(from place: UInt64? = 0) { self.place = place }

  var through: UInt64 { place ?? 0 }

  /// A session has begun. Returns what is wrong with the event that came first, before it was known
  /// where to begin.
  mutating func begin(_ started: SessionStarted) -> String? {
    defer { supposed = nil }
    if place == nil { place = started.acknowledged }
    removed(through: started.removedThrough)
    guard let supposed, supposed > max(started.acknowledged, started.removedThrough) else {
      return nil
    }
    return "\(supposed) events are missing before the first"
  }

  mutating func removed(through sequence: UInt64) { removedThrough = max(removedThrough, sequence) }

  /// Takes an event. Returns what is wrong when it is not the one that follows the last, and no
  /// loss was told.
  ///
  /// - Parameter erasures: of players whose ids and words an event that comes again has lost.
  mutating func take(_ event: StreamEvent, _ erasures: ErasureLog) -> String? {
    if place == nil { supposed = event.sequence - 1 }
    let last = place ?? event.sequence - 1
    if comesAgain, event.sequence <= last {
      let known = events.last { $0.sequence <= event.sequence }
      if known?.sequence != event.sequence
        || known.map({ erasures.rest(of: $0) }) == erasures.rest(of: event.kept)
      {
        return nil
      }
    }
    if event.sequence <= last { return "event \(event.sequence) came after \(last)" }
    if let fault = pass(from: last, to: event.sequence) { return fault }
    comesAgain = false
    place = event.sequence
    events.append(event.kept)
    return nil
  }

  /// The stream has ended, and nothing more comes.
  mutating func end(at newest: UInt64) -> String? { pass(from: through, to: newest + 1) }

  private mutating func pass(from last: UInt64, to next: UInt64) -> String? {
    if next == last + 1 { return nil }
    if next - 1 > removedThrough { return "event \(next) came after \(last)" }
    missed.append(last + 1...next - 1)
    return nil
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
