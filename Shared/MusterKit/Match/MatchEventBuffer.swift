/// The events of a match that wait for the game, in order and bounded.
///
/// Unreliable data beyond a few pieces pushes out the oldest of the same sender: to a game that
/// does not keep up, the newest is worth more. Everything else waits, and whoever fills the buffer
/// asks `isFull` first.
struct MatchEventBuffer {
  private struct Waiting {
    var order: UInt64
    var event: MatchEvent
  }

  /// Unreliable pieces of one sender that wait.
  static let unreliableMax = 32

  private let countMax: Int
  private let sizeMax: Int
  private var next: UInt64 = 0
  private var events: [Waiting] = []
  private var head = 0
  private var size = 0
  private var unreliable: [PlayerID: [Waiting]] = [:]

  init(countMax: Int, sizeMax: Int) {
    self.countMax = countMax
    self.sizeMax = sizeMax
  }

  var count: Int { events.count - head + unreliable.values.reduce(0) { $0 + $1.count } }
  /// Whether no more reliable data is taken.
  var isFull: Bool { events.count - head >= countMax || size >= sizeMax }

  mutating func append(_ event: MatchEvent) {
    next += 1
    let waiting = Waiting(order: next, event: event)
    guard case .data(let sender, let bytes, let isReliable) = event else {
      return events.append(waiting)
    }
    if isReliable {
      size += bytes.count
      events.append(waiting)
    } else {
      if unreliable[sender]?.count == Self.unreliableMax { unreliable[sender]?.removeFirst() }
      unreliable[sender, default: []].append(waiting)
    }
  }

  mutating func take() -> MatchEvent? {
    let oldest = unreliable.min { $0.value[0].order < $1.value[0].order }
    if let oldest, head == events.count || oldest.value[0].order < events[head].order {
      let event = unreliable[oldest.key]?.removeFirst().event
      if unreliable[oldest.key]?.isEmpty == true { unreliable[oldest.key] = nil }
      return event
    }
    guard head < events.count else { return nil }
    let event = events[head].event
    if case .data(_, let bytes, _) = event { size -= bytes.count }
    head += 1
    if head * 2 >= events.count {
      events.removeFirst(head)
      head = 0
    }
    return event
  }

  mutating func takeAll() -> [MatchEvent] {
    var all: [MatchEvent] = []
    while let event = take() { all.append(event) }
    return all
  }
}
