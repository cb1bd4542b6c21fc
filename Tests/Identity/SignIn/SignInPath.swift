import Domain
import GatewayCore
import Identity
import Operations
import RequestCore
import TestKit
import Wire

/// The whole way of a sign-in without a socket: a client's session at the gateway, the desk that
/// verifies proofs, and the request service.
final class SignInPath {
  let core = CoreDriver<RequestCore>()
  var state: GatewayState
  private var desk: ProofDesk
  private var session: ClientSession
  private var correlation: UInt32 = 0
  /// What servers of others answer, by address; those that are not here cannot be reached.
  var documents: [String: [UInt8]] = [:]
  /// The addresses that were called.
  var calls: [String] = []
  /// Calls to the request service that are let through before the gateway is cut off from it.
  var serviceCallsLeft = Int.max
  /// Says who a proof is about, in place of the desk.
  var checks: ((ProofErrand) -> Result<CheckedProof, Failure>)?
  private let clock: Clock

  final class Clock {
    var now: Int64 = 0
    var random = RandomSource.seeded(9)
  }

  var now: Int64 {
    get { clock.now }
    set {
      clock.now = newValue
      core.clock = newValue
    }
  }

  init(
    _ providers: [String: IdentityProviders.Provider], now: Int64, questionsPerMinute: Int64 = 60
  ) {
    let clock = Clock()
    self.clock = clock
    let providers = IdentityProviders(providers, questionsPerMinute: questionsPerMinute)
    state = GatewayState(
      keyring: Keyring(secret: [7]) { digest($0 + [0] + $1) }, partitions: { _ in 1 },
      settings: SettingValues(GatewayState.settings, [.callsPerSecond: 1_000_000]),
      operatorSecret: Array("operator".utf8), providers: providers, wallClock: { clock.now },
      random: { clock.random.next() },
      equals: { $0 == $1 }, hosts: HostCalls())
    state.now = 1_000
    desk = ProofDesk(providers)
    session = ClientSession(SessionNumber(place: 1), host: PeerHost(ipv4: 0x0a00_0001))
    self.now = now
    core.clock = now
    try? declareGame()
  }

  private func declareGame() throws {
    try core.call(
      DeclareGame(), as: PlayerID(), key: RoutingKey(game: core.game), kind: .deploymentOperator)
  }

  /// Another connection takes the place of this one.
  func reconnect() {
    session.closed(&state)
    _ = take()
    session = ClientSession(SessionNumber(place: 1), host: PeerHost(ipv4: 0x0a00_0001))
  }

  @discardableResult
  func call<O: Wire.Operation>(_ operation: O) throws -> O.Reply {
    correlation += 1
    let request = FrameHeader(kind: .request, opcode: O.opcode.rawValue, correlation: correlation)
    let body = Enveloped.join(ClientEnvelope(), operation.encoded)
    _ = unsafe session.received(request, body.span.bytes, &state)
    var answer: (header: FrameHeader, body: [UInt8])?
    while true {
      let actions = take()
      if actions.isEmpty { break }
      for action in actions {
        switch action {
        case .answer(let header, let bytes) where header.correlation == correlation:
          answer = (header, bytes)
        case .verify(let token, let errand, _):
          session.verified(token, errand, check(errand), &state)
        case .call(let call): session.answered(call, ask(call), &state)
        default: break
        }
      }
    }
    guard let (header, bytes) = answer else { throw NoAnswer() }
    if header.kind == .error { throw try Failure(decoding: bytes) }
    return try O.Reply(decoding: bytes)
  }

  private func take() -> [ClientAction] {
    var actions: [ClientAction] = []
    state.exchangeActions(&actions)
    return actions
  }

  private func ask(_ call: ServiceCall) -> Result<[UInt8], Failure> {
    guard serviceCallsLeft > 0 else { return .failure(Failure(.unavailable, "cut off")) }
    serviceCallsLeft -= 1
    return answer(Request(opcode: call.opcode, envelope: call.envelope, body: call.body, link: 1))
  }

  private func answer(_ request: Request) -> Result<[UInt8], Failure> {
    do { return .success(try core.answer(request)) } catch let failure as Failure {
      return .failure(failure)
    } catch { preconditionFailure("\(error)") }
  }

  // MARK: The desk

  private func check(_ errand: ProofErrand) -> Result<CheckedProof, Failure> {
    if let checks { return checks(errand) }
    var errand = errand
    errand.arrival = now
    for _ in 0..<4 {
      switch desk.step(errand, now: now) {
      case .verify(let verification, let refresh):
        if let refresh { fetch(refresh) }
        return result { () throws(IdentityError) in try verification.run(now: self.now) }
      case .fetch(let order): fetch(order)
      case .ask(let question):
        calls.append(question.call.secretURL)
        guard let answer = documents[question.call.secretURL] else {
          return .failure(ProofFault.unavailable(until: nil).failure(now: now))
        }
        return result { () throws(IdentityError) in
          try question.read(answer, status: 200, now: self.now)
        }
      case .refuse(let fault): return .failure(fault.failure(now: now))
      case .wait: preconditionFailure("nothing is under way between two calls of a test")
      }
    }
    preconditionFailure("a proof is asked about again and again")
  }

  private func result(_ body: () throws(IdentityError) -> CheckedProof)
    -> Result<CheckedProof, Failure>
  {
    do throws(IdentityError) { return .success(try body()) } catch {
      return .failure(ProofFault.wrong(error).failure(now: now))
    }
  }

  private func fetch(_ order: ProofDesk.Order) {
    calls.append(order.fetch.url)
    _ = desk.fetched(
      order, document: documents[order.fetch.url], freshSeconds: 3600, now: now)
  }

  // MARK: What a client does

  /// A nonce for an attempt.
  func nonce(_ attempt: UInt64) throws -> String {
    try call(FetchNonce(for: Self.attempt(attempt))).nonce
  }

  static func attempt(_ number: UInt64) -> RoutingKey { RoutingKey(high: 0x77, low: number) }

  func proof(
    _ provider: String, _ token: String, nonce: String = "", attempt: UInt64
  ) -> IdentityProof {
    var proof = IdentityProof()
    (proof.provider, proof.attempt, proof.nonce) = (provider, Self.attempt(attempt), nonce)
    proof.token = Bytes(bytes(token))
    return proof
  }

  func signUp(_ proof: IdentityProof, name: String = "Ada") throws -> SignUpWithIdentity.Reply {
    var operation = SignUpWithIdentity()
    (operation.proof, operation.displayName) = (proof, name)
    operation.deviceName = "phone"
    return try call(operation)
  }

  /// Makes a call as the operator, on a connection of its own.
  func asOperator<O: Wire.Operation>(_ operation: O) throws -> O.Reply {
    reconnect()
    var signIn = SignInOperator()
    signIn.secret = "operator"
    _ = try call(signIn)
    defer { reconnect() }
    return try call(operation)
  }

  /// Begins a session, on a connection of its own.
  @discardableResult
  func signIn(_ credential: SignUpWithIdentity.Reply) throws -> SessionStarted {
    reconnect()
    var operation = SignIn()
    operation.game = core.game
    (operation.player, operation.device) = (credential.player, credential.device)
    operation.secret = credential.secret
    return try call(operation)
  }
}

struct NoAnswer: Error {}
