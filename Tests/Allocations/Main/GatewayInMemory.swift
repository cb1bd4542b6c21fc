import CAllocations
import Domain
import GatewayCore
import LeaderboardCore
import Operations
import ServiceKit
import Transport
import Wire

/// A gateway on this loop in front of one service: the session that ships, and around it what
/// `ClientConnection` does with a call that is passed on.
final class GatewayInMemory {
  /// A client's link to it.
  private(set) var link: Link!
  private let loop: Loop
  private let service: ServiceInMemory
  private var state: GatewayState
  private var performing: [ClientAction] = []
  private var writer = Writer()

  init(before service: ServiceInMemory, _ description: ServiceDescription, on loop: Loop) {
    self.loop = loop
    self.service = service
    state = GatewayState(
      keyring: Keyring(secret: []) { _, _ in [UInt8](repeating: 7, count: 32) },
      partitions: { _ in 1 },
      settings: SettingValues(GatewayState.settings, [.callsPerSecond: 1_000_000]),
      operatorSecret: nil, wallClock: { 1_700_000_000_000 },
      random: { 1 }, equals: { $0 == $1 }, hosts: HostCalls())
    state.routes.learn(description)
    // A frame comes in one piece, as it does out of a TLS record.
    let port = LocalPort(on: loop, chunkSize: WireLimits.clientFrameSizeMax) { [unowned self] in
      Client(self, $0)
    }
    link = Link(on: loop, to: port)
  }

  private final class Client: ConnectionDelegate {
    private unowned let gateway: GatewayInMemory
    private let connection: Connection
    private var session: ClientSession

    init(_ gateway: GatewayInMemory, _ connection: Connection) {
      self.gateway = gateway
      self.connection = connection
      session = ClientSession(SessionNumber(place: 0), host: .none)
    }

    func connectionReady(_ connection: Connection) {}
    func connectionClosed(_ connection: Connection, reason: CloseReason) {}
    func connection(_ connection: Connection, read byteCount: Int) {
      event { $0.read(byteCount: byteCount, &$1) }
    }
    func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
      event(frame: body) { _ = $0.received(header, body, &$1) }
    }

    private func event(
      frame: RawSpan = RawSpan(), _ tell: (inout ClientSession, inout GatewayState) -> Void
    ) {
      gateway.state.now = gateway.loop.monotonicMilliseconds
      tell(&session, &gateway.state)
      gateway.state.exchangeActions(&gateway.performing)
      for action in gateway.performing { perform(action, frame) }
      gateway.performing.removeAll(keepingCapacity: true)
    }

    private func perform(_ action: ClientAction, _ frame: RawSpan) {
      switch action {
      case .forward(let token, let bytes, _): bytes.read(in: frame) { forward(token, $0) }
      case .call(let call): gateway.loop.atEndOfTurn { [self] in letIn(call) }
      case .answer(let header, let body): connection.send(header, body: body)
      default: break
      }
    }

    private func forward(_ token: CallToken, _ operation: RawSpan) {
      gateway.writer.bytes.removeAll(keepingCapacity: true)
      let call = session.outgoing(token, envelope: &gateway.writer)
      gateway.service.link.forward(
        call.opcode.rawValue, prefix: gateway.writer.bytes, body: operation,
        deadlineMilliseconds: UInt64(call.deadlineMilliseconds)
      ) { [self] kind, body in
        if kind == .error, let failure = try? Failure(decoding: body) {
          event { $0.refused(token, failure, &$1) }
        } else if let header = session.replied(token, kind) {
          connection.send(header, body: body)
        }
      }
    }

    /// In the place of the request service, which knows every game and lets anybody in.
    private func letIn(_ call: ServiceCall) {
      var game = FetchGame.Reply()
      game.isDeclared = true
      var session = OpenSession.Reply()
      session.instance = 1
      let reply: [UInt8]
      switch call.opcode {
      case FetchGame.opcode: reply = game.encoded
      case OpenSession.opcode: reply = session.encoded
      default: preconditionFailure("only a sign-in calls a service here")
      }
      event { $0.answered(call, .success(reply), &$1) }
    }
  }
}

/// A player who submits scores to a board and asks for a rank on it, by the gateway.
struct GatewayPaths {
  private let gateway: GatewayInMemory
  private let board = "high-score"

  init(on loop: Loop) throws {
    let service = try ServiceInMemory(LeaderboardCore(), on: loop)
    var define = DefineLeaderboard()
    define.definition.board = board
    var envelope = ServiceEnvelope(
      PlayerID(), at: RoutingKey(game: "game", name: board), counter: 1)
    envelope.principal.kind = .gameServer
    service.link.call(
      DefineLeaderboard.opcode.rawValue, body: Enveloped.join(envelope, define.encoded),
      deadlineMilliseconds: 60_000
    ) { result in
      guard case .success = result else { preconditionFailure("no board: \(result)") }
    }
    gateway = GatewayInMemory(
      before: service, ServiceDescription(.leaderboard, .whole, LeaderboardCore().router), on: loop)
  }

  private var signIn: HotCall {
    var signIn = SignIn()
    (signIn.game, signIn.player) = ("game", PlayerID(high: 1, low: 1))
    return HotCall(signIn, ClientEnvelope())
  }

  private func score(_ number: Int, tail: [UInt8]) -> HotCall {
    var submit = SubmitScore()
    submit.board = board
    submit.value = Int64(number)
    var envelope = ClientEnvelope()
    let counter = 1 + UInt64(number)
    envelope.idempotency = IdempotencyKey(instance: 0, counter: counter, floor: counter)
    return HotCall(submit, envelope, tail: tail)
  }

  /// A read, so that every call costs the same.
  var rank: HotPath {
    var rank = RankOfPlayer()
    rank.board = board
    let call = HotCall(rank, ClientEnvelope())
    return HotPath(
      name: "rank by the gateway", link: gateway.link, setUp: [signIn, score(0, tail: [])]
    ) { [gateway] _, _ in withExtendedLifetime(gateway) { call } }
  }

  /// What is copied is longer than everything else that one of these calls allocates.
  var longSubmit: HotPath {
    let tail = [UInt8](repeating: 7, count: Int(MUSTER_LARGE_ALLOCATION_SIZE))
    return HotPath(
      name: "copies of a long body", link: gateway.link,
      counter: { muster_large_allocation_count() }, setUp: [signIn]
    ) { number, _ in score(number, tail: tail) }
  }
}
