import GatewayCore
import Operations
import Testing
import Wire

/// Who a client is, what it is told, and what becomes of its session.
@Suite struct ClientSessionTests {
  @Test("7.2 what may not be called is refused before anything is sent")
  func refusals() throws {
    var script = SessionScript()
    script.call(SubmitScore(on: "one"))
    script.call(SignOut())
    script.call(GetContext())
    #expect(
      script.take().failures.map(\.code) == [
        .notAuthenticated, .notAuthenticated, .unknownOperation,
      ])
    try script.signIn()
    script.call(SignIn())
    script.call(GameServerCredential())
    let done = script.take()
    #expect(done.failures.map(\.code) == [.alreadyExists, .notAllowed])
    #expect(done.failures.last?.text == "This is not open to callers of the kind player.")
    #expect(done.calls.isEmpty && done.forwards.isEmpty)
  }

  @Test("2.10 who is over the budget is held back, and no call is refused for it")
  func budget() {
    var script = SessionScript([.callsPerSecond: 1])
    for _ in 1...2 { script.call(Echo()) }
    #expect(script.session.takeHold() == 0)
    script.call(Echo())
    #expect(script.session.takeHold() == 1_000 && script.session.takeHold() == 0)
    #expect(script.take().failures.isEmpty)
    // After the hold there is none again, and nothing is owed.
    script.state.now += 1_000
    script.call(Echo())
    #expect(script.session.takeHold() == 1_000)
    script.state.now += 2_000
    script.call(Echo())
    #expect(script.session.takeHold() == 0 && script.take().failures.isEmpty)
  }

  @Test("2.10 frames that are no calls count, and bytes that are no frames")
  func otherFrames() throws {
    for isStranger in [true, false] {
      var script = SessionScript([.callsPerSecond: 20])
      if !isStranger { try script.signIn() }
      script.state.now += 10_000
      for _ in 1...40 { script.session.receivedOther(&script.state) }
      #expect(script.session.takeHold() == 0)
      script.session.receivedOther(&script.state)
      #expect(script.session.takeHold() == 50)
    }
    var script = SessionScript([.callsPerSecond: 20])
    try script.signIn()
    script.state.now += 10_000
    for _ in 1...(41 * GatewayLimits.callSizeCounted - 1) {
      script.session.read(byteCount: 1, &script.state)
    }
    #expect(script.session.takeHold() == 0)
    script.session.read(byteCount: 1, &script.state)
    #expect(script.session.takeHold() == 50)
  }

  @Test("2.10 bytes of strangers count with their host's, and those of players with the players'")
  func strangers() throws {
    final class Host {
      var bytes: [Int] = []
      var wait: UInt32?
    }
    let host = Host()
    var script = SessionScript(
      hosts: HostCalls(chargeStranger: { _, byteCount, _ in
        host.bytes.append(byteCount)
        return host.wait
      }))
    host.bytes = []
    script.session.read(byteCount: 700, &script.state)
    #expect(host.bytes == [700] && script.session.takeHold() == 0)
    host.wait = 300
    script.session.read(byteCount: 9, &script.state)
    #expect(host.bytes == [700, 9] && script.session.takeHold() == 300)
    try script.signIn()
    _ = script.session.takeHold()
    host.bytes = []
    script.session.read(byteCount: 700, &script.state)
    #expect(host.bytes.isEmpty && script.session.takeHold() == 0)
  }

  @Test("7.2 bytes that are no envelope are refused, and nothing else happens")
  func malformed() {
    var script = SessionScript()
    let header = FrameHeader(kind: .request, opcode: Echo.opcode.rawValue, correlation: 1)
    let admission = script.receive(header, [9, 9])
    #expect(admission == .refused && script.take().failures.map(\.code) == [.malformed])
  }

  @Test("7.2 an echo holds what was read, and what cannot be read is refused")
  func echo() throws {
    var script = SessionScript()
    let header = FrameHeader(kind: .request, opcode: Echo.opcode.rawValue, correlation: 1)
    var echo = Echo()
    echo.payload = Bytes([1, 2])
    for (operation, code) in [
      ([], nil), ([0, 0, 0, 255, 1, 2], .malformed), (echo.encoded + [7], nil),
    ] as [([UInt8], FailureCode?)] {
      _ = script.receive(header, Enveloped.join(ClientEnvelope(), operation))
      let done = script.take()
      #expect(done.failures.map(\.code) == (code.map { [$0] } ?? []))
      let replies = try done.answers.filter { $0.header.kind == .reply }
        .map { try Echo.Reply(decoding: $0.body).payload.array.count }
      #expect(replies == (code == nil ? [operation.isEmpty ? 0 : 2] : []))
    }
  }

  @Test(
    "7.2 what passes between processes is not told to clients",
    arguments: [FailureCode.wrongPartition, .outOfOrder, .factRequired, .disconnected])
  func between(code: FailureCode) throws {
    var script = SessionScript()
    try script.signIn()
    script.call(SubmitScore(on: "one"))
    let token = try #require(script.take().forwards.first)
    script.session.refused(token, Failure(code, "Between processes."), &script.state)
    #expect(script.take().failures.map(\.code) == [.unavailable])
    // Nor is it of a fact that a call rests on.
    script.call(FriendScores(on: "one"))
    let fetch = try #require(script.take().calls.first)
    script.answer(fetch, .failure(Failure(code, "Between processes.")))
    #expect(script.take().failures.map(\.code) == [.unavailable])
  }

  @Test("2.10 what is fetched for a call counts as calls: whoever causes much is held back")
  func costOfFacts() throws {
    var script = SessionScript([.callsPerSecond: 20])
    try script.signIn()
    script.state.now += 10_000
    // A burst of 40 calls, of which each of these counts as twenty and one.
    let friends = [UInt8](repeating: 1, count: 20 * GatewayLimits.factsSizeCounted)
    for _ in 1...2 {
      script.call(FriendScores(on: "one"))
      script.answer(try #require(script.take().calls.first), .success(friends))
      #expect(script.take().forwards.count == 1)
    }
    // Two more than there were.
    #expect(script.session.takeHold() == 100)
    script.call(SubmitScore(on: "one"))
    #expect(script.session.takeHold() == 150)
    script.state.now += 200
    script.call(SubmitScore(on: "one"))
    #expect(script.session.takeHold() == 0 && script.take().failures.isEmpty)
  }

  @Test("7.1 a client that rests keeps its open calls, and no answer to an older one is a later's")
  func rest() throws {
    var script = SessionScript()
    try script.signIn()
    let open = script.call(SubmitScore(on: "one"))
    script.session.rest()
    script.call(SubmitScore(on: "two"))
    let old = script.take().forwards
    #expect(script.session.replied(old[0], .reply)?.correlation == open)
    #expect(script.session.replied(old[1], .reply) != nil)
    script.session.rest()
    let later = ["three", "four"].map { script.call(SubmitScore(on: $0)) }
    let tokens = script.take().forwards
    let places = tokens.map { UInt32(truncatingIfNeeded: $0.rawValue) }
    #expect(places == [0, 1], "the places were released")
    #expect(old.allSatisfy { script.session.replied($0, .reply) == nil })
    #expect(tokens.map { script.session.replied($0, .reply)?.correlation } == later)
  }

  @Test("2.10 what comes for a call that has ended counts as well, and the debt is bounded")
  func costOfLateFacts() throws {
    var script = SessionScript([.callsPerSecond: 20])
    try script.signIn()
    let friends = [UInt8](repeating: 1, count: 20 * GatewayLimits.factsSizeCounted)
    for number in 1...8 { script.call(FriendScores(on: "board \(number)")) }
    let fetches = script.take().calls
    #expect(fetches.count == 8)
    script.state.now += 60_000
    script.session.timeHasPassed(&script.state)
    #expect(script.take().failures.count == 8)
    for fetch in fetches { script.answer(fetch, .success(friends)) }
    // 160 were used: the 40 that there were, and 40 are owed.
    #expect(script.session.takeHold() == 40 * 50)
    script.state.now += 41 * 50
    script.call(SubmitScore(on: "one"))
    #expect(script.session.takeHold() == 0 && script.take().failures.isEmpty)
  }

  @Test("7.2 a client is told at sign-in what the operator allows it")
  func limits() throws {
    var script = SessionScript([
      .callsPerSecond: 5, .clientIdle: 7, .partialFrame: 3, .callDeadline: 2,
    ])
    var signIn = SignIn()
    signIn.game = "demo"
    script.call(signIn)
    script.answer(
      try #require(script.take().calls.first), .success(SessionScript.opened().encoded))
    let reply = try #require(script.take().answers.first)
    let limits = try SessionStarted(decoding: reply.body).limits
    #expect(limits.callsPerSecond == 5 && limits.idleMilliseconds == 7_000)
    #expect(limits.partialFrameMilliseconds == 3_000 && limits.deadlineMilliseconds == 2_000)
    #expect(limits.openCallsMax == GatewayLimits.openCallsMax && limits.answersMax > 0)
    #expect(limits.frameBytesMax == WireLimits.clientFrameSizeMax)
  }

  @Test("2.8 an event that was pushed is not pushed again, also while the session begins")
  func cursor() throws {
    var script = SessionScript()
    var signIn = SignIn()
    signIn.game = "demo"
    signIn.player = SessionScript.player
    (signIn.cursor, signIn.cursorEvent) = (4, EventID(high: 3, low: 4))
    script.call(signIn)
    let open = try #require(script.take().calls.first)
    #expect(script.push(4) == .drop && script.push(5) == .send)
    var opened = SessionScript.opened()
    (opened.replayedThrough, opened.streamEnd, opened.time) = (7, 9, 1_000)
    script.answer(open, .success(opened.encoded))
    let started = try SessionStarted(decoding: try #require(script.take().answers.first).body)
    #expect(started.replayedThrough == 7 && started.streamEnd == 9 && started.time == 1_000)
    #expect(script.push(7) == .drop && script.push(8) == .send && script.push(8) == .drop)
  }

  @Test("2.8 a cursor without its event is refused, since it may be of another past")
  func cursorWithoutEvent() throws {
    var resume = Resume()
    var script = SessionScript()
    resume.token = try SessionScript.token(&script)
    resume.cursor = 9
    script = SessionScript()
    script.call(resume)
    var signIn = SignIn()
    (signIn.game, signIn.cursor) = ("demo", 9)
    script.call(signIn)
    (signIn.cursor, signIn.cursorEvent) = (nil, EventID(high: 3, low: 9))
    script.call(signIn)
    let failures = script.take().failures
    #expect(failures.allSatisfy { $0.code == .requiredArgument })
    #expect(failures.map(\.argument) == ["cursorEvent", "cursorEvent", "cursor"])
    #expect(failures.first?.text == "`cursor` (above 0) and `cursorEvent` go together.")
    resume.cursor = 0
    script.call(resume)
    #expect(script.take().calls.count == 1)
  }

  @Test("a sign-in that failed, or may have come through all the same, leaves nothing behind")
  func failedSignIn() throws {
    var script = SessionScript()
    let number = script.session.number
    var signIn = SignIn()
    signIn.game = "demo"
    script.call(signIn)
    script.answer(
      try #require(script.take().calls.first), .failure(Failure(.deadlineExceeded, "late")))
    let done = script.take()
    #expect(done.closedNumbers == [number] && script.session.number == number.successor)
    #expect(done.failures.map(\.code) == [.deadlineExceeded])
    try script.signIn()
    #expect(script.session.principal.kind == .player)
  }

  @Test("7.3 a session of an erased player can be ended")
  func signOutOfErased() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(SignOut())
    let question = try #require(script.take().calls.first)
    script.answer(question, .failure(Failure(.notAuthenticated, "The player was erased.")))
    #expect(script.take().failures.isEmpty && script.session.principal.kind == .anonymous)
  }

  @Test("7.3 an attempt whose player was erased is used up")
  func signUpOfErased() throws {
    var script = SessionScript()
    var signUp = SignUp()
    (signUp.attempt, signUp.displayName) = (RoutingKey(high: 1, low: 1), "Ada")
    script.call(signUp)
    let question = try #require(script.take().calls.first)
    script.answer(question, .failure(Failure(.notReachable, argument: "player", "")))
    #expect(script.take().failures.map(\.code) == [.alreadyExists])
  }

  @Test("a token is renewed when half of its life is over, and resumes the session")
  func renewal() throws {
    var script = SessionScript()
    try script.signIn()
    script.session.renewToken(&script.state)
    #expect(script.take().all.isEmpty)
    script.state.now += UInt64(script.state.tokenRenewalMilliseconds)
    script.session.renewToken(&script.state)
    let pushed = script.take().all.first
    guard case .push(SessionRenewed.opcode, let body) = pushed else {
      Issue.record("no token was pushed")
      return
    }
    script.session.renewToken(&script.state)
    #expect(script.take().all.isEmpty)
    var other = SessionScript()
    var resume = Resume()
    resume.token = try SessionRenewed(decoding: body).token
    other.call(resume)
    let open = try OpenSession(decoding: try #require(other.take().calls.first).body)
    #expect(open.instance == SessionScript.instance && open.player == SessionScript.player)
  }

  @Test("a token lives as long as the settings say")
  func tokenLifetime() throws {
    var script = SessionScript([.sessionTokenLifetime: 600])
    try script.signIn()
    script.state.now += 299_999
    script.session.renewToken(&script.state)
    #expect(script.take().all.isEmpty)
    script.state.now += 1
    script.session.renewToken(&script.state)
    guard case .push(SessionRenewed.opcode, let body) = script.take().all.first else {
      Issue.record("no token was pushed")
      return
    }
    let renewed = try SessionRenewed(decoding: body)
    #expect(renewed.expiresInSeconds == 600)
    let claims = try SessionToken.open(renewed.token, script.state.keyring, now: 0) { $0 == $1 }
    #expect(claims.expiresAt == 1_000_000 + 600_000)
  }

  @Test("a call without a deadline has that of the settings")
  func deadline() throws {
    var script = SessionScript([.callDeadline: 3])
    try script.signIn()
    script.call(SubmitScore(on: "one"))
    script.call(SubmitScore(on: "two"), deadline: 60_000)
    let deadlines = try script.take().forwards.map {
      try script.envelope($0).deadlineMilliseconds
    }
    #expect(deadlines == [3_000, 30_000])
  }

  @Test("2.9 a revoked session is the last thing that its connection hears of")
  func revoked() throws {
    var script = SessionScript()
    try script.signIn()
    let outcome = script.pushed(SessionRevoked.opcode, SessionRevoked().encoded)
    #expect(outcome == .sendAndFinish)
  }

  @Test("7.1 processes hear that a session has ended, and not just its connection")
  func endedInstances() throws {
    for canResume in [false, true] {
      var script = SessionScript()
      try script.signIn()
      var event = SessionRevoked()
      event.canResume = canResume
      _ = script.pushed(SessionRevoked.opcode, event.encoded)
      script.session.closed(&script.state)
      #expect(script.take().endedInstances == [canResume ? 0 : SessionScript.instance])
    }
    var script = SessionScript()
    try script.signIn()
    script.call(SignOut())
    script.answer(try #require(script.take().calls.first), .success(Empty().encoded))
    #expect(script.take().endedInstances == [SessionScript.instance])
    try script.signIn()
    script.session.closed(&script.state)
    #expect(script.take().endedInstances == [0], "the session can be resumed")
  }

  @Test("7.1 what a trusted client does not repeat later ends with its connection")
  func endedTrustedInstances() throws {
    for client in [0, 7] as [UInt64] {
      var script = SessionScript()
      var signIn = SignInOperator()
      (signIn.secret, signIn.game, signIn.client) = ("operator", "demo", client)
      script.call(signIn)
      var remove = RemoveScore()
      remove.board = "board 1"
      script.call(remove)
      script.session.closed(&script.state)
      let ended = script.take().endedInstances
      #expect(ended.count == 1 && (ended.first != 0) == (client == 0))
    }
  }

  @Test("a client that is far behind gets no hints, and everything else")
  func hints() throws {
    var script = SessionScript()
    try script.signIn()
    let most = GatewayLimits.hintBacklogBytesMax
    #expect(script.pushed(HintEvent.opcode, [], backlog: most) == .send)
    #expect(script.pushed(HintEvent.opcode, [], backlog: most + 1) == .drop)
    #expect(script.pushed(ServiceRestored.opcode, [], backlog: most + 1) == .send)
  }

  @Test("an operator and a game's server sign in by their secrets alone")
  func trusted() {
    var script = SessionScript()
    var wrong = SignInOperator()
    wrong.secret = "wrong"
    script.call(wrong)
    #expect(script.take().failures.map(\.code) == [.invalidCredential])
    var right = SignInOperator()
    right.secret = "operator"
    script.call(right)
    #expect(script.take().failures.isEmpty)
    #expect(script.session.principal.kind == .deploymentOperator)
    var server = SessionScript()
    var signIn = SignInGameServer()
    signIn.game = "demo"
    signIn.credential = server.state.keyring.gameServerCredential(game: "demo")
    server.call(signIn)
    #expect(server.take().failures.isEmpty && server.session.principal.kind == .gameServer)
  }

  @Test("7.1 the processes of operators and game servers keep their instance over connections")
  func trustedInstances() throws {
    func asOperator(_ client: UInt64, game: String = "demo") throws -> UInt64 {
      var signIn = SignInOperator()
      signIn.secret = "operator"
      signIn.game = game
      signIn.client = client
      return try instance(signIn)
    }
    func asServer(_ client: UInt64, game: String = "demo") throws -> UInt64 {
      var signIn = SignInGameServer()
      signIn.game = game
      signIn.credential = SessionScript().state.keyring.gameServerCredential(game: game)
      signIn.client = client
      return try instance(signIn)
    }
    let all = [
      try asOperator(5), try asOperator(6), try asOperator(5, game: "other"), try asServer(5),
      try asServer(6), try asServer(5, game: "other"),
    ]
    #expect(Set(all).count == all.count && !all.contains(0))
    #expect(try asOperator(5) == all[0] && asServer(5) == all[3])
    // A client that chooses no number gets another instance with each connection.
    #expect(try asOperator(0) == SessionScript.random)
    #expect(try asServer(0) == SessionScript.random)
  }

  /// Signs a new connection in; gives the instance that its calls have, which the client is told.
  private func instance<O: Operation>(_ signIn: O) throws -> UInt64
  where O.Reply == TrustedSessionStarted {
    var script = SessionScript()
    script.call(signIn)
    let started = try O.Reply(decoding: try #require(script.take().answers.first).body)
    script.call(RemoveScore())
    let call = try #require(script.take().forwards.first)
    #expect(try script.envelope(call).idempotency.instance == started.instance)
    return started.instance
  }

  @Test("7.2 processes get less time to tell their status than its caller has")
  func status() {
    var script = SessionScript()
    var signIn = SignInOperator()
    signIn.secret = "operator"
    script.call(signIn)
    _ = script.take()
    for (deadline, given) in [(1_000, 500), (30_000, 2_000)] as [(UInt32, UInt64)] {
      script.call(DeploymentStatus(), deadline: deadline)
      let times = script.take().all.compactMap { action -> UInt64? in
        if case .describeDeployment(_, let milliseconds) = action { milliseconds } else { nil }
      }
      #expect(times == [given])
    }
  }

  @Test("a number is never used again, whoever comes to its place")
  func numbers() {
    final class Client {
      let number: SessionNumber; init(_ number: SessionNumber) { self.number = number }
    }
    var table = SessionTable<Client>()
    let first = table.insert { Client($0) }
    let second = table.insert { Client($0) }
    #expect(first.number != second.number && first.number.rawValue != 0)
    table.remove(first.number.successor)
    let third = table.insert { Client($0) }
    #expect(third.number.place == first.number.place)
    #expect(third.number == first.number.successor.successor)
    #expect(table.count == 2 && table[place: second.number] === second)
    #expect(table.clients(from: 0, count: 1).next == 1)
    #expect(SessionNumber(rawValue: ~0 << 32 | 5).successor == SessionNumber(place: 5))
  }
}
