/// The events of a match that wait for the game, in order and bounded.
///
/// Unreliable data beyond a few pieces pushes out the oldest of the same sender: to a game that
/// does not keep up, the newest is worth more. So do changes of one player. Everything else waits,
/// and whoever fills the buffer asks `isFull` first.
struct MatchEventBuffer {
  private struct Waiting {
    var order: UInt64
    var event: MatchEvent
  }

  /// Unreliable pieces of one sender that wait.
  static let unreliableMax = 32
  /// Changes of one player that wait.
  static let changesMax = 4

  private let countMax: Int
  private let sizeMax: Int
  private var next: UInt64 = 0
  private var events: [Waiting] = []
  private var head = 0
  private var size = 0
  private var unreliable: [PlayerID: [Waiting]] = [:]
  private var changes: [PlayerID: [Waiting]] = [:]

  init(countMax: Int, sizeMax: Int) {
    self.countMax = countMax
    self.sizeMax = sizeMax
  }

  var count: Int {
    [unreliable, changes].reduce(events.count - head) {
      $1.values.reduce($0) { $0 + $1.count }
    }
  }
  /// Whether no more reliable data is taken.
  var isFull: Bool { events.count - head >= countMax || size >= sizeMax }

  mutating func append(_ event: MatchEvent) {
    next += 1
    let waiting = Waiting(order: next, event: event)
    switch event {
    case .data(let sender, _, isReliable: false):
      if unreliable[sender]?.count == Self.unreliableMax { unreliable[sender]?.removeFirst() }
      unreliable[sender, default: []].append(waiting)
    case .data(_, let bytes, isReliable: true):
      size += bytes.count
      events.append(waiting)
    case .playerChanged(let player, _, _): append(waiting, of: player)
    case .messageLost, .ended: events.append(waiting)
    }
  }

  /// The oldest of too many changes goes; that there was a new client is told with the next one.
  private mutating func append(_ change: Waiting, of player: PlayerID) {
    var waiting = changes.removeValue(forKey: player) ?? []
    waiting.append(change)
    if waiting.count > Self.changesMax,
      case .playerChanged(_, _, isNewClient: true) = waiting.removeFirst().event,
      case .playerChanged(_, let state, _) = waiting[0].event
    {
      waiting[0].event = .playerChanged(player, state, isNewClient: true)
    }
    changes[player] = waiting
  }

  mutating func take() -> MatchEvent? {
    let first = head < events.count ? events[head].order : .max
    let data = Self.oldest(unreliable)
    let change = Self.oldest(changes)
    if let change, change.order < min(first, data?.order ?? .max) {
      return Self.take(change.player, &changes)
    }
    if let data, data.order < first { return Self.take(data.player, &unreliable) }
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

  private static func oldest(_ waiting: [PlayerID: [Waiting]]) -> (
    player: PlayerID, order: UInt64
  )? {
    waiting.lazy.map { (player: $0.key, order: $0.value[0].order) }.min { $0.order < $1.order }
  }

  private static func take(_ player: PlayerID, _ waiting: inout [PlayerID: [Waiting]])
    -> MatchEvent?
  {
    guard var left = waiting.removeValue(forKey: player) else { return nil }
    let event = left.removeFirst().event
    if !left.isEmpty { waiting[player] = left }
    return event
  }

  mutating func takeAll() -> [MatchEvent] {
    var all: [MatchEvent] = []
    while let event = take() { all.append(event) }
    return all
  }
}
