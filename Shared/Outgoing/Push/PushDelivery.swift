public import Wire

/// Delivers events to the push hook's endpoint, at least once each, in no promised order.
///
/// All that waits is in the caller's store. This value holds nothing but the events that are being
/// sent or written at this moment, `PushSettings.callsMax` at most, however many wait and however
/// long the endpoint is dead. It asks for one page of due rows at a time, always from the
/// beginning: each row that it has taken is removed or gets a later time, so the oldest due rows
/// are those that come next, but for those that it holds, which it skips.
///
/// It knows neither clock nor sockets nor chance: each event brings the time and returns actions,
/// which the caller performs in their order, and answers once it has performed all of them. The
/// time is milliseconds since 1970, because rows keep it over restarts, of a clock that never goes
/// back: one that follows the wall clock, and waits for it where that is set back. Attempts go on
/// where they were after a crash, because the rows tell; what was under way is then sent again with
/// the same event id.
public struct PushDelivery: Sendable {
  public enum Action: Sendable, Equatable {
    /// Read the rows with `due` up to `through`, the least first, at most `count`, and answer with
    /// `page`.
    case fetch(through: Int64, count: Int)
    /// Call the endpoint, and answer with `answered`. The caller looks whether the row is still in
    /// the store: one that is not (erased, acknowledged by now) is answered with `withdrawn`.
    case send(PushRow, attempt: Int)
    /// Remove the row; answer with `stored` once that cannot be undone by a crash.
    case remove(EventID, Removal)
    /// Write these into the row, and answer with `stored`. A row that is gone stays so.
    case postpone(EventID, attempts: Int, due: Int64)
    /// Call `tick` at this time, in place of any that was told before.
    case wake(at: Int64)
  }

  public enum Removal: String, Sendable {
    case delivered
    /// The event got too old.
    case givenUp = "given-up"
  }

  /// What an event that is held waits for.
  enum Slot: Sendable, Equatable {
    case sending(PushRow, deadline: Int64, isProbe: Bool)
    /// The store's word; then the row is due at this time, or gone.
    case storing(due: Int64?)
    /// A page that was asked for before the store had written: it may show the old row.
    case stored
  }

  let settings: PushSettings
  var slots: [EventID: Slot] = [:]
  var circuit: PushCircuit
  var isFetching = false
  /// No row is due before, as far as is known; nil when no row waits.
  var storeDue: Int64?
  /// No call begins before: this process could not make one a moment ago.
  var pausedUntil = Int64.min
  /// When the caller was asked to call.
  var wakeTime: Int64?

  public init(_ settings: PushSettings) {
    settings.check()
    self.settings = settings
    circuit = PushCircuit(settings)
  }

  /// How many events are held; at most `callsMax`.
  public var heldCount: Int { slots.count }

  /// Whether the endpoint gets no calls now but for one that probes.
  public var isEndpointFailing: Bool { if case .closed = circuit.state { false } else { true } }

  /// Begins; the store may hold rows from before.
  public mutating func start(_ now: Int64) -> [Action] { arrived(due: now, now) }

  /// A row was written to the store, or several of which this is the first that is due.
  public mutating func arrived(due: Int64, _ now: Int64) -> [Action] {
    storeDue = min(storeDue ?? due, due)
    var actions: [Action] = []
    advance(now, &actions)
    return actions
  }

  /// The time of `wake` has come.
  public mutating func tick(
    _ now: Int64, using random: inout some RandomNumberGenerator
  ) -> [Action] {
    var actions: [Action] = []
    wakeTime = nil
    // In an order that a simulation can repeat.
    for (_, slot) in slots.sorted(by: { $0.key < $1.key }) {
      guard case .sending(let row, let deadline, let isProbe) = slot, deadline <= now else {
        continue
      }
      fail(row, isProbe, pause: nil, now, &actions, using: &random)
    }
    advance(now, &actions)
    return actions
  }

  /// The rows that were asked for.
  /// - Parameter next: when the first row that is not among them is due; nil when there is none.
  public mutating func page(_ rows: [PushRow], next: Int64?, _ now: Int64) -> [Action] {
    precondition(isFetching, "a page comes that nobody asked for")
    precondition(rows.count <= settings.callsMax, "a page is larger than was asked for")
    isFetching = false
    if let next { storeDue = min(storeDue ?? next, next) }
    var actions: [Action] = []
    for row in rows where slots[row.event] == nil { take(row, now, &actions) }
    slots = slots.filter { $0.value != .stored }
    advance(now, &actions)
    return actions
  }

  /// What came of an attempt. Of an attempt that has ended before, this changes nothing.
  public mutating func answered(
    _ event: EventID, attempt: Int, _ outcome: PushOutcome, _ now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .sending(let row, _, let isProbe)? = slots[event], row.attempts + 1 == attempt else {
      return []
    }
    var actions: [Action] = []
    switch outcome {
    case .accepted:
      circuit.succeed(isProbe: isProbe)
      slots[event] = .storing(due: nil)
      actions.append(.remove(event, .delivered))
    case .refused:
      circuit.answer(isProbe: isProbe)
      retry(row, pause: nil, now, &actions, using: &random)
    case .failed(let pause):
      fail(row, isProbe, pause: pause, now, &actions, using: &random)
    case .notSent:
      if isProbe { circuit.giveBackProbe(now) }
      let due = now + settings.backoffMillisecondsMin
      // The others could not be sent either.
      pausedUntil = max(pausedUntil, due)
      slots[event] = .storing(due: due)
      actions.append(.postpone(event, attempts: row.attempts, due: due))
    }
    advance(now, &actions)
    return actions
  }

  /// The event that was to be sent is no longer in the store.
  public mutating func withdrawn(_ event: EventID, _ now: Int64) -> [Action] {
    guard case .sending(_, _, let isProbe)? = slots[event] else { return [] }
    if isProbe { circuit.giveBackProbe(now) }
    var actions: [Action] = []
    free(event, due: nil)
    advance(now, &actions)
    return actions
  }

  /// What `remove` or `postpone` asked for is done.
  public mutating func stored(_ event: EventID, _ now: Int64) -> [Action] {
    guard case .storing(let due)? = slots[event] else { return [] }
    var actions: [Action] = []
    free(event, due: due)
    advance(now, &actions)
    return actions
  }
}
