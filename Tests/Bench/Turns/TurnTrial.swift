import ContextCore
import Domain
import Operations
import Wire

/// Turn-based games of two players each in a context service without a store: the changes of rows
/// are made, the effects on its own keys delivered, and those on other services taken as delivered.
final class TurnTrial {
  struct Place: Hashable {
    var table: UInt16
    var key: [UInt8]
  }

  private let engine = Engine(
    core: ContextCore(), partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0,
    clock: 1, random: .seeded(1))
  /// Of each game, which is the same in all until it was moved in.
  private var versions: [Int: UInt64] = [:]
  private var loadedTables: Set<UInt16> = []
  /// The rows that the last game has changed, without those that a start does not read.
  private var changed: [Place: [UInt8]] = [:]

  /// - Parameter stored: the rows that a process finds when it starts.
  init(_ stored: [UInt16: [[UInt8]]] = [:]) {
    do {
      try engine.load { table, take in
        loadedTables.insert(table.id)
        for row in stored[table.id] ?? [] { try unsafe take(row.span.bytes) }
      }
    } catch {
      preconditionFailure("a row of the trial cannot be read: \(error)")
    }
  }

  /// Opens a context and a game in it, which both players take part in; returns the rows that a
  /// process reads when it starts.
  func open(_ number: Int) -> [Place: [UInt8]] {
    changed = [:]
    let players = Self.players(number)
    var open = OpenContext()
    open.context = Self.context(number)
    open.players = players.map { ContextPlayer(player: $0, role: .participant, state: .active) }
    call(open, number, .service, PlayerID())
    var start = StartTurnGame()
    start.context = open.context
    start.players = players
    start.state = Self.state
    call(start, number, .player, players[0])
    var answer = AnswerTurnGame()
    (answer.context, answer.number, answer.accept) = (open.context, 1, true)
    call(answer, number, .player, players[1])
    return changed
  }

  /// The next move in a game, with a new state.
  func move(_ number: Int) {
    let version = versions[number] ?? 1
    var move = MakeMove()
    (move.context, move.number, move.version) = (Self.context(number), 1, version)
    move.payload = Self.payload
    move.state = Self.state
    call(move, number, .player, Self.players(number)[Int(version - 1) % 2])
    versions[number] = version + 1
  }

  private static let payload = Bytes([UInt8](repeating: 7, count: 16))
  private static let state = Bytes([UInt8](repeating: 7, count: 256))

  private static func context(_ number: Int) -> ContextID {
    ContextID(high: UInt64(number) &* 0x9e37_79b9_7f4a_7c15, low: UInt64(number) + 1)
  }

  private static func players(_ number: Int) -> [PlayerID] {
    [1, 2].map { PlayerID(high: UInt64(number) &* 0xbf58_476d_1ce4_e5b9, low: $0) }
  }

  // MARK: Calls

  private func call<O: Operation>(
    _ operation: O, _ number: Int, _ kind: PrincipalKind, _ player: PlayerID
  ) {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(kind: kind, game: "bench", player: player, device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: Self.context(number))
    if kind == .player {
      let nobody = FetchBlocks.Reply().encoded
      envelope.facts = Facts(
        Self.players(number).map {
          Fact(FetchBlocks.opcode, at: RoutingKey(reinterpreting: $0), reply: nobody)
        })
    }
    finish(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded))
  }

  private func finish(_ request: Request) {
    guard case .done(let outcome) = engine.apply(request, clock: 1), case .reply = outcome.answer
    else { preconditionFailure("a call of the trial was refused") }
    keep(outcome.changes)
    if engine.isBatchFull { engine.startBatch() }
    for effect in outcome.effects {
      if Opcode(rawValue: effect.opcode).service == .context { finish(engine.delivery(of: effect)) }
      keep(engine.delivered(effect.key))
    }
  }

  private func keep(_ changes: RowChanges) {
    guard let changes = try? changes.decoded() else { return }
    for change in changes where loadedTables.contains(change.table) {
      let place = Place(table: change.table, key: change.key)
      changed[place] = change.kind == .put ? change.bytes : nil
    }
  }
}
