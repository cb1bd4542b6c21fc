import GatewayCore
import MusterKit
import Operations
import Wire

extension SimulatedClient {
  static let greetingMilliseconds: UInt32 = 10_000

  func signUp() {
    var operation = SignUp()
    operation.attempt = attempt
    operation.displayName = "Player"
    call(CallBook.Request(operation), within: Self.patience) { [self] result in
      guard case .success(let body) = result, let reply = try? SignUp.Reply(decoding: body) else {
        return deployment.fail("a sign-up was refused: \(result)")
      }
      credential = Credential(
        player: reply.player, device: reply.device, secret: reply.secret.array)
      signIn()
    }
  }

  func signIn() { perform(machine.signIn(identity)) }

  private var identity: Identity {
    switch kind {
    case .deploymentOperator:
      .deploymentOperator(
        secret: String(decoding: Deployment.operatorSecret, as: UTF8.self), game: Deployment.game)
    case .gameServer:
      .gameServer(
        game: Deployment.game,
        credential: deployment.keyring.gameServerCredential(game: Deployment.game))
    default:
      .player(credential ?? Credential(player: player, device: DeviceID(), secret: []))
    }
  }

  /// Ends the session and begins another one.
  func signOut() {
    call(CallBook.Request(SignOut()), within: Self.patience) { [self] result in
      perform(machine.signedOut(wasTold: (try? result.get()) != nil))
      later(schedule.number(0...100)) { [self] in
        if machine.isSignedOut { signIn() }
      }
    }
  }

  // MARK: What the session's machine says

  func perform(_ actions: [SessionMachine.Action]) {
    for action in actions {
      switch action {
      case .greet(let greeting, let number): greet(greeting, number)
      case .retry(let milliseconds):
        later(Int64(milliseconds)) { [self] in perform(machine.retryIsDue()) }
      case .renewLink: renewLine()
      case .ready(let started, let isNewInstance): begin(started, isNewInstance)
      case .refuse(let failure): deployment.fail("a sign-in was refused: \(failure)")
      case .ended(let failure):
        deliver(book.sessionEnded(failure))
        endEvents()
        endMatches()
      case .post: break
      }
    }
    pump()
  }

  /// The first thing on a connection.
  private func greet(_ greeting: SessionMachine.Greeting, _ number: Int) {
    switch greeting {
    case .resume(let token):
      var operation = Resume()
      operation.token = token
      operation.cursor = newestEvent
      greet(operation, number) { $0 }
    case .signIn(.player(let credential)):
      var operation = SignIn()
      operation.game = Deployment.game
      operation.player = credential.player
      operation.device = credential.device
      operation.secret = Bytes(credential.secret)
      operation.cursor = newestEvent
      greet(operation, number) { $0 }
    case .signIn(.deploymentOperator(let secret, let game)):
      var operation = SignInOperator()
      operation.secret = secret
      operation.game = game
      greet(operation, number) { _ in SessionStarted() }
    case .signIn(.gameServer(let game, let credential)):
      var operation = SignInGameServer()
      operation.game = game
      operation.credential = credential
      greet(operation, number) { $0 }
    }
  }

  private func greet<O: Operation>(
    _ operation: O, _ number: Int, _ started: @escaping (O.Reply) -> SessionStarted
  ) {
    var envelope = ClientEnvelope()
    envelope.deadlineMilliseconds = Self.greetingMilliseconds
    send(O.opcode, envelope, operation.encoded) { [self] result in
      let decoded: Result<SessionStarted, Failure> = result.flatMap { body in
        guard let reply = try? O.Reply(decoding: body) else {
          return .failure(Failure(.malformed, "The reply to \(O.name) cannot be read."))
        }
        return .success(started(reply))
      }
      perform(machine.greeted(number, decoded))
    }
  }

  private func begin(_ started: SessionStarted, _ isNewInstance: Bool) {
    if isNewInstance { deliver(book.instanceReplaced()) }
    instance = kind == .player ? started.instance : line?.trustedInstance ?? 0
    guard kind == .player else { return }
    newestEvent = started.streamEnd
    events.began(acknowledged: started.acknowledged, streamEnd: started.streamEnd)
    tendEvents()
    for match in openMatches { match.sessionBegan() }
  }
}
