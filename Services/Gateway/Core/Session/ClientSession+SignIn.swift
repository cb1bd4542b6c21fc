import Domain
public import Operations
import Wire

/// Operations that the gateway answers itself: credentials, sessions and status.
extension ClientSession {
  mutating func answerHere(_ token: CallToken, _ gateway: inout GatewayState) {
    calls[token]?.stage = .underWay
    guard let call = calls[token] else { return }
    do throws(Failure) {
      guard let own = OwnOperation[call.opcode] else {
        throw Failure(.unknownOperation, "No operation has the opcode \(call.opcode).")
      }
      try own.answer(&self, call, token, &gateway)
    } catch {
      fail(token, error, &gateway)
    }
  }

  /// Decodes the operation of a call that the client may make.
  func decoded<O: Operation>(_ call: OpenCall) throws(Failure) -> O {
    guard O.access.allows(principal.kind) else {
      throw O.access.contains(.anonymous)
        ? Failure(.alreadyExists, "This connection has a session already.")
        : caller.refusal
    }
    guard let operation = try? O(decoding: call.operation) else {
      throw Failure(.malformed, "The body of \(O.name) cannot be read.")
    }
    return operation
  }

  /// Takes one sign-in from the budget of the client's host: what each sign-in and linked identity
  /// costs, whether it is right or not.
  func takeSignIn(_ gateway: inout GatewayState) throws(Failure) {
    guard let wait = gateway.hosts.takeSignIn(host, gateway.now) else { return }
    throw Failure(
      .rateLimited, "Too many sign-ins from this address.", retryAfterMilliseconds: wait)
  }

  /// Takes one sign-up from the budget of the client's host. It makes a player, who is kept.
  func takeSignUp(_ gateway: inout GatewayState) throws(Failure) {
    guard let wait = gateway.hosts.takeSignUp(host, gateway.now) else { return }
    throw Failure(
      .rateLimited, "Too many sign-ups from this address.", retryAfterMilliseconds: wait)
  }

  /// Asks every process for its status. They get half of the call's time, at most two seconds: a
  /// process that is down never answers, and the caller must hear of the others in time.
  mutating func describeDeployment(_ token: CallToken, _ gateway: inout GatewayState) {
    guard let call = calls[token] else { return }
    let milliseconds = min((call.deadline - gateway.now) / 2, GatewayLimits.statusMillisecondsMax)
    gateway.act(.describeDeployment(token, withinMilliseconds: milliseconds))
  }

  /// Answers a call with the status of every process of the deployment.
  public mutating func described(
    _ token: CallToken, _ processes: [ServiceStatus], _ gateway: inout GatewayState
  ) {
    var reply = DeploymentStatus.Reply()
    reply.processes = processes
    finish(token, reply.encoded, &gateway)
  }

  // MARK: The time to sign in

  /// The connection has opened; from now on it has so long until somebody signs in.
  public mutating func connected(_ gateway: inout GatewayState) {
    expectSignIn(&gateway)
    watchDeadlines(&gateway)
  }

  /// Whether nobody is signed in, or about to be.
  public var isStranger: Bool { if case .anonymous = state { true } else { false } }

  private mutating func expectSignIn(_ gateway: inout GatewayState) {
    signInDue = gateway.now + gateway.signInMilliseconds
  }

  /// Ends a connection on which nobody has signed in in time. A call under way is let finish: each
  /// that lasts has cost the address a sign-in.
  mutating func giveUpStranger(_ gateway: inout GatewayState) {
    guard isStranger, signInDue <= gateway.now else { return }
    if calls.count > 0 {
      signInDue = gateway.now + GatewayLimits.strangerLookMilliseconds
    } else {
      signInDue = .max
      gateway.act(.finish(reason: "nobody has signed in in time"))
    }
  }

  // MARK: Players

  mutating func signUp(
    _ operation: SignUp, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    try takeSignUp(&gateway)
    guard !operation.attempt.isNil else {
      throw Failure(.requiredArgument, argument: "attempt", "An attempt is required.")
    }
    var reply = SignUp.Reply()
    reply.player = gateway.keyring.player(of: operation.attempt)
    reply.device = gateway.keyring.device(of: operation.attempt)
    reply.secret = Bytes(gateway.keyring.secret(of: operation.attempt))
    var register = RegisterDevice()
    register.player = reply.player
    register.device = reply.device
    register.secretHash = gateway.keyring.secretHash(reply.secret.array)
    register.otherHashes = gateway.keyring.otherSecretHashes(reply.secret.array)
    register.displayName = operation.displayName
    register.deviceName = operation.deviceName
    ask(register, for: reply.player, .register(token, reply), token, &gateway)
  }

  mutating func signIn(
    _ operation: SignIn, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    try takeSignIn(&gateway)
    if let failure = GameName.failure(operation.game) { throw failure }
    try checkPlace(operation.cursor, operation.cursorEvent)
    var open = OpenSession()
    open.player = operation.player
    open.device = operation.device
    open.secretHashes = gateway.keyring.secretHashes(operation.secret.array)
    open.currentKeyNumber = gateway.keyring.deviceKeyNumber
    (open.cursor, open.cursorEvent) = (operation.cursor, operation.cursorEvent)
    prepare(open, game: operation.game, token)
    carryOut(.open(open), for: operation.game, token, &gateway)
  }

  mutating func resume(
    _ operation: Resume, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    let claims = try claims(of: operation.token, &gateway)
    try checkPlace(operation.cursor, operation.cursorEvent)
    var open = OpenSession()
    open.player = claims.player
    open.device = claims.device
    open.instance = claims.instance
    (open.cursor, open.cursorEvent) = (operation.cursor, operation.cursorEvent)
    prepare(open, game: claims.game, token)
    begin(open, game: claims.game, token, &gateway)
  }

  /// Opens a token. A right one takes from the player's budget of calls and nothing from that of
  /// the host: a thousand players of one school come back at once, and a token that was stolen
  /// buys no more than its player's calls do. A wrong one is a guess, and costs a sign-in.
  private func claims(of token: Bytes, _ gateway: inout GatewayState) throws(Failure)
    -> SessionClaims
  {
    let claims: SessionClaims
    do throws(Failure) {
      claims = try SessionToken.open(
        token, gateway.keyring, now: gateway.wallClock(), equals: gateway.equals)
    } catch {
      try takeSignIn(&gateway)
      throw error
    }
    let cost = min(GatewayLimits.resumptionCost, Int(gateway.callRate.burst))
    var place = 0
    guard let wait = gateway.takeCalls(cost, of: claims.player, at: &place) else { return claims }
    throw Failure(
      .rateLimited, "The player has come back too often.", retryAfterMilliseconds: wait)
  }

  /// A number alone may be of another past, and nothing would tell.
  private func checkPlace(_ cursor: UInt64?, _ event: EventID) throws(Failure) {
    if event.isNil == (cursor ?? 0 == 0) { return }
    throw Failure(
      .requiredArgument, argument: event.isNil ? "cursorEvent" : "cursor",
      "`cursor` (above 0) and `cursorEvent` go together.")
  }

  /// No other call is made until the session has begun, or the call has failed that begins it.
  private mutating func prepare(_ open: OpenSession, game: String, _ token: CallToken) {
    state = .opening(
      Player(
        principal: principal(of: open, game), instance: open.instance, tokenIssuedAt: 0,
        pushed: StreamPlace(open.cursor ?? 0, open.cursorEvent)),
      token)
  }

  private func principal(of open: OpenSession, _ game: String) -> Principal {
    Principal(kind: .player, game: game, player: open.player, device: open.device)
  }

  /// Asks the request service to begin the session.
  mutating func begin(
    _ open: OpenSession, game: String, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    ask(
      open, for: open.player, as: principal(of: open, game), .open(token), token, &gateway)
  }

  mutating func opened(
    _ token: CallToken, _ result: Result<OpenSession.Reply, Failure>,
    _ gateway: inout GatewayState
  ) {
    guard case .opening(var player, token) = state else {
      preconditionFailure("a session was opened on a connection that is \(state)")
    }
    switch result {
    case .success(let session):
      player.instance = session.instance
      if session.replayedThrough > player.pushed.sequence {
        player.pushed = StreamPlace(session.replayedThrough, session.replayedEvent)
      }
      var started = SessionStarted()
      started.token = player.issueToken(&gateway)
      started.expiresInSeconds = gateway.tokenSeconds
      started.instance = session.instance
      started.player = player.principal.player
      started.displayName = session.displayName
      started.alias = session.alias
      started.streamEnd = session.streamEnd
      started.acknowledged = session.acknowledged
      started.replayedThrough = session.replayedThrough
      started.limits = gateway.clientLimits
      started.replayedEvent = session.replayedEvent
      started.removedThrough = session.removedThrough
      started.time = session.time
      state = .player(player)
      finish(token, started.encoded, &gateway)
      gateway.act(.signedIn)
    case .failure(let failure):
      // The session may have begun all the same. What is pushed for it goes to the number that ends
      // here, and so to nobody.
      endOpening(failure, &gateway)
      fail(token, failure, &gateway)
    }
    wake(&gateway)
  }

  mutating func endOpening(_ failure: Failure, _ gateway: inout GatewayState) {
    endSession(&gateway)
    // Where a service is away, its players need not make new connections besides.
    if failure.code.isTransient { expectSignIn(&gateway) }
  }

  mutating func signOut(_ token: CallToken, _ gateway: inout GatewayState) {
    guard case .player(let player) = state else {
      return fail(token, caller.refusal, &gateway)
    }
    state = .closing(player, token)
    var revoke = RevokeSession()
    revoke.player = player.principal.player
    revoke.instance = player.instance
    ask(revoke, for: player.principal.player, .revoke(token), token, &gateway)
  }

  mutating func revoked(
    _ token: CallToken, _ result: Result<Empty, Failure>, _ gateway: inout GatewayState
  ) {
    guard case .closing(let player, token) = state else {
      preconditionFailure("a session was revoked on a connection that is \(state)")
    }
    // Of a player who was erased the session is over with the player.
    if case .failure(let failure) = result, failure.code != .notAuthenticated {
      state = .player(player)
      fail(token, failure, &gateway)
    } else {
      endSession(ending: player.instance, &gateway)
      expectSignIn(&gateway)
      finish(token, Empty().encoded, &gateway)
    }
    wake(&gateway)
  }
}

extension ClientSession.Player {
  /// A new token for the session.
  mutating func issueToken(_ gateway: inout GatewayState) -> Bytes {
    tokenIssuedAt = gateway.now
    var claims = SessionClaims()
    claims.game = principal.game
    claims.player = principal.player
    claims.device = principal.device
    claims.instance = instance
    claims.expiresAt = gateway.wallClock() + gateway.tokenLifetimeMilliseconds
    return SessionToken.issue(claims, gateway.keyring)
  }
}
