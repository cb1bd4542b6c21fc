import Operations
import Wire

/// Operators and games' servers, who sign in by a secret that the gateway checks itself.
extension ClientSession {
  mutating func signInOperator(
    _ operation: SignInOperator, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    guard let secret = gateway.operatorSecret,
      gateway.equals(secret, Array(operation.secret.utf8))
    else { throw Failure(.invalidCredential, "The operator's secret is wrong.") }
    if !operation.game.isEmpty, let failure = GameName.failure(operation.game) { throw failure }
    become(.deploymentOperator, game: operation.game, gateway)
    finish(token, Empty().encoded, &gateway)
  }

  mutating func signInGameServer(
    _ operation: SignInGameServer, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    if let failure = GameName.failure(operation.game) { throw failure }
    let expected = gateway.keyring.gameServerCredential(game: operation.game)
    guard gateway.equals(Array(expected.utf8), Array(operation.credential.utf8)) else {
      throw Failure(.invalidCredential, "The game server's credential is wrong.")
    }
    become(.gameServer, game: operation.game, gateway)
    var started = SessionStarted()
    started.instance = caller.instance
    started.limits = gateway.clientLimits
    finish(token, started.encoded, &gateway)
  }

  private mutating func become(_ kind: PrincipalKind, game: String, _ gateway: GatewayState) {
    // The instance lives only as long as the connection: such callers do not repeat a lost call,
    // they make a new one.
    state = .trusted(
      Caller(
        principal: Principal(kind: kind, game: game, player: PlayerID(), device: DeviceID()),
        instance: gateway.random()))
  }

  mutating func credential(
    _ operation: GameServerCredential, _ token: CallToken, _ gateway: inout GatewayState
  ) throws(Failure) {
    if let failure = GameName.failure(operation.game) { throw failure }
    var reply = GameServerCredential.Reply()
    reply.credential = gateway.keyring.gameServerCredential(game: operation.game)
    finish(token, reply.encoded, &gateway)
  }
}
