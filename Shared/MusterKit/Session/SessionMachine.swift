/// Decides what a client does to get a session, and to keep it over lost connections.
///
/// Events go in, and actions come out in the order in which to perform them; there is no clock and
/// no connection in here. The idea: a greeting (sign-in or resume) is the first call on every new
/// connection, and nothing else is sent until it was answered.
package struct SessionMachine {
  package enum Greeting: Equatable {
    case signIn(Identity)
    case resume(token: Bytes)
  }

  package enum Action: Equatable {
    /// Send the greeting, and call `greeted` with its answer and the same number.
    case greet(Greeting, number: Int)
    /// Call `retryIsDue` after this many milliseconds.
    case retry(after: UInt64)
    /// Close this connection and make another, because it is not known which session this one has.
    case renewLink
    /// Forget the place in the player's stream before the next greeting: the server has another
    /// stream.
    case forgetPlace
    /// Send calls from now on. With a new client instance, the keys of the old one mean nothing.
    case ready(SessionStarted, isNewInstance: Bool)
    /// Tell whoever asked to sign in that the sign-in failed, and how the server had refused it for
    /// a time.
    case refuse(Failure, cause: FailureCode? = nil)
    /// Let the calls that need a session fail: there is none any more.
    case ended(Failure, cause: FailureCode? = nil)
    /// Show this state to the game.
    case post(ConnectionState)
  }

  package enum Phase: Equatable {
    case signedOut
    /// Waits for the link to come up, or for the time of another attempt.
    case waiting
    /// Waits for the answer to a greeting.
    case greeting(Greeting)
    case ready
    case closed
  }

  package private(set) var phase = Phase.signedOut
  package private(set) var isLinkUp = false
  package private(set) var identity: Identity?
  private var token: Bytes?
  private var instance: UInt64?
  private var greetingNumber = 0
  private var failures = 0
  /// How the server has refused for a time to begin the session, as of the last greeting that it
  /// answered; nil where it has not.
  package private(set) var passingRefusal: PassingRefusal?
  /// Why the last greeting whose connection stood began no session; nil where none has failed.
  private var lastFailure: Failure?
  /// Since a session has begun.
  private var hasForgottenPlace = false
  /// Newer connections of the player have taken the place of this one.
  private var waitsForTurn = false
  package let retry: RetryPolicy

  package init(retry: RetryPolicy = RetryPolicy()) { self.retry = retry }

  /// Which calls may be sent now.
  package var gate: CallBook.Gate {
    guard isLinkUp else { return .shut }
    switch phase {
    case .signedOut: return .anonymous
    case .ready: return .session
    case .waiting, .greeting, .closed: return .shut
    }
  }

  package var isSignedOut: Bool { phase == .signedOut }

  // MARK: What the game asks for

  package mutating func signIn(_ identity: Identity) -> [Action] {
    guard phase == .signedOut else {
      return [.refuse(Failure(.alreadyExists, "There is a session already; sign out first."))]
    }
    self.identity = identity
    failures = 0
    (passingRefusal, lastFailure) = (nil, nil)
    return [.post(.connecting)] + greet()
  }

  /// Ends the session. If the server was not told, the connection is closed as well, because it
  /// still has the session.
  package mutating func signedOut(wasTold: Bool) -> [Action] {
    if phase == .signedOut || phase == .closed { return [] }
    return end(Failure(.notAuthenticated, "You have signed out.")) + (wasTold ? [] : [.renewLink])
  }

  /// Gives up a sign-in for which nobody waits any more. A session that has begun is not given up.
  package mutating func giveUp(_ failure: Failure, cause: FailureCode? = nil) -> [Action] {
    guard phase != .signedOut, phase != .closed, instance == nil else { return [] }
    return end(failure, cause: cause) + [.renewLink, .refuse(failure, cause: cause)]
  }

  /// Gives up a sign-in whose time is up. Where the server has refused it until now, nothing was
  /// done, and the refusal says why.
  ///
  /// - Parameter obstacle: why the server cannot be reached, where there is no connection.
  package mutating func signInExpired(_ obstacle: String) -> [Action] {
    // A greeting that is under way may have begun a session.
    if phase == .waiting, let refusal = passingRefusal, refusal.isLastWord {
      return giveUp(refusal.failure)
    }
    var text =
      isLinkUp
      ? "The server was reached, but no session began in time."
      : "The server could not be reached in time: \(obstacle)."
    if let refusal = passingRefusal {
      text += " Before: \(refusal.failure.text)"
    } else if isLinkUp, let lastFailure {
      text += " The last attempt: \(lastFailure.text)"
    }
    return giveUp(Failure(.deadlineExceeded, text), cause: passingRefusal?.failure.code)
  }

  package mutating func close() { phase = .closed }

  private mutating func end(_ failure: Failure, cause: FailureCode? = nil) -> [Action] {
    phase = .signedOut
    (identity, token, instance) = (nil, nil, nil)
    (passingRefusal, lastFailure) = (nil, nil)
    greetingNumber += 1
    return [.ended(failure, cause: cause), .post(.signedOut)]
  }

  // MARK: The link

  package mutating func linkUp() -> [Action] {
    isLinkUp = true
    guard phase == .waiting else { return [] }
    if waitsForTurn {
      waitsForTurn = false
      return [.retry(after: retry.delayMax.milliseconds)]
    }
    return greet()
  }

  package mutating func linkDown(_ reason: String) -> [Action] {
    isLinkUp = false
    passingRefusal?.isLastWord = false
    if phase == .signedOut || phase == .closed { return [] }
    phase = .waiting
    return [.post(.waiting(reason: reason))]
  }

  package mutating func retryIsDue() -> [Action] {
    guard phase == .waiting, isLinkUp else { return [] }
    return greet()
  }

  private mutating func greet() -> [Action] {
    guard isLinkUp, let identity else {
      phase = .waiting
      return []
    }
    let greeting = token.map { Greeting.resume(token: $0) } ?? .signIn(identity)
    phase = .greeting(greeting)
    greetingNumber += 1
    return [.post(.connecting), .greet(greeting, number: greetingNumber)]
  }
}

// MARK: Answers

extension SessionMachine {
  package mutating func greeted(_ number: Int, _ result: Result<SessionStarted, Failure>)
    -> [Action]
  {
    guard number == greetingNumber, case .greeting(let greeting) = phase else { return [] }
    switch result {
    case .success(let started): return began(started)
    case .failure(let failure):
      if failure.code != .disconnected {
        passingRefusal = failure.code.isPassingRefusal ? PassingRefusal(failure) : nil
        lastFailure = failure
      }
      return refused(greeting, failure)
    }
  }

  private mutating func began(_ started: SessionStarted) -> [Action] {
    // Every gateway names an instance. A 0 is no name: answers known by it may be another client's.
    let isNewInstance = instance != started.instance || started.instance == 0
    phase = .ready
    failures = 0
    (passingRefusal, lastFailure) = (nil, nil)
    hasForgottenPlace = false
    instance = started.instance
    token = started.token.array.isEmpty ? nil : started.token
    return [.ready(started, isNewInstance: isNewInstance), .post(.connected)]
  }

  private mutating func refused(_ greeting: Greeting, _ failure: Failure) -> [Action] {
    switch failure.code {
    case .disconnected:
      // `linkDown` follows and posts the state.
      phase = .waiting
      return []
    case .deadlineExceeded, .alreadyExists:
      // An earlier greeting on this connection may still succeed, or has succeeded. Only a new
      // connection is sure to have no session.
      phase = .waiting
      return [.post(.waiting(reason: failure.text)), .renewLink]
    case _ where failure.code.isTransient && !failure.isLeftOut:
      phase = .waiting
      return [.post(.waiting(reason: failure.text)), .retry(after: delay(failure))]
    case .cursorLost where !hasForgottenPlace:
      // The session is as it was, and its token is valid.
      hasForgottenPlace = true
      return [.forgetPlace] + greet()
    default: break
    }
    if case .resume = greeting {
      token = nil
      return greet()
    }
    // The refusal comes last, so that whoever hears of it sees the state after it.
    return end(failure) + [.refuse(failure)]
  }

  private mutating func delay(_ failure: Failure) -> UInt64 {
    failures += 1
    let backoff = retry.delay(afterFailures: failures)
    return max(UInt64(failure.retryAfterMilliseconds), backoff)
  }

  /// Takes a new token, which the server gave while the old one was still valid.
  package mutating func renewed(_ token: Bytes) {
    if phase == .ready { self.token = token }
  }

  /// Takes what the server says before it closes the connection. A session that its player has
  /// ended from another one, or that was ended by a ban, ends here as well: the client would come
  /// back by the credential otherwise, against somebody's wish.
  package mutating func revoked(_ event: SessionRevoked) -> [Action] {
    guard let failure = event.endsForGood, phase != .signedOut, phase != .closed else {
      revoked(canResume: event.canResume)
      return []
    }
    return end(failure)
  }

  /// Notes that the server closes the connection. Where it has ended the session the token is not
  /// valid any more; the credential may be, so the next connection signs in with it. Otherwise the
  /// session is resumed after a pause, since that pushes another connection out.
  package mutating func revoked(canResume: Bool) {
    if canResume { waitsForTurn = true } else { token = nil }
  }
}

extension SessionRevoked {
  /// Why there is no session any more, where nobody wants another one.
  fileprivate var endsForGood: Failure? {
    switch reason {
    case .endedByPlayer, .deviceRemoved, .erased: Failure(.notAuthenticated, text)
    case .banned:
      // From a server that does not say, nobody learns for how long.
      Failure(.banned, text, detail: ban.map { Bytes($0.encoded) } ?? Bytes())
    default: nil
    }
  }
}

extension RetryPolicy {
  /// Returns the milliseconds to wait after `count` failures in a row; doubles up to `delayMax`.
  func delay(afterFailures count: Int) -> UInt64 {
    let most = max(delayMax.milliseconds, 1)
    return min(most, max(delayMin.milliseconds, 1) << UInt64(min(max(count, 1) - 1, 20)))
  }
}
