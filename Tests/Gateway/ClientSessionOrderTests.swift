import GatewayCore
import Operations
import Testing
import Wire

/// Which calls of a client wait for which.
@Suite struct ClientSessionOrderTests {
  private static let friends = Result<[UInt8], Failure>.success(FetchFriends.Reply().encoded)
  private static let down = Result<[UInt8], Failure>.failure(Failure(.disconnected, "down"))

  @Test("3.5 4.3 while facts are fetched only later calls to the same key wait")
  func sameKey() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"))
    script.call(SubmitScore(on: "one"))
    script.call(SubmitScore(on: "two"))
    script.call(SendMatchData())
    let first = script.take()
    #expect(first.calls.map(\.opcode) == [FetchFriends.opcode])
    #expect(first.forwards.count == 2, "match data and the other board go on")
    #expect(try script.boards(Array(first.forwards.prefix(1))) == ["s two"])
    script.answer(first.calls[0], Self.friends)
    #expect(try script.boards(script.take().forwards) == ["f one", "s one"])
  }

  @Test("3.5 live data passes calls to its own key that wait for facts, but no sign-out")
  func liveDataPasses() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"))
    script.call(SendMatchData())
    #expect(script.take().forwards.count == 1)
    script.call(SignOut())
    script.call(SendMatchData())
    #expect(script.take().forwards.isEmpty, "it comes after the sign-out, which waits")
  }

  @Test("3.5 live data that came with the sign-in goes before what comes later")
  func liveDataKeepsOrder() throws {
    var script = SessionScript()
    var signIn = SignIn()
    signIn.game = "demo"
    (signIn.player, signIn.device) = (SessionScript.player, SessionScript.device)
    script.call(signIn)
    let opening = try #require(script.take().calls.first)
    script.call(SwitchContext())
    let first = script.call(SendMatchData())
    script.answer(opening, .success(SessionScript.opened().encoded))
    let second = script.call(SendMatchData())
    let done = script.take()
    #expect(done.calls.map(\.opcode) == [FetchFriends.opcode], "the switch waits for its fact")
    let order = done.forwards.map { script.session.replied($0, .reply)?.correlation }
    #expect(order == [first, second])
  }

  @Test("4.3 calls to one key go on in the order they came, through facts and what they lack")
  func order() throws {
    var script = SessionScript()
    try script.signIn()
    for _ in 1...2 {
      script.call(FriendScores(on: "one"))
      script.call(SubmitScore(on: "one"))
    }
    let first = script.take()
    #expect(first.calls.count == 1 && first.forwards.isEmpty)
    script.answer(first.calls[0], Self.friends)
    let second = script.take()
    #expect(try script.boards(second.forwards) == ["f one", "s one"])
    #expect(second.calls.count == 1, "the second query's facts are fetched only now")
    script.answer(second.calls[0], Self.down)
    let third = script.take()
    #expect(third.failures.map(\.code) == [.unavailable], "the query fails, and nothing behind it")
    #expect(try script.boards(third.forwards) == ["s one"])
  }

  @Test("a call that a service asks a fact for keeps its place before later calls to its key")
  func demanded() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(SubmitScore(on: "one"))
    script.call(SubmitScore(on: "one"))
    let sent = script.take().forwards
    for token in sent { script.refuse(token, Self.demand) }
    script.call(FriendScores(on: "one"))
    script.call(SubmitScore(on: "two"))
    let asked = script.take()
    #expect(asked.calls.map(\.opcode) == [FetchParticipants.opcode, FetchParticipants.opcode])
    #expect(try script.boards(asked.forwards) == ["s two"])
    let participants = Result<[UInt8], Failure>.success(FetchParticipants.Reply().encoded)
    script.answer(asked.calls[1], participants)
    #expect(script.take().all.isEmpty, "the second waits for the first")
    script.answer(asked.calls[0], participants)
    let again = script.take()
    #expect(again.forwards == sent)
    #expect(again.calls.map(\.opcode) == [FetchFriends.opcode])
  }

  private static let demand = FactDemand(
    FetchParticipants.opcode, at: RoutingKey(high: 7, low: 8))

  @Test("a call that waits for nothing is passed on from the bytes it came in, others from a copy")
  func copies() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(SubmitScore(on: "one"))
    let first = script.take()
    #expect(first.forwards.count == 1 && first.copied.isEmpty)
    #expect(try script.boards(first.forwards) == ["s one"])
    // What a service asks for comes with the bytes of the call, of which the gateway has none.
    script.refuse(first.forwards[0], Self.demand)
    let participants = Result<[UInt8], Failure>.success(FetchParticipants.Reply().encoded)
    script.answer(try #require(script.take().calls.first), participants)
    let again = script.take()
    #expect(again.copied == first.forwards && again.forwards == first.forwards)
    #expect(try script.boards(again.forwards) == ["s one"])
    script.call(FriendScores(on: "one"))
    script.call(SubmitScore(on: "one"))
    script.answer(try #require(script.take().calls.first), Self.friends)
    #expect(script.take().copied.count == 2, "both have waited")
  }

  @Test("a service that asks for a fact and does not give the call back is not called again")
  func olderService() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(SubmitScore(on: "one"))
    let sent = try #require(script.take().forwards.first)
    script.session.refused(sent, Failure(Self.demand), &script.state)
    let done = script.take()
    #expect(done.calls.isEmpty && done.failures.map(\.code) == [.unavailable])
  }

  @Test("a sign-in holds all calls, and they are the new session's")
  func signIn() throws {
    var script = SessionScript()
    var signIn = SignIn()
    signIn.game = "demo"
    signIn.player = SessionScript.player
    script.call(signIn)
    script.call(SubmitScore(on: "one"))
    script.call(Echo())
    let first = script.take()
    #expect(first.calls.map(\.opcode) == [OpenSession.opcode])
    #expect(first.forwards.isEmpty && first.answers.isEmpty)
    script.answer(first.calls[0], .success(SessionScript.opened().encoded))
    let second = script.take()
    #expect(second.answers.map(\.header.opcode) == [SignIn.opcode, Echo.opcode].map(\.rawValue))
    let envelope = try script.envelope(try #require(second.forwards.first))
    #expect(envelope.principal.player == SessionScript.player)
    #expect(envelope.idempotency.instance == SessionScript.instance)
  }

  @Test("a sign-out goes after the calls before it and before those after it")
  func signOut() throws {
    var script = SessionScript()
    try script.signIn()
    let number = script.session.number
    script.call(FriendScores(on: "one"))
    script.call(SignOut())
    script.call(SubmitScore(on: "two"))
    let first = script.take()
    #expect(first.calls.map(\.opcode) == [FetchFriends.opcode] && first.forwards.isEmpty)
    script.answer(first.calls[0], Self.friends)
    let second = script.take()
    #expect(try script.boards(second.forwards) == ["f one"])
    #expect(second.calls.map(\.opcode) == [RevokeSession.opcode])
    script.answer(second.calls[0], .success(Empty().encoded))
    let third = script.take()
    #expect(third.closedNumbers == [number] && script.session.number == number.successor)
    #expect(third.failures.map(\.code) == [.notAuthenticated] && third.forwards.isEmpty)
  }

  @Test("what changes the session is said at the message, and no service's operation does")
  func changesSession() throws {
    let changing: [any Operation.Type] = [
      SignIn.self, Resume.self, SignOut.self, SignInOperator.self, SignInGameServer.self,
    ]
    var table = RouteTable()
    for type in changing {
      #expect(type.changesSession && table[type.opcode]?.changesSession == true, "\(type)")
    }
    for type in [Echo.self, SignUp.self, DeploymentStatus.self] as [any Operation.Type] {
      #expect(!type.changesSession && table[type.opcode]?.changesSession == false, "\(type)")
    }
    var route = RouteDescription()
    (route.opcode, route.changesSession) = (SubmitScore.opcode.rawValue, true)
    var description = ServiceDescription()
    (description.service, description.routes) = (Service.leaderboard.rawValue, [route])
    table.learn(description)
    #expect(table[SubmitScore.opcode] == nil)
    (description.service, description.routes) = (Service.gateway.rawValue, [])
    table.learn(description)
    #expect(table[SignIn.opcode] != nil, "a service does not describe the gateway")
  }

  @Test(
    "a deadline counts from the arrival, also of a call that waits and of the facts it waits for")
  func deadlines() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"), deadline: 5_000)
    script.call(SubmitScore(on: "one"), deadline: 1_000)
    script.call(SubmitScore(on: "one"), deadline: 9_000)
    let first = script.take()
    #expect(first.calls[0].envelope.deadlineMilliseconds == 5_000)
    script.state.now += 2_000
    script.answer(first.calls[0], Self.friends)
    let second = script.take()
    #expect(second.failures.map(\.code) == [.deadlineExceeded])
    #expect(
      try second.forwards.map { try script.envelope($0).deadlineMilliseconds } == [3_000, 7_000])
  }

  @Test("a held call fails at its deadline, though nothing else happens, and frees those behind it")
  func waitsTooLong() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"), deadline: 5_000)
    script.call(SubmitScore(on: "one"), deadline: 1_000)
    script.call(SubmitScore(on: "one"), deadline: 9_000)
    let first = script.take()
    script.wait(999)
    #expect(script.take().all.isEmpty)
    script.wait(1)
    let second = script.take()
    #expect(second.failures.map(\.code) == [.deadlineExceeded] && second.forwards.isEmpty)
    script.wait(4_000)
    let third = script.take()
    #expect(third.failures.map(\.code) == [.deadlineExceeded], "the query, whose facts are late")
    #expect(try script.boards(third.forwards) == ["s one"], "the score behind it")
    #expect(script.wakeTime == nil, "nothing is held")
    script.answer(first.calls[0], Self.friends)
    #expect(script.take().all.isEmpty)
  }

  @Test("a call that waits for a sign-in fails at its own deadline")
  func waitsForSignIn() throws {
    var script = SessionScript()
    var signIn = SignIn()
    signIn.game = "demo"
    script.call(signIn)
    _ = script.take()
    script.call(Echo(), deadline: 300)
    script.wait(300)
    let late = script.take()
    #expect(late.failures.map(\.code) == [.deadlineExceeded])
    #expect(late.answers.map(\.header.opcode) == [Echo.opcode.rawValue])
  }

  @Test("7.2 a service that asks for a fact too late gets none, and the client hears why")
  func lateDemand() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(SubmitScore(on: "one"), deadline: 1_000)
    let sent = try #require(script.take().forwards.first)
    script.state.now += 1_000
    script.refuse(sent, Self.demand)
    let done = script.take()
    #expect(done.calls.isEmpty && done.failures.map(\.code) == [.deadlineExceeded])
  }

  @Test("calls that wait are bounded, each is answered once, and none twice")
  func bounded() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"))
    for _ in 1..<GatewayLimits.openCallsMax { script.call(SubmitScore(on: "one")) }
    let first = script.take()
    #expect(first.answers.isEmpty)
    script.call(SubmitScore(on: "two"))
    #expect(script.take().failures.map(\.backpressureCause) == [.connectionCalls])
    let counted = script.state.failures.all
    #expect(counted.map(\.service) == ["leaderboard"] && counted.map(\.count) == [1])
    #expect(counted.map(\.code) == [.backpressure])
    #expect(script.state.failures.causeCounts.reduce(0, +) == 1)
    script.answer(first.calls[0], Self.friends)
    let sent = script.take().forwards
    #expect(sent.count == GatewayLimits.openCallsMax)
    #expect(script.session.replied(sent[0], .reply)?.correlation == 2)
    #expect(script.session.replied(sent[0], .reply) == nil)
    script.call(SubmitScore(on: "two"))
    #expect(script.take().forwards.count == 1, "an answer has made room")
  }

  @Test("a connection that has gone gets no answers, and what it had subscribed is closed")
  func closed() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"))
    script.call(SubmitScore(on: "two"))
    let first = script.take()
    script.session.closed(&script.state)
    #expect(script.take().closedNumbers == [script.session.number])
    script.answer(first.calls[0], Self.friends)
    #expect(script.session.replied(first.forwards[0], .reply) == nil)
    #expect(script.take().all.isEmpty)
  }
}
