public import Domain
public import Wire

/// Drives one service's core through its engine, as the process would, but with a virtual clock, a
/// seed and no input or output. It is the shortest way to test a rule.
public final class CoreDriver<Core: ServiceCore> {
  public private(set) var core: Core
  public private(set) var engine: Engine
  /// The time that commands see, in milliseconds since 1970.
  public var clock: Int64 = 1_700_000_000_000
  /// Every durable row, by table and encoded key; a restart loads from here.
  public private(set) var rows: [UInt16: [[UInt8]: [UInt8]]] = [:]
  /// The keys, in order, of each table from which ranges were read.
  private var sortedKeys: [UInt16: [[UInt8]]] = [:]
  /// The tables of `Row.isWrittenOnce`, of which a fold takes their word.
  private let writtenOnce: Set<UInt16>
  /// How many cold rows commands have been given so far.
  public private(set) var readRowCount = 0
  /// How often a command had to wait for cold rows so far.
  public private(set) var readRoundCount = 0
  /// What commands have pushed to sessions since a test last took it.
  public var pushes: [Push] = []
  /// The effects on other keys that are not delivered yet.
  public var effects: [OutboxRow] = []
  /// The hints that commands gave since the last look.
  public var hints: [Hint] = []
  /// Rows that were put or removed so far.
  public private(set) var changeCount = 0
  public let game: String
  private let store = StoreID(high: 1, low: UInt64(Core.service.rawValue))
  private var counter: UInt64 = 0
  private let seed: UInt64

  /// - Parameter settings: those that differ from their defaults, each in its unit.
  public init(game: String = "game", seed: UInt64 = 1, settings: [NumberSetting: Int] = [:]) {
    self.game = game
    self.seed = seed
    core = Core(settings: SettingValues(of: Core.self, settings))
    engine = Engine(
      core: core, partition: .whole, store: store, lastBatch: 0, lastTime: 0,
      clock: 0, random: .seeded(seed))
    writtenOnce = Set(engine.tables.descriptions.filter(\.isWrittenOnce).map(\.id))
    engine.load { _, _ in }
  }

  /// Calls `operation` as `player` and returns its reply; a refusal is thrown as a `Failure`.
  @discardableResult
  public func call<O: Operation>(
    _ operation: O, as player: PlayerID, key: RoutingKey? = nil, facts: Facts = Facts(),
    session: UInt64 = 0, kind: PrincipalKind = .player, idempotency: IdempotencyKey? = nil
  ) throws -> O.Reply {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: kind, game: game, player: player, device: DeviceID(reinterpreting: player))
    envelope.routingKey = key ?? routingKey(of: operation, caller: player)
    envelope.facts = facts
    envelope.session = session
    if let idempotency {
      envelope.idempotency = idempotency
    } else if !O.isReadOnly {
      counter += 1
      envelope.idempotency = IdempotencyKey(instance: 1, counter: counter, floor: counter)
    }
    let request = Request(opcode: O.opcode, envelope: envelope, body: operation.encoded, link: 1)
    do {
      return try O.Reply(decoding: answer(request))
    } catch let failure as Failure {
      FailureForm.check(failure, of: O.shape)
      throw failure
    }
  }

  /// Runs a request to its end, cold reads included, and returns the encoded reply.
  public func answer(_ request: Request) throws -> [UInt8] {
    var coldRows: [ColdRange: [[UInt8]]] = [:]
    while true {
      switch engine.apply(request, clock: clock, coldRows: coldRows) {
      case .needs(let ranges):
        readRoundCount += 1
        for range in ranges { coldRows[range] = read(range) }
      case .done(let outcome):
        keep(outcome)
        switch outcome.answer {
        case .reply(let body): return body
        case .failure(let failure): throw failure
        }
      }
    }
  }

  /// Lets time pass, with every timer served when it is due.
  public func pass(_ milliseconds: Int64) {
    let end = clock + milliseconds
    while let due = engine.nextTimerDue, due <= end {
      clock = max(clock, due)
      runTimers()
    }
    clock = end
  }

  /// Serves timers until none is due, or so many; returns the failures of those that were refused.
  @discardableResult
  public func runTimers(atMost countMax: Int = .max) -> [Failure] {
    var failures: [Failure] = []
    var count = 0
    while count < countMax, var request = engine.takeTimer(clock: clock) {
      count += 1
      if let range = request.timer?.unreadRow { request.fillTimer(from: read(range)) }
      do {
        _ = try answer(request)
      } catch let failure as Failure {
        failures.append(failure)
      } catch {
        preconditionFailure("\(error)")
      }
    }
    return failures
  }

  public func close(session: UInt64) {
    keep(engine.closed(Channel(link: 1, session: session), clock: clock))
  }

  /// Delivers the effects that are meant for this same service, and those that they cause, until
  /// none is left or `countMax` were delivered. Effects for other services stay in `effects`.
  /// Returns the failures of the effects that were refused.
  @discardableResult
  public func deliverOwnEffects(atMost countMax: Int = .max) throws -> [Failure] {
    var failures: [Failure] = []
    var count = 0
    while count < countMax,
      let index = effects.firstIndex(where: {
        Opcode(rawValue: $0.opcode).service == Core.service
      })
    {
      count += 1
      let row = effects.remove(at: index)
      do {
        _ = try answer(engine.delivery(of: row))
        apply(engine.delivered(row.key))
      } catch let failure as Failure {
        failures.append(failure)
        apply(engine.park(row.key, failure, clock: clock))
      }
    }
    return failures
  }

  /// Delivers the first effect with the operation `type`, which must be of this same service.
  /// Returns false when there is none.
  ///
  /// - Parameter isDoubled: delivers it twice, as happens after a confirmation was lost.
  public func deliverFirst<O: Operation>(_ type: O.Type, isDoubled: Bool = false) throws -> Bool {
    guard let index = effects.firstIndex(where: { $0.opcode == O.opcode.rawValue }) else {
      return false
    }
    let row = effects.remove(at: index)
    for _ in 0..<(isDoubled ? 2 : 1) { _ = try answer(engine.delivery(of: row)) }
    apply(engine.delivered(row.key))
    return true
  }

  /// Takes the first effect out of `effects`.
  ///
  /// - Parameter failure: why its receiver refused it; nil confirms it.
  public func settleFirstEffect(_ failure: Failure?) {
    let row = effects.removeFirst()
    apply(
      failure.map { engine.park(row.key, $0, clock: clock) } ?? engine.delivered(row.key))
  }

  /// Takes the effects with the operation `type` out of `effects` and confirms them. Returns each
  /// with the key that it is for.
  public func takeEffects<O: Operation>(_ type: O.Type) throws -> [(key: RoutingKey, operation: O)]
  {
    var taken: [(key: RoutingKey, operation: O)] = []
    for row in effects where row.opcode == O.opcode.rawValue {
      taken.append((row.routingKey, try O(decoding: row.body.array)))
      apply(engine.delivered(row.key))
    }
    effects.removeAll { $0.opcode == O.opcode.rawValue }
    return taken
  }

  /// Takes the pushes with the event `type` out of `pushes`.
  public func takePushes<E: Event>(_ type: E.Type) throws -> [(session: UInt64, event: E)] {
    var taken: [(session: UInt64, event: E)] = []
    for push in pushes where push.opcode == E.opcode.rawValue {
      taken.append((push.channel.session, try E(decoding: push.body)))
    }
    pushes.removeAll { $0.opcode == E.opcode.rawValue }
    return taken
  }

  /// Takes the hints of one kind since the last look.
  public func takeHints<E: Event>(_ type: E.Type) throws -> [(player: PlayerID, event: E)] {
    let taken = hints.filter { $0.kind == E.opcode }
    hints.removeAll { $0.kind == E.opcode }
    return try taken.map { ($0.player, try E(decoding: $0.body)) }
  }

  /// Starts the core anew from the durable rows, as after the death of the process.
  ///
  /// - Parameters:
  ///   - settings: in place of those that it had.
  ///   - lost: a table whose rows are gone.
  public func restart(settings: SettingValues? = nil, without lost: UInt16? = nil) throws {
    if let lost { (rows[lost], sortedKeys[lost]) = (nil, nil) }
    let erased = engine.erasures
    core = Core(settings: settings ?? core.settings)
    engine = Engine(
      core: core, partition: .whole, store: store, lastBatch: engine.batch, lastTime: clock,
      clock: clock, random: .seeded(seed &+ engine.batch))
    engine.haveErased(erased)
    try engine.load { table, take in
      for row in (rows[table.id] ?? [:]).values { try unsafe take(row.span.bytes) }
    }
    effects = engine.openEffects
    pushes = []
  }

  /// Starts the core anew from rows that were durable once, as after a backup was put back.
  public func restore(_ backup: [UInt16: [[UInt8]: [UInt8]]]) throws {
    (rows, sortedKeys) = (backup, [:])
    try restart()
  }

  private func keep(_ outcome: Outcome) {
    apply(outcome.changes)
    pushes += outcome.pushes.flatMap(\.single)
    hints += outcome.hints
    effects += outcome.effects
    engine.startBatch()
  }

  private func apply(_ changes: RowChanges) {
    // Our own engine wrote these bytes, so a failure here is a defect of the codec.
    guard let decoded = try? changes.decoded() else { preconditionFailure("unreadable changes") }
    changeCount += decoded.count
    for change in decoded {
      switch change.kind {
      case .put:
        let old = rows[change.table, default: [:]].updateValue(change.bytes, forKey: change.key)
        precondition(
          old == nil || !writtenOnce.contains(change.table),
          "a row of table \(change.table) is put over itself")
        if old == nil { sort(change) }
      case .remove:
        let old = rows[change.table]?.removeValue(forKey: change.key)
        if old != nil { sort(change) }
      }
    }
  }

  /// Puts the key of an added row at its place among the sorted ones, or takes a removed one out.
  private func sort(_ change: RowChange) {
    let key = change.key
    guard let keys = sortedKeys[change.table] else { return }
    let place = keys.sortedCount { $0.lexicographicallyPrecedes(key) }
    switch change.kind {
    case .put: sortedKeys[change.table]?.insert(key, at: place)
    case .remove: sortedKeys[change.table]?.remove(at: place)
    }
  }

  private func read(_ range: ColdRange) -> [[UInt8]] {
    guard let table = rows[range.table] else { return [] }
    let keys = sortedKeys[range.table] ?? table.keys.sorted { $0.lexicographicallyPrecedes($1) }
    sortedKeys[range.table] = keys
    // Binary searches, because a table has thousands of rows and a command asks for dozens of
    // ranges.
    let first = keys.sortedCount { $0.lexicographicallyPrecedes(range.from) }
    let end = keys.sortedCount {
      $0.lexicographicallyPrecedes(range.from) || range.contains($0)
    }
    let found = keys[first..<end]
    let read =
      range.isDescending
      ? found.reversed().prefix(range.limit).map { $0 }
      : Array(found.prefix(range.limit))
    readRowCount += read.count
    return read.compactMap { table[$0] }
  }

  /// The key at which the gateway would make the call.
  public func routingKey<O: Operation>(of operation: O, caller: PlayerID) -> RoutingKey {
    switch O.routing {
    case .principal: return RoutingKey(reinterpreting: caller)
    case .firstIdentifier:
      return RoutingKey(bytes: Array(operation.encoded.prefix(16))) ?? RoutingKey()
    case .firstName:
      let name = Reader.read(operation.encoded) { String.decode(from: &$0) }
      return RoutingKey(game: game, name: (try? name.get()) ?? "")
    case .game: return RoutingKey(game: game)
    case .pair, .fresh:
      preconditionFailure("the gateway makes the key of \(O.name): pass one")
    }
  }
}
