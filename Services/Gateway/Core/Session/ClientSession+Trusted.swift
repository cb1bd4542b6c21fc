import Operations
import Wire

/// Operators and games' servers, who sign in by a secret that the gateway checks itself.
extension ClientSession {
  /// What they have shown.
  enum Grounds: Hashable {
    case deploymentOperator(OperatorIdentity)
    case gameServer(CredentialVersion)
  }

  mutating func signInOperator(
    _ operation: SignInOperator, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    try takeSignIn(&gateway)
    guard let identity = gateway.operators.identity(of: operation.secret, equals: gateway.equals)
    else { throw Failure(.invalidCredential, "The operator's secret is wrong.") }
    // The game need not be declared: the operator may have come to declare it.
    if !operation.game.isEmpty, let failure = GameName.failure(operation.game) { throw failure }
    var principal = Principal()
    (principal.kind, principal.game) = (.deploymentOperator, operation.game)
    principal.operatorName = identity.name
    begin(principal, .deploymentOperator(identity), client: operation.client, token, &gateway)
  }

  /// The game is declared, if games are: otherwise no operator could have asked for the credential.
  mutating func signInGameServer(
    _ operation: SignInGameServer, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    try takeSignIn(&gateway)
    if let failure = GameName.failure(operation.game) { throw failure }
    guard
      let version = gateway.keyring.version(
        of: operation.credential, ofServersOf: operation.game, equals: gateway.equals)
    else {
      throw Failure(.invalidCredential, "The game server's credential is wrong.")
    }
    var principal = Principal()
    (principal.kind, principal.game) = (.gameServer, operation.game)
    begin(principal, .gameServer(version), client: operation.client, token, &gateway)
  }

  /// - Parameter client: 0 from a client that does not repeat lost calls: its instance then ends
  ///   with the connection.
  private mutating func begin(
    _ principal: Principal, _ grounds: Grounds, client: UInt64, _ token: CallToken,
    _ gateway: inout GatewayState
  ) {
    let instance =
      client == 0
      ? gateway.random()
      : gateway.keyring.instance(of: client, principal)
    state = .trusted(
      Caller(principal: principal, instance: instance, endsWithConnection: client == 0), grounds)
    var started = TrustedSessionStarted()
    started.instance = instance
    started.limits = gateway.clientLimits
    finish(token, started.encoded, &gateway)
  }

  /// There are other keys or operators now: whoever could not sign in any more is out.
  public mutating func secretsChanged(_ gateway: inout GatewayState) {
    guard case .trusted(let caller, let grounds) = state else { return }
    let isGood =
      switch grounds {
      case .deploymentOperator(let identity): gateway.operators.isGood(identity)
      case .gameServer(let version):
        gateway.keyring.isGood(version, ofServersOf: caller.principal.game)
      }
    if !isGood { gateway.act(.close(reason: "what it has signed in with was revoked")) }
  }

  mutating func credential(
    _ operation: GameServerCredential, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    if let failure = GameName.failure(operation.game) { throw failure }
    carryOut(.credential, for: operation.game, token, &gateway)
  }
}
