internal import Transport

extension ClientCore {
  func signIn(
    _ identity: Identity, within milliseconds: UInt64,
    done: @escaping (Result<SessionInfo, MusterError>) -> Void
  ) {
    if signIn != nil || !machine.isSignedOut {
      let text = "There is a session already; sign out first."
      done(.failure(MusterError(.alreadyExists, text)))
      return
    }
    do { try open() } catch { return done(.failure(error)) }
    (signIn, signInTrace) = ((now + milliseconds, done), nil)
    perform(machine.signIn(identity))
  }

  /// Gives up a sign-in for which nobody waits any more, or whose time is up.
  func giveUpSignIn(_ code: FailureCode) {
    if signIn == nil { return }
    let actions =
      code == .cancelled
      ? machine.giveUp(Failure(code, "The sign-in was cancelled."))
      : machine.signInExpired(link?.lastFailure?.text ?? "no answer")
    perform(actions)
  }

  func finishSignIn(_ result: Result<SessionInfo, MusterError>) {
    let (waiter, trace) = (signIn, signInTrace)
    (signIn, signInTrace) = (nil, nil)
    waiter?.done(
      result.mapError { error in
        var error = error
        error.trace = trace
        return error
      })
  }

  func signedOut(wasTold: Bool) { perform(machine.signedOut(wasTold: wasTold)) }

  /// Sends a greeting, the first call on a connection. `number` tells its answer from others.
  func greet(_ greeting: SessionMachine.Greeting, _ number: Int) {
    let call = greeting.call(game: configuration.game, place: follower.place)
    var envelope = call.envelope
    // All greetings of a sign-in that somebody waits for are one call to them.
    envelope.traceID = signInTrace ?? book.drawTrace()
    if signIn != nil { signInTrace = envelope.traceID }
    link?.call(
      call.opcode.rawValue, body: Enveloped.join(envelope, call.operation),
      deadlineMilliseconds: GreetingCall.deadlineMilliseconds
    ) { [weak self] result in
      guard let self else { return }
      perform(machine.greeted(number, call.started(result)))
    }
  }

  /// Begins to use a session that the server has begun or resumed: events and matches go on before
  /// the waiting calls are sent.
  func begin(_ started: SessionStarted, _ isNewInstance: Bool) {
    if isNewInstance { deliver(book.instanceReplaced()) }
    keep(started.limits)
    let info = info(started)
    status.session = info
    acknowledged = max(acknowledged, started.acknowledged)
    // If the server lost its store, the stream has begun anew and is shorter than before.
    settledThrough = min(settledThrough, started.streamEnd)
    followerBegan(started)
    for feed in feeds.values {
      begin(feed, acknowledged: started.acknowledged, removedThrough: started.removedThrough)
    }
    tendFeeds()
    welcome = info
    for match in matches.values { match.sessionBegan() }
    if info.kind == .player { perform(invites.began(at: started.time, now: now)) }
    if let player = info.player {
      perform(frictionless.began(player))
      claimAgain(as: player)
    }
  }

  /// Keeps to what the deployment allows. A time of 0, at which a ping would be due always, counts
  /// as not said.
  private func keep(_ limits: ClientLimits) {
    book.serverTakes(openCalls: Int(limits.openCallsMax))
    idleMilliseconds = limits.idleMilliseconds > 0 ? UInt64(limits.idleMilliseconds) : .max
    tendPing()
  }

  /// Asks sooner whether the connection still lives while a match is played.
  func tendPing() {
    guard let link else { return }
    let inMatch = matches.isEmpty ? UInt64.max : Self.matchPingMilliseconds
    link.pingMilliseconds = min(
      link.limits.pingMilliseconds, max(idleMilliseconds / 4, 1), inMatch)
  }

  private func info(_ started: SessionStarted) -> SessionInfo {
    let kind = machine.identity?.kind ?? .anonymous
    var game = configuration.game
    switch machine.identity {
    case .deploymentOperator(_, let named, _), .gameServer(let named, _, _): game = named
    case .player, nil: break
    }
    return SessionInfo(
      kind: kind, player: started.player.isNil ? nil : started.player,
      displayName: started.displayName, game: game, acknowledged: started.acknowledged,
      streamEnd: started.streamEnd, alias: started.alias)
  }

  /// Ends everything that belongs to the session.
  func end(_ failure: Failure, cause: FailureCode?) {
    // This comes first: whoever hears of the end below may look at the state, or begin something
    // anew.
    status.endSession()
    invites.ended()
    frictionless.ended()
    deliver(book.sessionEnded(failure, cause: cause))
    for feed in feeds.values { feed.stopWaiting() }
    for match in matches.values { match.end(.closed) }
    feeds = [:]
    matches = [:]
    follower = StreamFollower()
    acknowledged = 0
    settledThrough = 0
  }
}
