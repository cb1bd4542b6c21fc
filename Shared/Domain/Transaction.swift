public import Wire

/// An effect on another key: an operation that the owner of that key will apply exactly once.
public struct Effect: Equatable, Sendable {
  public var opcode: Opcode
  public var key: RoutingKey
  public var game: String
  public var body: [UInt8]
  /// That of the command that has made it.
  public var trace = TraceID()
}

/// Tells a player something now, on every device of the player's that is connected in the game. It
/// is lost where none is: what must not be lost is an event of the player's stream.
public struct Hint: Equatable, Sendable {
  public var player: PlayerID
  public var game: String
  /// Of the event's message, which `body` holds.
  public var kind: Opcode
  public var body: [UInt8]
  public var trace = TraceID()
}

/// What one command does: gathered here while it runs, made durable and sent afterwards.
///
/// What is generic is inlinable, so that a core's module has code of its own for its rows.
public struct Transaction {
  /// Milliseconds since 1970; never goes back.
  public let now: Int64
  /// The life of the store: another one for each start, and so for what was put back from a backup.
  public let incarnation: UInt64
  @usableFromInline var gathered = RowChanges()
  public private(set) var effects: [Effect] = []
  public private(set) var pushes: [Push] = []
  public private(set) var hints: [Hint] = []
  public private(set) var timers: [TimerChange] = []
  private var random: RandomSource
  /// What has led to the command: everything that it sends carries it on.
  public let trace: TraceID
  private let coldRows: [ColdRange: [[UInt8]]]
  /// The engine whose core is being loaded; nil for every command.
  private let loading: Engine?

  init(
    now: Int64, incarnation: UInt64 = 1, random: RandomSource,
    trace: TraceID = TraceID(), coldRows: [ColdRange: [[UInt8]]] = [:],
    loading: Engine? = nil
  ) {
    self.now = now
    self.incarnation = incarnation
    self.random = random
    self.trace = trace
    self.coldRows = coldRows
    self.loading = loading
  }

  public var changes: RowChanges { gathered }

  /// True when a call with live data has done more than push and set timers that are not kept.
  var isMoreThanLive: Bool { hasLastingEffect || !hints.isEmpty }

  /// The source as it is after the command, for the next one.
  public var randomAfter: RandomSource { random }

  /// True as soon as the command did something that cannot be taken back.
  public var hasStarted: Bool {
    hasLastingEffect || !pushes.isEmpty || !hints.isEmpty || !timers.isEmpty
  }

  /// True when something has to be made durable, which a read-only operation never asks for.
  public var hasLastingEffect: Bool { !gathered.isEmpty || !effects.isEmpty || hasKeptTimer }

  private var hasKeptTimer: Bool {
    timers.contains { change in
      switch change.kind {
      case .set(_, _, _, let isKept): isKept
      case .cancel: true
      }
    }
  }

  @inlinable
  public mutating func put<R: Row>(_ row: R) { gathered.put(row) }

  @inlinable
  public mutating func remove<R: Row>(_ type: R.Type, _ key: R.Key) { gathered.remove(type, key) }

  /// Asks the owner of `key` to apply `operation`, once: in this command's batch or after it.
  @inlinable
  public mutating func effect<O: Operation, K>(
    _ operation: O, on key: Identifier<K>, game: String
  ) {
    effect(
      O.opcode, operation.encoded(capacity: 256), on: RoutingKey(reinterpreting: key), game: game)
  }

  @usableFromInline
  mutating func effect(_ opcode: Opcode, _ body: [UInt8], on key: RoutingKey, game: String) {
    effects.append(Effect(opcode: opcode, key: key, game: game, body: body, trace: trace))
  }

  @inlinable
  public mutating func push<E: Event>(
    _ event: consuming E, to channel: Channel, lane: PushLane = .ordered
  ) {
    push(event, to: [channel], lane: lane)
  }

  /// Tells several clients the same thing: the event is encoded once, and once for each link on
  /// its way to their gateways.
  ///
  /// - Parameter channels: each named once; with none, nothing happens.
  @inlinable
  public mutating func push<E: Event>(
    _ event: consuming E, to channels: [Channel], lane: PushLane = .ordered
  ) {
    precondition(E.way == .push, "a client would not expect this event outside of its wrapping")
    if channels.isEmpty { return }
    push(E.opcode, event.encoded(capacity: 192), to: channels, lane)
  }

  @usableFromInline
  mutating func push(
    _ opcode: Opcode, _ body: [UInt8], to channels: [Channel], _ lane: PushLane
  ) {
    pushes.append(
      Push(channels: channels, opcode: opcode.rawValue, lane: lane, body: body, trace: trace))
  }

  /// Tells a player something when this command is durable, once: see `Hint`.
  ///
  /// - Parameter event: small, and about what can be read; hints in plenty are dropped.
  @inlinable
  public mutating func hint<E: Event>(_ event: E, to player: PlayerID, game: String) {
    precondition(E.way == .hint, "an event is told as a hint that is declared as none")
    hint(E.opcode, event.encoded, to: player, game: game)
  }

  @usableFromInline
  mutating func hint(_ kind: Opcode, _ body: [UInt8], to player: PlayerID, game: String) {
    hints.append(Hint(player: player, game: game, kind: kind, body: body, trace: trace))
  }

  /// Has `operation` applied to `key`, the command's own, when its time comes: in order with all
  /// else that happens to the key, once, and in one batch with what it changes.
  ///
  /// A timer is named by its key, its operation and `item`; setting it again replaces it. The
  /// access of an operation that only timers apply is `timersAlone`. It needs no facts: a gateway
  /// fetches these, and a timer comes through none.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970; one that is past means now.
  ///   - isKept: false for a timer that ends with the process, because what it is about does. While
  ///     a core is loaded no timer is kept: its rows say it again at the next start.
  @inlinable
  public mutating func setTimer<O: Operation, K>(
    _ operation: O, on key: Identifier<K>, item: RoutingKey = RoutingKey(), at time: Int64,
    game: String = "", isKept: Bool = true
  ) {
    let timer = timerKey(O.self, on: key, item)
    if isSetAlready(timer, by: time) { return }
    set(timer, at: time, game: game, operation.encoded, isKept: isKept)
  }

  /// True while a core is loaded, for a timer that is pending and comes early enough.
  @usableFromInline
  func isSetAlready(_ timer: TimerKey, by time: Int64) -> Bool {
    loading?.timers.isPending(timer, by: time) ?? false
  }

  @usableFromInline
  mutating func set(
    _ timer: TimerKey, at time: Int64, game: String, _ body: [UInt8], isKept: Bool
  ) {
    if let loading {
      // There may be millions at the start: they are not held here first.
      loading.timers.setUnkept(timer, due: time, game, body)
    } else {
      timers.append(
        TimerChange(key: timer, kind: .set(due: time, game: game, body: body, isKept: isKept)))
    }
  }

  /// Nothing happens where there is no such timer.
  @inlinable
  public mutating func cancelTimer<O: Operation, K>(
    _ type: O.Type, on key: Identifier<K>, item: RoutingKey = RoutingKey()
  ) {
    cancel(timerKey(type, on: key, item))
  }

  @inlinable
  func timerKey<O: Operation, K>(_ type: O.Type, on key: Identifier<K>, _ item: RoutingKey)
    -> TimerKey
  {
    precondition(O.needs.isEmpty, "nobody fetches the facts that \(O.name) needs for a timer")
    return TimerKey(O.opcode, on: RoutingKey(reinterpreting: key), item: item)
  }

  @usableFromInline
  mutating func cancel(_ timer: TimerKey) {
    timers.append(TimerChange(key: timer, kind: .cancel))
  }

  /// A new identifier that cannot be guessed.
  public mutating func identifier<K>(_ type: Identifier<K>.Type = Identifier<K>.self)
    -> Identifier<K>
  {
    Identifier(high: random.next(), low: random.next())
  }

  public mutating func randomInteger() -> UInt64 { random.next() }

  /// Stops where rows of any of these ranges are not here yet, and fetches them all in one go.
  public func fetch(_ ranges: [ColdRange]) throws(Stop) {
    let missing = ranges.filter { coldRows[$0] == nil }
    if !missing.isEmpty { throw .needs(missing) }
  }

  /// The rows of a cold table in `range`, or a stop that fetches them.
  @inlinable
  public func rows<R: Row>(_ type: R.Type, in range: ColdRange) throws(Stop) -> [R] {
    var rows: [R] = []
    for bytes in try encodedRows(in: range) {
      do {
        rows.append(try R(decoding: bytes))
      } catch {
        throw .refuse(.unavailable, "A stored row of \(R.tableName) cannot be read: \(error).")
      }
    }
    return rows
  }

  /// The row of a cold table with this key, or a stop that fetches it; nil where there is none.
  @inlinable
  public func row<R: Row>(_ type: R.Type, _ key: R.Key) throws(Stop) -> R? {
    try rows(type, in: .row(type, key)).first
  }

  @usableFromInline
  func encodedRows(in range: ColdRange) throws(Stop) -> [[UInt8]] {
    guard let encoded = coldRows[range] else { throw .needs([range]) }
    return encoded
  }
}
