public import Domain
public import Wire

/// Drives one service's core through its engine, as the process would, with a virtual clock, a seed
/// and no input or output: the shortest way to test a rule.
public final class CoreDriver<Core: ServiceCore> {
  public private(set) var engine: Engine<Core>
  /// Milliseconds since 1970 as the commands see them.
  public var clock: Int64 = 1_700_000_000_000
  /// Everything made durable so far, for a restart.
  public private(set) var rows: [UInt16: [[UInt8]: [UInt8]]] = [:]
  /// What commands pushed and asked of other keys since the last look.
  public var pushes: [Push] = []
  public var effects: [OutboxRow] = []
  public let game: String
  private let store = StoreID(high: 1, low: UInt64(Core.service.rawValue))
  private var counter: UInt64 = 0
  private let seed: UInt64

  public init(game: String = "game", seed: UInt64 = 1) {
    self.game = game
    self.seed = seed
    engine = Engine(
      core: Core(), partition: .whole, store: store, lastBatch: 0, lastTime: 0,
      random: .seeded(seed))
    engine.loaded()
  }

  /// Calls `operation` as `player`; the answer is the reply, or the failure thrown.
  @discardableResult
  public func call<O: Operation>(
    _ operation: O, as player: PlayerID, key: RoutingKey? = nil, friends: [PlayerID] = [],
    facts: Facts = Facts(), session: UInt64 = 0, kind: PrincipalKind = .player,
    idempotency: IdempotencyKey? = nil
  ) throws -> O.Reply {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: kind, game: game, player: player, device: DeviceID(reinterpreting: player))
    envelope.routingKey = key ?? routingKey(of: operation, caller: player)
    envelope.facts = facts
    if !friends.isEmpty { envelope.facts.friends = friends }
    envelope.session = session
    if let idempotency {
      envelope.idempotency = idempotency
    } else if !O.isReadOnly {
      counter += 1
      envelope.idempotency = IdempotencyKey(instance: 1, counter: counter, floor: counter)
    }
    let request = Request(opcode: O.opcode, envelope: envelope, body: operation.encoded, link: 1)
    return try O.Reply(decoding: answer(request))
  }

  /// Runs a request to its end, cold reads included.
  public func answer(_ request: Request) throws -> [UInt8] {
    var coldRows: [ColdRange: [[UInt8]]] = [:]
    while true {
      switch engine.apply(request, clock: clock, coldRows: coldRows) {
      case .needs(let ranges):
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

  public func tick() { keep(engine.tick(clock: clock)) }

  public func close(session: UInt64) {
    keep(engine.closed(Channel(link: 1, session: session), clock: clock))
  }

  /// Delivers effects that are meant for this same service until none is left; the others stay in
  /// `effects`. Returns the failures of those that were refused.
  @discardableResult
  public func deliverOwnEffects() throws -> [Failure] {
    var failures: [Failure] = []
    while let index = effects.firstIndex(where: {
      Opcode(rawValue: $0.opcode).service == Core.service
    }) {
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

  /// Takes the effects of one kind out of `effects`, with the key each is for.
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

  /// The pushes of one kind since the last look.
  public func takePushes<E: Event>(_ type: E.Type) throws -> [(session: UInt64, event: E)] {
    var taken: [(session: UInt64, event: E)] = []
    for push in pushes where push.opcode == E.opcode.rawValue {
      taken.append((push.channel.session, try E(decoding: push.body)))
    }
    pushes.removeAll { $0.opcode == E.opcode.rawValue }
    return taken
  }

  /// The process dies and starts again from what was durable.
  public func restart() throws {
    engine = Engine(
      core: Core(), partition: .whole, store: store, lastBatch: engine.batch, lastTime: clock,
      random: .seeded(seed &+ engine.batch))
    for table in Engine<Core>.tables where table.residence == .resident {
      for row in (rows[table.id] ?? [:]).values {
        try unsafe engine.load(table: table.id, row: row.span.bytes)
      }
    }
    engine.loaded()
    effects = engine.openEffects
    pushes = []
  }

  private func keep(_ outcome: Outcome) {
    apply(outcome.changes)
    pushes += outcome.pushes
    effects += outcome.effects
    engine.startBatch()
  }

  private func apply(_ changes: RowChanges) {
    // What our own engine wrote can be read: a failure here is a defect of the codec.
    guard let decoded = try? changes.decoded() else { preconditionFailure("unreadable changes") }
    for change in decoded {
      switch change.kind {
      case .put: rows[change.table, default: [:]][change.key] = change.bytes
      case .remove: rows[change.table]?[change.key] = nil
      }
    }
  }

  private func read(_ range: ColdRange) -> [[UInt8]] {
    let found = (rows[range.table] ?? [:]).filter { range.contains($0.key) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    return Array((range.isDescending ? found.reversed() : found).prefix(range.limit))
  }

  private func routingKey<O: Operation>(of operation: O, caller: PlayerID) -> RoutingKey {
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
