import BenchPlayers
import Domain
import Operations
import Transport
import Wire

/// Calls to the context service as a gateway and other services make them: they put players into
/// contexts who are no friends, and speak for players without a connection.
final class ContextCalls {
  private static let deadlineMilliseconds: UInt64 = 30_000
  private let link: Link
  private let report: LoadReport
  let plan: LoadPlan

  init(loop: Loop, plan: LoadPlan, report: LoadReport) throws {
    self.plan = plan
    self.report = report
    let tls = try TLSClientContext(
      trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
      serverName: "context.muster.internal")
    link = Link(on: loop, host: "127.0.0.1", port: plan.contextPort, tls: tls)
  }

  /// Opens a context with players who are in it at once, as matchmaking does.
  func open(_ context: ContextID, _ players: [PlayerID], _ done: @escaping () -> Void) {
    var open = OpenContext()
    open.context = context
    open.players = players.map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    let principal = Principal(
      kind: .service, game: plan.game, player: PlayerID(), device: DeviceID())
    call(open, at: RoutingKey(reinterpreting: context), as: principal) { _ in done() }
  }

  /// Makes a call for a player who has no ticket.
  func find(_ operation: FindMatch, for player: PlayerID, _ done: @escaping () -> Void) {
    let principal = Principal(
      kind: .player, game: plan.game, player: player, device: DeviceID())
    let none = Fact(
      FetchTickets.opcode, at: RoutingKey(reinterpreting: player),
      reply: ListTickets.Reply().encoded)
    let queue = RoutingKey(game: plan.game, name: operation.playerGroup)
    call(operation, at: queue, as: principal, Facts([none])) { _ in done() }
  }

  /// Sees to it that a turn-based game of `FilledGames` is open.
  func expectGame(_ number: Int, _ done: @escaping () -> Void) {
    var read = ReadTurnGame()
    read.context = FilledGames.context(number)
    let principal = Principal(
      kind: .player, game: plan.game, player: FilledGames.players(number)[0],
      device: DeviceID())
    call(read, at: RoutingKey(reinterpreting: read.context), as: principal) { [self] view in
      if view.info.phase == .active && view.state != nil { return done() }
      report.fail("game \(number) is not open")
    }
  }

  private func call<O: Operation>(
    _ operation: O, at key: RoutingKey, as principal: Principal, _ facts: Facts = Facts(),
    _ done: @escaping (O.Reply) -> Void
  ) {
    var envelope = ServiceEnvelope()
    envelope.principal = principal
    envelope.routingKey = key
    envelope.facts = facts
    link.call(
      O.opcode.rawValue, body: Enveloped.join(envelope, operation.encoded),
      deadlineMilliseconds: Self.deadlineMilliseconds
    ) { [self] result in
      switch result.map({ try? O.Reply(decoding: $0) }) {
      case .success(let reply?): done(reply)
      case .success(nil): report.fail("an unreadable reply to \(O.name)")
      case .failure(let failure): report.fail("\(O.name): \(failure)")
      }
    }
  }
}
