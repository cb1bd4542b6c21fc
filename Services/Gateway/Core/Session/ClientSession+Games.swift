import Operations
import Wire

/// What is done for declared games alone. Whether a game is declared, the request service knows; a
/// deployment without that service declares none, and there nothing is asked.
extension ClientSession {
  /// Carries out a call for a game, now or when the request service has said that the game is
  /// declared.
  mutating func carryOut(
    _ call: GameCall, for game: String, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    if gateway.declaredGames.has(game) || !gateway.has(.request) {
      carryOutDeclared(call, for: game, token, &gateway)
    } else if let (deadline, trace) = asking(for: token) {
      let question = FetchGame(game)
      ask(
        .game(game, call, token), FetchGame.opcode, question.encoded, key: question.key,
        as: principal, until: deadline, trace: trace, &gateway)
    }
  }

  /// Takes the answer to whether a game is declared.
  mutating func took(
    _ result: Result<FetchGame.Reply, Failure>, about game: String, for call: GameCall,
    _ token: CallToken, _ gateway: inout GatewayState
  ) {
    do throws(Failure) {
      guard try result.get().isDeclared else { throw .undeclared(game) }
      gateway.declaredGames.add(game)
      if let open = calls[token] { try check(open, now: gateway.now) }
      carryOutDeclared(call, for: game, token, &gateway)
    } catch {
      if case .open = call { endOpening(error, &gateway) }
      fail(token, error, &gateway)
      wake(&gateway)
    }
  }

  private mutating func carryOutDeclared(
    _ call: GameCall, for game: String, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    switch call {
    case .open(let open): begin(open, game: game, token, &gateway)
    case .credential:
      var reply = GameServerCredential.Reply()
      reply.credential = gateway.keyring.gameServerCredential(game: game)
      finish(token, reply.encoded, &gateway)
      gateway.act(.toldCredential(game: game))
    }
  }
}

/// What a client's call does for a game.
enum GameCall {
  /// Begins a player's session.
  case open(OpenSession)
  /// Tells the credential of the game's servers.
  case credential
}

extension Failure {
  fileprivate static func undeclared(_ game: String) -> Failure {
    Failure(.notFound, argument: "game", "No game of the name \"\(game)\" is declared here.")
  }
}
