import Operations
import Testing
import Wire

@testable import GatewayCore

/// One trace for a call, for what the gateway asks on its behalf, and for what is told of it.
@Suite struct TraceTests {
  private static let trace = TraceID(high: 0xab, low: 0xcd)
  private static let lost = Failure(.unavailable, "Lost.")

  @Test("a call passes on with its client's trace, and so do the questions that it needs")
  func facts() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"), trace: Self.trace)
    let fetch = try #require(script.take().calls.first)
    #expect(fetch.opcode == FetchFriends.opcode && fetch.envelope.traceID == Self.trace)
    script.answer(fetch, .success(FetchFriends.Reply().encoded))
    let call = try #require(script.take().forwards.first)
    #expect(try script.envelope(call).traceID == Self.trace)
    // A fact that only the service knows the need of.
    script.refuse(call, FactDemand(FetchParticipants.opcode, at: RoutingKey(high: 4, low: 4)))
    let demanded = try #require(script.take().calls.first)
    #expect(demanded.envelope.traceID == Self.trace)
    script.answer(demanded, .success(FetchParticipants.Reply().encoded))
    #expect(try script.envelope(#require(script.take().forwards.first)).traceID == Self.trace)
  }

  @Test("so do the calls that the gateway makes for an operation of its own")
  func own() throws {
    var script = SessionScript()
    var signIn = SignIn()
    (signIn.game, signIn.player) = ("other", SessionScript.player)
    script.call(signIn, trace: Self.trace)
    let question = try #require(script.take().calls.first)
    #expect(question.opcode == FetchGame.opcode && question.envelope.traceID == Self.trace)
    script.answer(question, .success(SessionScript.declared(true).encoded))
    let opening = try #require(script.take().calls.first)
    #expect(opening.opcode == OpenSession.opcode && opening.envelope.traceID == Self.trace)
  }

  @Test("a call that comes without a trace gets one of its own")
  func drawn() throws {
    var script = SessionScript()
    try script.signIn()
    for _ in 1...3 { script.call(SubmitScore(on: "one")) }
    script.call(SubmitScore(on: "one"), trace: TraceID(high: 0, low: 5))
    let traces = try script.take().forwards.map { try script.envelope($0).traceID }
    #expect(traces.count == 4 && Set(traces + [TraceID()]).count == 5)
    #expect(traces[3] == TraceID(high: 0, low: 5), "64 bits are a trace")
  }

  @Test("live data passes on with its trace")
  func live() throws {
    var script = SessionScript()
    try script.signIn()
    var data = SendMatchData()
    data.context = ContextID(high: 7, low: 8)
    script.call(data, trace: Self.trace)
    #expect(try script.envelope(#require(script.take().forwards.first)).traceID == Self.trace)
  }

  @Test("what is wanted of a call's end is told once, with its trace and how long it took")
  func ends() throws {
    var script = SessionScript()
    try script.signIn()
    script.state.tellsEnd = { failure, microseconds in failure != nil || microseconds >= 40 }
    script.state.microseconds = 100
    script.call(SubmitScore(on: "one"), trace: Self.trace)
    let call = try #require(script.take().forwards.first)
    script.state.microseconds = 130
    #expect(script.session.end(of: call, nil, script.state) == nil)
    script.state.microseconds = 145
    let slow = CallEnd(
      opcode: SubmitScore.opcode, trace: Self.trace, failure: nil, microseconds: 45)
    #expect(script.session.end(of: call, nil, script.state) == slow)
    script.session.refused(call, Self.lost, &script.state)
    let failed = CallEnd(
      opcode: SubmitScore.opcode, trace: Self.trace, failure: Self.lost, microseconds: 45)
    #expect(script.take().ends == [failed])
    #expect(script.session.end(of: call, nil, script.state) == nil, "it has ended")
    // A call that the gateway answers itself.
    script.call(Echo(), trace: Self.trace)
    #expect(script.take().ends.isEmpty)
    script.call(TopScores(), trace: Self.trace)
    script.state.microseconds = 200
    for call in script.take().forwards {
      script.session.refused(call, Self.lost, &script.state)
    }
    #expect(script.take().ends.map(\.opcode) == [TopScores.opcode])
  }

  @Test("a call whose client goes before its answer is told, with its trace and how long it took")
  func givenUp() throws {
    var script = SessionScript()
    try script.signIn()
    script.state.microseconds = 100
    script.call(SubmitScore(on: "one"), trace: Self.trace)
    script.call(TopScores())
    let answered = try #require(script.take().forwards.last)
    script.session.refused(answered, Self.lost, &script.state)
    _ = script.take()
    script.state.tellsEnd = { failure, _ in failure?.code == .disconnected }
    script.state.microseconds = 175
    script.session.closed(&script.state)
    let ends = script.take().ends
    #expect(ends.map(\.opcode) == [SubmitScore.opcode] && ends.map(\.trace) == [Self.trace])
    #expect(ends.map(\.microseconds) == [75] && ends.map(\.isGivenUp) == [true])
  }

  @Test("an operation has its name in the log; one that nobody has described, its opcode")
  func names() {
    let routes = RouteTable()
    #expect(routes.name(of: Echo.opcode) == "Echo")
    #expect(routes.name(of: SubmitScore.opcode) == "\(SubmitScore.opcode)")
    var route = RouteDescription()
    (route.opcode, route.name) = (SubmitScore.opcode.rawValue, "SubmitScore")
    var description = ServiceDescription()
    (description.service, description.routes) = (Service.leaderboard.rawValue, [route])
    var known = routes
    known.learn(description)
    #expect(known.name(of: SubmitScore.opcode) == "SubmitScore")
  }
}
