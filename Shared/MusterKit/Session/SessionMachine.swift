/// Decides what a client does to have a session, and to keep it over lost connections.
///
/// Events go in, actions come out in the order in which to do them; there is no clock and no
/// connection in here. The idea: a greeting (sign-in or resume) is the first thing on every new
/// connection, and nothing else goes out until it was answered.
struct SessionMachine {
  enum Greeting: Equatable {
    case signIn(Identity)
    case resume(token: Bytes)
  }

  enum Action: Equatable {
    /// Send it; answer with `greeted` and the same number.
    case greet(Greeting, number: Int)
    /// Tell `retryIsDue` after this many milliseconds.
    case retry(after: UInt64)
    /// Close this connection and make another: it is not known what session this one has.
    case renewLink
    /// Calls may go out. Keys of another instance mean nothing any more.
    case ready(SessionStarted, isNewInstance: Bool)
    /// Whoever asked to sign in cannot.
    case refuse(Failure)
    /// There is no session any more: calls that need one fail.
    case ended(Failure)
    case post(ConnectionState)
  }

  enum Phase: Equatable {
    case signedOut
    /// For the link, or for the time of another attempt.
    case waiting
    case greeting(Greeting)
    case ready
    case closed
  }

  private(set) var phase = Phase.signedOut
  private(set) var isLinkUp = false
  private(set) var identity: Identity?
  private var token: Bytes?
  private var instance: UInt64?
  private var greetingNumber = 0
  private var failures = 0
  let retry: RetryPolicy

  init(retry: RetryPolicy = RetryPolicy()) { self.retry = retry }

  /// What may be sent now.
  var gate: CallBook.Gate {
    guard isLinkUp else { return .shut }
    switch phase {
    case .signedOut: return .anonymous
    case .ready: return .session
    case .waiting, .greeting, .closed: return .shut
    }
  }

  var isSignedOut: Bool { phase == .signedOut }

  // MARK: Wishes

  mutating func signIn(_ identity: Identity) -> [Action] {
    guard phase == .signedOut else {
      return [.refuse(Failure(.alreadyExists, "There is a session already; sign out first."))]
    }
    self.identity = identity
    failures = 0
    return [.post(.connecting)] + greet()
  }

  /// The session is over. When the server was not told, the connection still has it.
  mutating func signedOut(wasTold: Bool) -> [Action] {
    if phase == .signedOut || phase == .closed { return [] }
    return end(Failure(.notAuthenticated, "You have signed out.")) + (wasTold ? [] : [.renewLink])
  }

  /// Nobody waits for the sign-in any more.
  mutating func giveUp(_ failure: Failure) -> [Action] {
    guard phase != .signedOut, phase != .closed, instance == nil else { return [] }
    return end(failure) + [.renewLink, .refuse(failure)]
  }

  mutating func close() { phase = .closed }

  private mutating func end(_ failure: Failure) -> [Action] {
    phase = .signedOut
    (identity, token, instance) = (nil, nil, nil)
    greetingNumber += 1
    return [.ended(failure), .post(.signedOut)]
  }

  // MARK: The link

  mutating func linkUp() -> [Action] {
    isLinkUp = true
    return phase == .waiting ? greet() : []
  }

  mutating func linkDown(_ reason: String) -> [Action] {
    isLinkUp = false
    if phase == .signedOut || phase == .closed { return [] }
    phase = .waiting
    return [.post(.waiting(reason: reason))]
  }

  mutating func retryIsDue() -> [Action] {
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
  mutating func greeted(_ number: Int, _ result: Result<SessionStarted, Failure>) -> [Action] {
    guard number == greetingNumber, case .greeting(let greeting) = phase else { return [] }
    switch result {
    case .success(let started): return began(started)
    case .failure(let failure): return refused(greeting, failure)
    }
  }

  private mutating func began(_ started: SessionStarted) -> [Action] {
    // Instances of operators and game servers live only as long as their connection.
    let isNewInstance = instance != started.instance || identity?.kind != .player
    phase = .ready
    failures = 0
    instance = started.instance
    token = started.token.array.isEmpty ? nil : started.token
    return [.ready(started, isNewInstance: isNewInstance), .post(.connected)]
  }

  private mutating func refused(_ greeting: Greeting, _ failure: Failure) -> [Action] {
    switch failure.code {
    case .disconnected:
      // The link tells of its end by itself.
      phase = .waiting
      return []
    case .deadlineExceeded, .alreadyExists:
      // An earlier greeting may yet succeed, or has: only a fresh connection is sure to have none.
      phase = .waiting
      return [.post(.waiting(reason: failure.text)), .renewLink]
    case _ where failure.code.isTransient:
      phase = .waiting
      return [.post(.waiting(reason: failure.text)), .retry(after: delay(failure))]
    default: break
    }
    if case .resume = greeting {
      token = nil
      return greet()
    }
    // Last, so that whoever hears of it sees the state that it led to.
    return end(failure) + [.refuse(failure)]
  }

  private mutating func delay(_ failure: Failure) -> UInt64 {
    failures += 1
    let backoff = retry.delay(afterFailures: failures)
    return max(UInt64(failure.retryAfterMilliseconds), backoff)
  }

  /// The server gave a new token while the old one was still good.
  mutating func renewed(_ token: Bytes) {
    if phase == .ready { self.token = token }
  }

  /// The server ended the session: its token is worth nothing. The credential may still be good.
  mutating func revoked() -> [Action] {
    token = nil
    return []
  }
}

extension RetryPolicy {
  /// Milliseconds to wait after so many failures in a row, from 1; doubles up to `delayMax`.
  func delay(afterFailures count: Int) -> UInt64 {
    let most = max(delayMax.milliseconds, 1)
    return min(most, max(delayMin.milliseconds, 1) << UInt64(min(max(count, 1) - 1, 20)))
  }
}
