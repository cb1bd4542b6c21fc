import Operations
import Testing
import Wire

@testable import MusterKit

@Suite("Session machine")
struct SessionMachineTests {
  typealias Action = SessionMachine.Action

  var machine = SessionMachine()
  static let identity = Identity.player(
    Credential(player: PlayerID(high: 1, low: 1), device: DeviceID(high: 2, low: 2), secret: [3]))

  static func started(_ instance: UInt64, token: [UInt8] = [9]) -> SessionStarted {
    var started = SessionStarted()
    started.instance = instance
    started.token = Bytes(token)
    return started
  }

  /// The greeting among the actions, with its number.
  func greeting(_ actions: [Action]) -> (greeting: SessionMachine.Greeting, number: Int)? {
    for case .greet(let greeting, let number) in actions { return (greeting, number) }
    return nil
  }

  mutating func signedIn() throws {
    _ = machine.linkUp()
    let greet = try #require(greeting(machine.signIn(Self.identity)))
    #expect(greet.greeting == .signIn(Self.identity))
    let actions = machine.greeted(greet.number, .success(Self.started(5)))
    #expect(actions == [.ready(Self.started(5), isNewInstance: true), .post(.connected)])
  }

  @Test("A sign-in waits for the connection")
  mutating func waits() throws {
    #expect(machine.gate == .shut)
    #expect(greeting(machine.signIn(Self.identity)) == nil)
    #expect(greeting(machine.linkUp()) != nil)
    #expect(machine.gate == .shut)
  }

  @Test("A new connection is resumed before any call goes out")
  mutating func resumes() throws {
    try signedIn()
    #expect(machine.gate == .session)
    #expect(machine.linkDown("gone") == [.post(.waiting(reason: "gone"))])
    #expect(machine.gate == .shut)
    let greet = try #require(greeting(machine.linkUp()))
    #expect(greet.greeting == .resume(token: Bytes([9])))
    #expect(machine.gate == .shut)
    let actions = machine.greeted(greet.number, .success(Self.started(5, token: [10])))
    #expect(actions.first == .ready(Self.started(5, token: [10]), isNewInstance: false))
    #expect(machine.gate == .session)
  }

  @Test("A token that was renewed is the one to resume with")
  mutating func renewed() throws {
    try signedIn()
    machine.renewed(Bytes([11]))
    _ = machine.linkDown("gone")
    let greet = try #require(greeting(machine.linkUp()))
    #expect(greet.greeting == .resume(token: Bytes([11])))
  }

  @Test(
    "An expired or revoked token falls back to the credential",
    arguments: [
      FailureCode.sessionExpired, .invalidCredential,
    ])
  mutating func expired(code: FailureCode) throws {
    try signedIn()
    _ = machine.linkDown("")
    let resume = try #require(greeting(machine.linkUp()))
    let again = try #require(
      greeting(machine.greeted(resume.number, .failure(Failure(code, "")))))
    #expect(again.greeting == .signIn(Self.identity))
    let actions = machine.greeted(again.number, .success(Self.started(6)))
    #expect(actions.first == .ready(Self.started(6), isNewInstance: true))
  }

  @Test("A wrong credential ends the sign-in")
  mutating func wrong() throws {
    _ = machine.linkUp()
    let greet = try #require(greeting(machine.signIn(Self.identity)))
    let failure = Failure(.invalidCredential, "wrong")
    #expect(
      machine.greeted(greet.number, .failure(failure))
        == [.ended(failure), .post(.signedOut), .refuse(failure)])
    #expect(machine.gate == .anonymous)
  }

  @Test("7.2 where the deployment runs no request service, the sign-in ends at once")
  mutating func leftOut() throws {
    _ = machine.linkUp()
    let greet = try #require(greeting(machine.signIn(Self.identity)))
    let failure = Failure.leftOut(.request)
    #expect(
      machine.greeted(greet.number, .failure(failure))
        == [.ended(failure), .post(.signedOut), .refuse(failure)])
  }

  @Test("What passes is tried again, with growing pauses")
  mutating func retries() throws {
    _ = machine.linkUp()
    var greet = try #require(greeting(machine.signIn(Self.identity)))
    var pauses: [UInt64] = []
    for _ in 0..<3 {
      let actions = machine.greeted(greet.number, .failure(Failure(.unavailable, "")))
      for case .retry(let pause) in actions { pauses.append(pause) }
      greet = try #require(greeting(machine.retryIsDue()))
    }
    #expect(pauses == [50, 100, 200])
  }

  @Test("why the server refuses a session for a time is known until it answers otherwise")
  mutating func passingRefusal() throws {
    _ = machine.linkUp()
    var greet = try #require(greeting(machine.signIn(Self.identity)))
    for (code, isKnown) in [
      (FailureCode.storageFull, true), (.disconnected, true), (.unavailable, false),
      (.backpressure, true), (.deadlineExceeded, false), (.rateLimited, true),
    ] {
      _ = machine.greeted(greet.number, .failure(Failure(code, "\(code)")))
      #expect((machine.passingRefusal != nil) == isKnown, "\(code)")
      if isKnown && code != .disconnected { #expect(machine.passingRefusal?.failure.code == code) }
      greet = try #require(greeting(machine.retryIsDue()))
    }
    _ = machine.greeted(greet.number, .success(Self.started(5)))
    #expect(machine.passingRefusal == nil)
  }

  @Test("a sign-in that was refused until its time was up fails so, if the connection stood since")
  mutating func refusedUntilDeadline() throws {
    let full = Failure(.storageFull, "The disk is full.")
    let late = Failure(
      .deadlineExceeded, "The server could not be reached in time: gone. Before: The disk is full.")
    for isLost in [false, true] {
      machine = SessionMachine()
      _ = machine.linkUp()
      let greet = try #require(greeting(machine.signIn(Self.identity)))
      _ = machine.greeted(greet.number, .failure(full))
      if isLost { _ = machine.linkDown("gone") }
      let failure = isLost ? late : full
      let cause: FailureCode? = isLost ? .storageFull : nil
      #expect(
        machine.signInExpired("gone") == [
          .ended(failure, cause: cause), .post(.signedOut), .renewLink,
          .refuse(failure, cause: cause),
        ])
      #expect(machine.passingRefusal == nil)
    }
  }

  @Test("a sign-in whose time is up while it is tried again may have begun a session")
  mutating func refusedBeforeAnotherGreeting() throws {
    _ = machine.linkUp()
    let greet = try #require(greeting(machine.signIn(Self.identity)))
    _ = machine.greeted(greet.number, .failure(Failure(.storageFull, "The disk is full.")))
    _ = try #require(greeting(machine.retryIsDue()))
    guard case .refuse(let failure, let cause) = machine.signInExpired("none").last else {
      Issue.record("nothing is refused")
      return
    }
    #expect(failure.code == .deadlineExceeded && cause == .storageFull)
    #expect(failure.text.hasSuffix("Before: The disk is full."))
  }

  @Test("a sign-in that the server does not answer, or fails, does not say that it is not there")
  mutating func reachedWithoutSession() throws {
    func text(_ actions: [Action]) -> String? {
      guard case .refuse(let failure, nil) = actions.last else { return nil }
      return failure.text
    }
    let away = Failure(.unavailable, "The request service cannot be reached.")
    _ = machine.linkUp()
    let greet = try #require(greeting(machine.signIn(Self.identity)))
    let reached = "The server was reached, but no session began in time."
    var silent = machine
    let silence = text(silent.signInExpired("none"))
    #expect(silence == reached)
    _ = machine.greeted(greet.number, .failure(away))
    var lost = machine
    _ = lost.linkDown("gone")
    let loss = text(lost.signInExpired("gone"))
    #expect(loss == "The server could not be reached in time: gone.")
    let failed = text(machine.signInExpired("none"))
    #expect(failed == "\(reached) The last attempt: \(away.text)")
    // The next sign-in knows nothing of it.
    _ = machine.signIn(Self.identity)
    let next = text(machine.signInExpired("none"))
    #expect(next == reached)
  }

  @Test("a new connection brings no refusal back; a new refusal counts on it")
  mutating func refusedOnNewConnection() throws {
    let full = Failure(.storageFull, "The disk is full.")
    _ = machine.linkUp()
    var greet = try #require(greeting(machine.signIn(Self.identity)))
    _ = machine.greeted(greet.number, .failure(full))
    _ = machine.linkDown("gone")
    greet = try #require(greeting(machine.linkUp()))
    #expect(machine.passingRefusal?.isLastWord == false)
    _ = machine.greeted(greet.number, .failure(full))
    #expect(machine.passingRefusal?.isLastWord == true)
  }

  @Test("After a greeting without an answer only a fresh connection will do")
  mutating func unanswered() throws {
    _ = machine.linkUp()
    let greet = try #require(greeting(machine.signIn(Self.identity)))
    let actions = machine.greeted(greet.number, .failure(Failure(.deadlineExceeded, "")))
    #expect(actions.contains(.renewLink))
    // The answer that comes after all is not for anyone.
    #expect(machine.greeted(greet.number, .success(Self.started(5))).isEmpty)
  }

  @Test("A revoked session is not resumed")
  mutating func revoked() throws {
    try signedIn()
    machine.revoked(canResume: false)
    _ = machine.linkDown("")
    #expect(greeting(machine.linkUp())?.greeting == .signIn(Self.identity))
  }

  @Test(
    "7.2 a session that was ended for good is not begun again",
    arguments: [SessionEnd.endedByPlayer, .deviceRemoved, .banned, .erased])
  mutating func endedForGood(reason: SessionEnd) throws {
    try signedIn()
    let failure = Failure(reason == .banned ? .banned : .notAuthenticated, "Over.")
    #expect(
      machine.revoked(SessionRevoked(reason, "Over.")) == [.ended(failure), .post(.signedOut)])
    #expect(machine.linkDown("").isEmpty && machine.linkUp().isEmpty)
    #expect(machine.revoked(SessionRevoked(reason, "Over.")).isEmpty, "there is none")
  }

  @Test("7.2 who is banned while connected learns for how long, and from which game")
  mutating func bannedWhileConnected() throws {
    try signedIn()
    var event = SessionRevoked(.banned, "Over.")
    var ban = Ban()
    (ban.game, ban.until) = ("chess", 7)
    event.ban = ban
    let failure = Failure(.banned, "Over.", detail: Bytes(ban.encoded))
    #expect(machine.revoked(event) == [.ended(failure), .post(.signedOut)])
  }

  @Test(
    "2.8 a session that made room for newer ones begins anew",
    arguments: [SessionEnd.unspecified, .signedOut, .newerSessions])
  mutating func begunAnew(reason: SessionEnd) throws {
    try signedIn()
    #expect(machine.revoked(SessionRevoked(reason, "")).isEmpty)
    _ = machine.linkDown("")
    #expect(greeting(machine.linkUp())?.greeting == .signIn(Self.identity))
  }

  @Test("2.8 a session whose connection made room for newer ones is resumed, after a pause")
  mutating func makesRoom() throws {
    try signedIn()
    machine.revoked(canResume: true)
    _ = machine.linkDown("")
    #expect(machine.linkUp() == [.retry(after: 2_000)])
    #expect(greeting(machine.retryIsDue())?.greeting == .resume(token: Bytes([9])))
    _ = machine.linkDown("")
    #expect(greeting(machine.linkUp()) != nil, "the pause was made")
  }

  @Test("2.8 a place that the server does not know is forgotten, once, and the session goes on")
  mutating func forgetsPlace() throws {
    try signedIn()
    _ = machine.linkDown("")
    let lost = Failure(.cursorLost, argument: "cursor", "")
    let resume = try #require(greeting(machine.linkUp()))
    let actions = machine.greeted(resume.number, .failure(lost))
    #expect(actions.first == .forgetPlace)
    let again = try #require(greeting(actions))
    #expect(again.greeting == .resume(token: Bytes([9])))
    _ = machine.greeted(again.number, .success(Self.started(5)))
    _ = machine.linkDown("")
    let later = try #require(greeting(machine.linkUp()))
    let second = try #require(greeting(machine.greeted(later.number, .failure(lost))))
    // A server that refuses a greeting without a place is not asked for ever.
    let third = try #require(greeting(machine.greeted(second.number, .failure(lost))))
    #expect(third.greeting == .signIn(Self.identity))
    #expect(machine.greeted(third.number, .failure(lost)).last == .refuse(lost))
  }

  @Test(
    "7.1 Operators and game servers sign in again, and keep their keys with their instance",
    arguments: [
      (Identity.deploymentOperator(secret: "s", game: "", client: 1), UInt64(5), UInt64(5), false),
      (.gameServer(game: "g", credential: "c", client: 1), 5, 5, false),
      (.gameServer(game: "g", credential: "c", client: 1), 5, 6, true),
      // A server that keeps no instances for them.
      (.deploymentOperator(secret: "s", game: "", client: 1), 0, 0, true),
    ])
  mutating func trusted(identity: Identity, first: UInt64, second: UInt64, isNew: Bool) throws {
    _ = machine.linkUp()
    var greet = try #require(greeting(machine.signIn(identity)))
    _ = machine.greeted(greet.number, .success(Self.started(first, token: [])))
    _ = machine.linkDown("")
    greet = try #require(greeting(machine.linkUp()))
    #expect(greet.greeting == .signIn(identity))
    let again = Self.started(second, token: [])
    let actions = machine.greeted(greet.number, .success(again))
    #expect(actions.first == .ready(again, isNewInstance: isNew))
  }

  @Test("Only one session at a time; after signing out another may begin")
  mutating func signOut() throws {
    try signedIn()
    guard case .refuse(let failure, nil) = machine.signIn(Self.identity).first else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .alreadyExists)
    #expect(machine.signedOut(wasTold: false).last == .renewLink)
    #expect(machine.isSignedOut)
    #expect(greeting(machine.signIn(Self.identity))?.greeting == .signIn(Self.identity))
  }

  @Test("Giving up a sign-in leaves nothing behind")
  mutating func givesUp() throws {
    _ = machine.signIn(Self.identity)
    let failure = Failure(.deadlineExceeded, "late")
    #expect(machine.giveUp(failure).last == .refuse(failure))
    #expect(greeting(machine.linkUp()) == nil)
    // A session that is there is not given up.
    try signedIn()
    #expect(machine.giveUp(failure).isEmpty)
  }
}
