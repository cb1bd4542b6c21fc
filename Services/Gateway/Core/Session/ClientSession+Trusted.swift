import Operations
import Wire

/// Operators and games' servers, who sign in by a secret that the gateway checks itself.
extension ClientSession {
  mutating func signInOperator(
    _ operation: SignInOperator, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    try takeSignIn(&gateway)
    guard let secret = gateway.operatorSecret,
      gateway.equals(secret, Array(operation.secret.utf8))
    else { throw Failure(.invalidCredential, "The operator's secret is wrong.") }
    // The game need not be declared: the operator may have come to declare it.
    if !operation.game.isEmpty, let failure = GameName.failure(operation.game) { throw failure }
    begin(.deploymentOperator, game: operation.game, client: operation.client, token, &gateway)
  }

  /// The game is declared, if games are: otherwise no operator could have asked for the credential.
  mutating func signInGameServer(
    _ operation: SignInGameServer, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    try takeSignIn(&gateway)
    if let failure = GameName.failure(operation.game) { throw failure }
    guard
      gateway.keyring.isCredential(
        operation.credential, ofServersOf: operation.game, equals: gateway.equals)
    else {
      throw Failure(.invalidCredential, "The game server's credential is wrong.")
    }
    begin(.gameServer, game: operation.game, client: operation.client, token, &gateway)
  }

  /// - Parameter client: 0 from a client that does not repeat lost calls: its instance then ends
  ///   with the connection.
  private mutating func begin(
    _ kind: PrincipalKind, game: String, client: UInt64, _ token: CallToken,
    _ gateway: inout GatewayState
  ) {
    let instance =
      client == 0 ? gateway.random() : gateway.keyring.instance(of: client, kind, game: game)
    state = .trusted(
      Caller(
        principal: Principal(kind: kind, game: game, player: PlayerID(), device: DeviceID()),
        instance: instance, endsWithConnection: client == 0))
    var started = TrustedSessionStarted()
    started.instance = instance
    started.limits = gateway.clientLimits
    finish(token, started.encoded, &gateway)
  }

  mutating func credential(
    _ operation: GameServerCredential, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    if let failure = GameName.failure(operation.game) { throw failure }
    carryOut(.credential, for: operation.game, token, &gateway)
  }
}
