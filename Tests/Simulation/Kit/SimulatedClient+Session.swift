import GatewayCore
import MusterKit
import Operations
import Wire

extension SimulatedClient {
  func signUp() {
    if let device { return signUp(with: device.subject) }
    var operation = SignUp()
    operation.attempt = attempt
    operation.displayName = displayName
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
        secret: String(decoding: Deployment.operatorSecret, as: UTF8.self), game: Deployment.game,
        client: schedule.random.next() | 1)
    case .gameServer:
      .gameServer(
        game: Deployment.game,
        credential: deployment.keyring.gameServerCredential(game: Deployment.game),
        client: schedule.random.next() | 1)
    default:
      .player(credential ?? Credential(player: player, device: DeviceID(), secret: []))
    }
  }

  /// Ends the session and begins another one.
  func signOut() {
    device?.hasLeft = true
    call(CallBook.Request(SignOut()), within: Self.patience) { [self] result in
      // Another session may have begun since, before this one was ended.
      device?.hasLeft = true
      perform(machine.signedOut(wasTold: (try? result.get()) != nil))
      later(schedule.number(0...100)) { [self] in
        if machine.isSignedOut, !hasLearned { signIn() }
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
      case .forgetPlace: forgetPlace()
      case .ready(let started, let isNewInstance): begin(started, isNewInstance)
      case .refuse(let failure, _) where failure.code == .banned:
        deployment.count(.signInsRefusedByBan)
        later(schedule.number(50...500)) { [self] in
          if machine.isSignedOut, !hasLearned { signIn() }
        }
      case .refuse(let failure, _) where isErasure(failure):
        deployment.count(.erasuresToldAtSignIn)
        learnErasure()
      case .refuse(let failure, _): deployment.fail("a sign-in was refused: \(failure)")
      case .ended(let failure, let cause):
        deliver(book.sessionEnded(failure, cause: cause))
        endEvents()
        endMatches()
      case .post: break
      }
    }
    pump()
  }

  /// The first thing on a connection.
  private func greet(_ greeting: SessionMachine.Greeting, _ number: Int) {
    hasGreetedBanned = greetsBanned
    let call = greeting.call(game: Deployment.game, place: placeToTell)
    send(call.opcode, call.envelope, call.operation) { [self] result in
      perform(machine.greeted(number, call.started(result)))
    }
  }

  private func begin(_ started: SessionStarted, _ isNewInstance: Bool) {
    if hasGreetedBanned && greetsBanned {
      deployment.fail("2.9 \(player) has a session, and is banned")
    }
    instance = started.instance
    // Whoever hears that a call has failed may make the next one.
    if isNewInstance { deliver(book.instanceReplaced()) }
    guard kind == .player else { return }
    beginEvents(started)
    for match in openMatches { match.sessionBegan() }
  }
}
