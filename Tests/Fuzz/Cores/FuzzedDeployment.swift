import ContextCore
import Domain
import LeaderboardCore
import Operations
import RequestCore
import TestKit
import Wire

/// The cores of all services, and what a gateway does between them and callers: facts, keys, and
/// effects that come once, twice or late. It is driven by the bytes of one input.
///
/// What is looked for is a trap: a handler that throws after it has changed something, an overflow,
/// a broken precondition. In a process each of them would end it for everybody.
final class FuzzedDeployment {
  private static let game = "game"
  private static let playerCount: UInt64 = 4
  /// A call that still lacks a fact then is given up, as by a gateway.
  private static let factRoundsMax = 4
  private static let keysPerDemandMax = 64
  private static let repeatableMax = 16

  private let cores: [Service: any FuzzedCore]
  private var seen = SeenValues()
  private var counter: UInt64 = 0
  private var source: ByteSource
  /// The last calls, to be made again.
  private var made: [Request] = []
  /// Facts that calls came with; a fact may be older than what it says.
  private var knownFacts: [Fact] = []
  /// The names of the operations of which a call was carried out.
  private(set) var carriedOut: Set<String> = []

  convenience init(_ bytes: [UInt8]) {
    self.init(
      bytes,
      [
        .context: CoreDriver<ContextCore>(game: Self.game),
        .request: CoreDriver<RequestCore>(game: Self.game),
        .leaderboard: CoreDriver<LeaderboardCore>(game: Self.game),
      ])
  }

  init(_ bytes: [UInt8], _ cores: [Service: any FuzzedCore]) {
    source = ByteSource(bytes)
    self.cores = cores
  }

  private var ordered: [any FuzzedCore] { Service.behindGateway.compactMap { cores[$0] } }

  private func player(_ number: UInt64) -> PlayerID { .sample(number + 1) }

  // MARK: What everybody begins with

  /// Players who have signed in, a board, an achievement and a queue.
  func settle() {
    for number in 0..<Self.playerCount {
      let player = player(number)
      seen.note(RoutingKey(reinterpreting: player), of: "PlayerID")
      var registration = RegisterDevice()
      (registration.player, registration.device) = (player, DeviceID(reinterpreting: player))
      registration.secretHash = KeyedHash(keyNumber: 1, hash: Bytes([7]))
      registration.displayName = "Player \(number)"
      make(registration, as: .service, number)
      var session = OpenSession()
      (session.player, session.device) = (player, DeviceID(reinterpreting: player))
      session.secretHashes = [registration.secretHash]
      make(session, as: .service, number)
    }
    make(DeclareGame(), as: .deploymentOperator, 0)
    var board = DefineLeaderboard()
    board.definition.board = "high"
    make(board, as: .deploymentOperator, 0)
    var achievement = DefineAchievement()
    achievement.definition.achievement = "first"
    make(achievement, as: .deploymentOperator, 0)
    var queue = DefineQueue()
    queue.definition.playerGroup = "pair"
    make(queue, as: .deploymentOperator, 0)
    deliver(atMost: 64)
  }

  private func make<O: Operation>(_ operation: O, as kind: PrincipalKind, _ number: UInt64) {
    guard let route = cores[O.opcode.service ?? .request]?.engine.router[O.opcode] else { return }
    call(route, operation.encoded, as: principal(kind, number))
  }

  private func principal(_ kind: PrincipalKind, _ number: UInt64) -> Principal {
    let player = kind == .player || kind == .service ? player(number) : PlayerID()
    return Principal(
      kind: kind, game: Self.game, player: player, device: DeviceID(reinterpreting: player))
  }

  // MARK: Steps

  /// Does what the bytes say, until they end.
  func run(stepsMax: Int) {
    var count = 0
    while !source.isEmpty && count < stepsMax {
      step()
      count += 1
    }
    deliver(atMost: 256)
  }

  private func step() {
    switch source.choice(of: 16) {
    case 0...9: makeCall()
    case 10: pass()
    case 11, 12: deliver(atMost: 32)
    case 13: cores[.context]?.close(session: UInt64(source.choice(of: 4)))
    case 14: restart()
    default: repeatCall()
    }
  }

  private func makeCall() {
    let core = ordered[source.choice(of: ordered.count)]
    let routes = core.engine.router.routes.values.sorted { $0.opcode < $1.opcode }
    let route = routes[source.choice(of: routes.count)]
    guard let kind = caller(of: route) else { return }
    let number = UInt64(source.choice(of: Int(Self.playerCount)))
    let body = body(of: route, core)
    call(route, body, as: principal(kind, number), session: UInt64(source.choice(of: 4)))
  }

  private func body(of route: Route, _ core: any FuzzedCore) -> [UInt8] {
    let body = FuzzedBody(seen, now: core.clock, &source)
    return body.bytes(of: route.shape, &source)
  }

  /// Who may make a call. What services alone send changes something only as an effect of another
  /// core, which makes it by a rule: one out of thin air would be a state that nobody can get to.
  /// So would be what a gateway sends in an operator's name.
  private func caller(of route: Route) -> PrincipalKind? {
    let kinds: [PrincipalKind] = [.player, .gameServer, .deploymentOperator]
    let isForClients = !route.access.isForGatewayAlone
    let allowed = kinds.filter { isForClients && route.access.allows($0) }
    if !allowed.isEmpty { return allowed[source.choice(of: allowed.count)] }
    return route.isReadOnly && route.access.allows(.service) ? .service : nil
  }

  private func pass() {
    let spans: [Int64] = [1, 1_000, 60_000, 3_600_000, 86_400_000, 8 * 86_400_000]
    let span = spans[source.choice(of: spans.count)]
    for core in ordered {
      core.clock += span
      _ = core.runTimers(atMost: 256)
    }
  }

  private func restart() {
    let core = ordered[source.choice(of: ordered.count)]
    do {
      try core.startAnew()
    } catch {
      preconditionFailure("a core cannot read its own rows: \(error)")
    }
  }

  /// Makes an earlier call again under its key: as it was, or, as no right client does, with
  /// another body.
  private func repeatCall() {
    guard !made.isEmpty else { return }
    var request = made[source.choice(of: made.count)]
    guard let core = request.opcode.service.flatMap({ cores[$0] }),
      let route = core.engine.router[request.opcode]
    else { return }
    if source.byte() & 1 == 1 {
      request.body = body(of: route, core)
    }
    ask(request, route, of: core)
  }

  // MARK: Calls

  private func call(
    _ route: Route, _ body: [UInt8], as principal: Principal, session: UInt64 = 0
  ) {
    guard let core = route.opcode.service.flatMap({ cores[$0] }) else { return }
    var envelope = ServiceEnvelope()
    envelope.principal = principal
    envelope.session = session
    if !route.isReadOnly {
      counter += 1
      envelope.idempotency = IdempotencyKey(
        instance: principal.player.low + 1, counter: counter,
        floor: counter - min(counter - 1, UInt64(Self.repeatableMax) * 2))
    }
    guard let key = key(of: route, body, principal, envelope.idempotency) else { return }
    envelope.routingKey = key
    for need in route.needs {
      try? unsafe need.forEachKey(in: body.span.bytes, of: principal) { key in
        fetch(need.opcode, key, for: principal, &envelope.facts)
      }
    }
    let request = Request(opcode: route.opcode, envelope: envelope, body: body, link: 1)
    made.append(request)
    if made.count > Self.repeatableMax { made.removeFirst() }
    ask(request, route, of: core)
  }

  /// The key at which a gateway makes the call; nil where it would refuse the body.
  private func key(
    of route: Route, _ body: [UInt8], _ principal: Principal, _ idempotency: IdempotencyKey
  ) -> RoutingKey? {
    switch route.routing {
    case .principal: return RoutingKey(reinterpreting: principal.player)
    case .firstIdentifier: return RoutingKey(bytes: Array(body.prefix(16)))
    case .firstName:
      let name = Reader.read(body) { String.decode(from: &$0) }
      return (try? name.get()).map { RoutingKey(game: Self.game, name: $0) }
    case .game: return RoutingKey(game: Self.game)
    case .pair:
      guard let other = PlayerID(bytes: Array(body.prefix(16))) else { return nil }
      let (first, second) = (min(other, principal.player), max(other, principal.player))
      return RoutingKey(game: Self.game, name: "\(first) \(second)")
    case .fresh: return RoutingKey(game: Self.game, name: "\(idempotency)")
    }
  }

  /// Makes a call, and again with each fact that it turns out to need.
  private func ask(_ request: Request, _ route: Route, of core: any FuzzedCore) {
    var request = request
    for _ in 0..<Self.factRoundsMax {
      do {
        let reply = try core.answer(request)
        checkForm(reply, of: route)
        carriedOut.insert(route.name)
        seen.note(reply, of: route.replyShape)
        return
      } catch {
        guard let failure = error as? Failure else { preconditionFailure("\(error)") }
        FailureForm.check(failure, of: route.shape)
        guard failure.code == .factRequired,
          let demand = try? FactDemand(decoding: failure.detail.array)
        else { return }
        for key in demand.keys.prefix(Self.keysPerDemandMax) {
          fetch(demand.opcode, key, for: request.envelope.principal, &request.envelope.facts)
        }
      }
    }
  }

  private func fetch(
    _ opcode: UInt16, _ key: RoutingKey, for principal: Principal, _ facts: inout Facts
  ) {
    let opcode = Opcode(rawValue: opcode)
    if let old = knownFacts.last(where: { $0.opcode == opcode.rawValue && $0.key == key }),
      source.choice(of: 8) == 7
    {
      facts.all.append(old)
      return
    }
    guard let owner = opcode.service.flatMap({ cores[$0] }) else { return }
    var envelope = ServiceEnvelope()
    envelope.principal = principal
    envelope.principal.kind = .service
    envelope.routingKey = key
    let question = Request(opcode: opcode, envelope: envelope, body: key.bytes, link: 1)
    guard let reply = try? owner.answer(question) else { return }
    let fact = Fact(opcode, at: key, reply: reply)
    facts.all.append(fact)
    knownFacts.append(fact)
  }

  private func checkForm(_ reply: [UInt8], of route: Route) {
    let forms = route.replyShape.fields.flatMap { FieldForm.of($0.shape) }
    let isRead = Reader.read(reply) { reader in
      reader.skip(fieldsOfForms: forms)
      return reader.isAtEnd
    }
    precondition((try? isRead.get()) == true, "\(route.name) replies what is no reply")
  }

  // MARK: Effects

  /// Brings effects to their receivers, each in its turn, and now and then twice.
  private func deliver(atMost countMax: Int) {
    for sender in ordered {
      for _ in 0..<countMax {
        guard let effect = sender.effects.first,
          deliver(effect, of: sender, isDoubled: source.choice(of: 8) == 7)
        else { break }
      }
    }
  }

  /// Returns false when the effect has to come again, and those behind it wait.
  private func deliver(
    _ effect: OutboxRow, of sender: any FuzzedCore, isDoubled: Bool
  ) -> Bool {
    let request = sender.engine.delivery(of: effect)
    guard let receiver = request.opcode.service.flatMap({ cores[$0] }) else {
      preconditionFailure("nobody takes an effect \(request.opcode)")
    }
    do {
      for _ in 0..<(isDoubled ? 2 : 1) { _ = try receiver.answer(request) }
      sender.settleFirstEffect(nil)
      return true
    } catch {
      guard let failure = error as? Failure else { preconditionFailure("\(error)") }
      precondition(failure.code != .unknownOperation, "\(request.opcode) is no operation")
      if failure.code.isTransient { return false }
      sender.settleFirstEffect(failure)
      return true
    }
  }
}
