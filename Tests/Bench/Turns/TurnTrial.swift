import BenchPlayers
import ContextCore
import Domain
import Operations
import Wire

/// Turn-based games of two players each in a context service without sockets: the effects on its
/// own keys are delivered, and those on other services taken as delivered.
final class TurnTrial {
  let engine: Engine
  private let game: String
  private let clock: Int64
  /// Takes what each call has changed.
  private let keep: (RowChanges) -> Void
  /// Of each game that was moved in; the others have the first.
  private var versions: [Int: UInt64] = [:]

  init(_ engine: Engine, game: String, clock: Int64, keep: @escaping (RowChanges) -> Void) {
    (self.engine, self.game, self.clock, self.keep) = (engine, game, clock, keep)
    engine.load { _, _ in }
  }

  /// Without a store.
  convenience init() {
    let engine = Engine(
      core: ContextCore(), partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0,
      clock: 1, random: .seeded(1))
    self.init(engine, game: "bench", clock: 1) { _ in
      if engine.isBatchFull { engine.startBatch() }
    }
  }

  /// Opens a context and a game in it, which both players take part in.
  func open(_ number: Int) {
    let players = FilledGames.players(number)
    var open = OpenContext()
    open.context = FilledGames.context(number)
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
  }

  /// The next move in a game, with a new state.
  func move(_ number: Int) {
    let version = versions[number] ?? 1
    var move = MakeMove()
    (move.context, move.number, move.version) = (FilledGames.context(number), 1, version)
    move.payload = Self.payload
    move.state = Self.state
    call(move, number, .player, FilledGames.players(number)[Int(version - 1) % 2])
    versions[number] = version + 1
  }

  private static let payload = Bytes([UInt8](repeating: 7, count: 16))
  private static let state = Bytes([UInt8](repeating: 7, count: 256))

  // MARK: Calls

  private func call<O: Operation>(
    _ operation: O, _ number: Int, _ kind: PrincipalKind, _ player: PlayerID
  ) {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(kind: kind, game: game, player: player, device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: FilledGames.context(number))
    if kind == .player {
      let nobody = FetchBlocks.Reply().encoded
      envelope.facts = Facts(
        FilledGames.players(number).map {
          Fact(FetchBlocks.opcode, at: RoutingKey(reinterpreting: $0), reply: nobody)
        })
    }
    finish(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded))
  }

  private func finish(_ request: Request) {
    guard case .done(let outcome) = engine.apply(request, clock: clock),
      case .reply = outcome.answer
    else { preconditionFailure("a call of the trial was refused") }
    keep(outcome.changes)
    for effect in outcome.effects {
      if Opcode(rawValue: effect.opcode).service == .context { finish(engine.delivery(of: effect)) }
      keep(engine.delivered(effect.key))
    }
  }
}
