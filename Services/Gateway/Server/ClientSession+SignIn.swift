import Domain
import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

/// Operations that the gateway answers itself: credentials, sessions and status.
extension ClientSession {
  func answerHere(_ call: ClientCall) {
    switch Opcode(rawValue: call.header.opcode) {
    case Echo.opcode: finish(call, .success(call.operation))
    case SignUp.opcode: decode(SignUp.self, call, isSignIn: true) { signUp($0, call) }
    case SignIn.opcode: decode(SignIn.self, call, isSignIn: true) { signIn($0, call) }
    case Resume.opcode: decode(Resume.self, call, isSignIn: true) { resume($0, call) }
    case SignOut.opcode: decode(SignOut.self, call) { _ in signOut(call) }
    case SignInOperator.opcode:
      decode(SignInOperator.self, call, isSignIn: true) { signInOperator($0, call) }
    case SignInGameServer.opcode:
      decode(SignInGameServer.self, call, isSignIn: true) { signInGameServer($0, call) }
    case GameServerCredential.opcode:
      decode(GameServerCredential.self, call) { credential($0, call) }
    case DeploymentStatus.opcode:
      decode(DeploymentStatus.self, call) { _ in status(call) }
    default:
      finish(
        call,
        .failure(
          Failure(
            .unknownOperation,
            "No operation has the opcode \(Opcode(rawValue: call.header.opcode)).")))
    }
  }

  private func decode<O: Operation>(
    _ type: O.Type, _ call: ClientCall, isSignIn: Bool = false, _ run: (O) -> Void
  ) {
    if isSignIn, let wait = node.takeSignIn(from: connection.address) {
      let failure = Failure(
        .rateLimited, "Too many sign-ins from this address.",
        retryAfterMilliseconds: UInt32(clamping: wait))
      finish(call, .failure(failure))
    } else if !O.access.allows(principal.kind) {
      let failure =
        O.access.contains(.anonymous)
        ? Failure(.alreadyExists, "This connection has a session already.") : refusal()
      finish(call, .failure(failure))
    } else if let operation = try? O(decoding: call.operation) {
      run(operation)
    } else {
      finish(call, .failure(Failure(.malformed, "The body of \(O.name) cannot be read.")))
    }
  }

  // MARK: Players

  private func signUp(_ operation: SignUp, _ call: ClientCall) {
    guard !operation.attempt.isNil else {
      let failure = Failure(.requiredArgument, argument: "attempt", "An attempt is required.")
      finish(call, .failure(failure))
      return
    }
    var reply = SignUp.Reply()
    reply.player = node.keyring.player(of: operation.attempt)
    reply.device = node.keyring.device(of: operation.attempt)
    reply.secret = Bytes(node.keyring.secret(of: operation.attempt))
    var register = RegisterDevice()
    register.player = reply.player
    register.device = reply.device
    register.secretHash = Bytes(node.keyring.secretHash(reply.secret.array))
    register.displayName = operation.displayName
    ask(register) { [self] result in finish(call, result.map { _ in reply.encoded }) }
  }

  private func signIn(_ operation: SignIn, _ call: ClientCall) {
    if let failure = GameName.failure(operation.game) {
      finish(call, .failure(failure))
      return
    }
    var open = OpenSession()
    open.player = operation.player
    open.device = operation.device
    open.secretHash = Bytes(node.keyring.secretHash(operation.secret.array))
    open.cursor = operation.cursor
    begin(open, game: operation.game, call)
  }

  private func resume(_ operation: Resume, _ call: ClientCall) {
    do {
      let claims = try SessionToken.open(
        operation.token, node.keyring, now: ProcessShell.clock(), equals: Crypto.constantTimeEquals)
      var open = OpenSession()
      open.player = claims.player
      open.device = claims.device
      open.instance = claims.instance
      open.cursor = operation.cursor
      begin(open, game: claims.game, call)
    } catch {
      finish(call, .failure(error))
    }
  }

  /// Asks the request service to begin the session; pushes may come before its answer does, and
  /// calls that came after this one wait for it.
  private func begin(_ open: OpenSession, game: String, _ call: ClientCall) {
    hold()
    let candidate = Principal(
      kind: .anonymous, game: game, player: open.player, device: open.device)
    principal = candidate
    pushedThrough = open.cursor ?? 0
    ask(open) { [self] result in
      switch result {
      case .success(let session):
        principal.kind = .player
        instance = session.instance
        pushedThrough = max(pushedThrough, session.replayedThrough)
        finish(call, .success(started(session).encoded))
        node.log.debug("signed in", ["player": playerText, "game": game])
      case .failure(let failure):
        endSession()
        finish(call, .failure(failure))
      }
      release()
    }
  }

  private func endSession() {
    principal = Principal()
    instance = 0
    node.renew(self)
  }

  private func token() -> Bytes {
    tokenIssuedAt = node.loop.monotonicMilliseconds
    var claims = SessionClaims()
    claims.game = principal.game
    claims.player = principal.player
    claims.device = principal.device
    claims.instance = instance
    claims.expiresAt = ProcessShell.clock() + GatewayLimits.tokenSeconds * 1000
    return SessionToken.issue(claims, node.keyring)
  }

  /// Sends a new token when the last one is half used up.
  func renewToken() {
    let age = node.loop.monotonicMilliseconds - tokenIssuedAt
    guard principal.kind == .player, age >= UInt64(GatewayLimits.tokenRenewalSeconds) * 1000 else {
      return
    }
    var renewed = SessionRenewed()
    renewed.token = token()
    renewed.expiresInSeconds = UInt32(GatewayLimits.tokenSeconds)
    push(opcode: SessionRenewed.opcode.rawValue, renewed.encoded)
  }

  private func started(_ session: OpenSession.Reply) -> SessionStarted {
    var started = SessionStarted()
    started.token = token()
    started.expiresInSeconds = UInt32(GatewayLimits.tokenSeconds)
    started.instance = session.instance
    started.player = principal.player
    started.displayName = session.displayName
    started.streamEnd = session.streamEnd
    started.acknowledged = session.acknowledged
    return started
  }

  private func signOut(_ call: ClientCall) {
    hold()
    var revoke = RevokeSession()
    revoke.player = principal.player
    revoke.instance = instance
    ask(revoke) { [self] result in
      if case .success = result { endSession() }
      finish(call, result.map { _ in Empty().encoded })
      release()
    }
  }

  /// Subscribes again at a process that started anew, from the last event that was pushed here, and
  /// lets the client announce what only that process's memory held.
  func restore(_ address: Peers.Address) {
    guard principal.kind == .player else { return }
    let restored = ServiceRestored(address.service)
    let home = node.peers.address(
      .request, slot: Slot.of(RoutingKey(reinterpreting: principal.player)))
    guard address == home else {
      push(opcode: ServiceRestored.opcode.rawValue, restored.encoded)
      return
    }
    var open = OpenSession()
    open.player = principal.player
    open.device = principal.device
    open.instance = instance
    open.cursor = pushedThrough
    ask(open) { [self] result in
      switch result {
      case .success: push(opcode: ServiceRestored.opcode.rawValue, restored.encoded)
      // Without its subscription the connection would stay silent: the client resumes instead.
      case .failure: connection.close(.refused("the session could not be restored"))
      }
    }
  }

  // MARK: Operators and games' servers

  private func signInOperator(_ operation: SignInOperator, _ call: ClientCall) {
    guard let secret = node.plan.operatorSecret,
      Crypto.constantTimeEquals(secret, Array(operation.secret.utf8))
    else {
      finish(call, .failure(Failure(.invalidCredential, "The operator's secret is wrong.")))
      return
    }
    if !operation.game.isEmpty, let failure = GameName.failure(operation.game) {
      finish(call, .failure(failure))
      return
    }
    become(.deploymentOperator, game: operation.game)
    finish(call, .success(Empty().encoded))
  }

  private func signInGameServer(_ operation: SignInGameServer, _ call: ClientCall) {
    if let failure = GameName.failure(operation.game) {
      finish(call, .failure(failure))
      return
    }
    let expected = Identifier<RoutingKind>.text(
      node.keyring.gameServerCredential(game: operation.game))
    guard Crypto.constantTimeEquals(Array(expected.utf8), Array(operation.credential.utf8)) else {
      finish(call, .failure(Failure(.invalidCredential, "The game server's credential is wrong.")))
      return
    }
    become(.gameServer, game: operation.game)
    var started = SessionStarted()
    started.instance = instance
    finish(call, .success(started.encoded))
  }

  private func become(_ kind: PrincipalKind, game: String) {
    principal = Principal(kind: kind, game: game, player: PlayerID(), device: DeviceID())
    // Lives as long as the connection: such callers repeat a lost call by making it again.
    instance = UInt64.random(in: 1 ... .max)
  }

  private func credential(_ operation: GameServerCredential, _ call: ClientCall) {
    if let failure = GameName.failure(operation.game) {
      finish(call, .failure(failure))
      return
    }
    var reply = GameServerCredential.Reply()
    reply.credential = Identifier<RoutingKind>.text(
      node.keyring.gameServerCredential(game: operation.game))
    finish(call, .success(reply.encoded))
  }

  private func status(_ call: ClientCall) {
    node.deploymentStatus { [self] processes in
      var reply = DeploymentStatus.Reply()
      reply.processes = processes
      finish(call, .success(reply.encoded))
    }
  }
}

extension Identifier {
  /// Bytes of any multiple of sixteen in the one text form.
  static func text(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 16)
      .compactMap { Self(bytes: Array(bytes[$0..<min($0 + 16, bytes.count)]))?.description }
      .joined()
  }
}
