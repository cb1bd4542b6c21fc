import GatewayCore
import Operations
import Testing
import Wire

/// Live data passes the gateway on a way of its own; clients and services see no difference.
@Suite struct RelayedCallTests {
  private static func data(_ context: UInt64 = 8) -> SendMatchData {
    var data = SendMatchData()
    data.context = ContextID(high: 7, low: context)
    data.payload = Bytes([1, 2, 3])
    return data
  }

  @Test("3.5 live data passes on with who sends it, for how long, and to which key")
  func envelope() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(Self.data())
    script.call(Self.data(9), deadline: 300)
    let passed = script.take().forwards
    try #require(passed.count == 2)
    for (token, low, deadline) in [(passed[0], 8, 10_000), (passed[1], 9, 300)] {
      let envelope = try script.envelope(token)
      var expected = ServiceEnvelope()
      expected.deadlineMilliseconds = UInt32(deadline)
      expected.principal = script.session.principal
      expected.session = script.session.number.rawValue
      expected.routingKey = RoutingKey(high: 7, low: UInt64(low))
      // The client has sent none.
      #expect(!envelope.traceID.isNil)
      expected.traceID = envelope.traceID
      #expect(envelope == expected)
      #expect(envelope.principal.player == SessionScript.player)
      #expect(script.operations[token] == Self.data(UInt64(low)).encoded)
    }
  }

  @Test("3.5 a client hears of its live data once: a reply, or a refusal as clients see it")
  func answers() throws {
    var script = SessionScript()
    try script.signIn()
    let first = script.call(Self.data())
    let second = script.call(Self.data())
    let passed = script.take().forwards
    let header = script.session.replied(passed[0], .reply)
    #expect(header?.correlation == first && header?.kind == .reply)
    script.session.refused(passed[1], Failure(.disconnected, "lost"), &script.state)
    let refused = script.take()
    #expect(refused.failures.map(\.code) == [.unavailable])
    #expect(refused.answers.map(\.header.correlation) == [second])
    #expect(script.session.replied(passed[0], .reply) == nil)
    script.call(Self.data())
    let last = script.take().forwards[0]
    script.session.closed(&script.state)
    #expect(script.session.replied(last, .reply) == nil)
  }

  @Test("3.5 live data of a session that is over reaches nobody")
  func signsOut() throws {
    var script = SessionScript()
    script.call(Self.data())
    #expect(script.take().failures.map(\.code) == [.notAuthenticated])
    try script.signIn()
    script.call(Self.data())
    let before = try script.envelope(script.take().forwards[0])
    script.call(SignOut())
    script.answer(script.take().calls[0], .success([]))
    _ = script.take()
    script.call(Self.data())
    #expect(script.take().failures.map(\.code) == [.notAuthenticated])
    try script.signIn()
    script.call(Self.data())
    let after = try script.envelope(script.take().forwards[0])
    #expect(after.session != before.session)
    #expect(after.session == script.session.number.rawValue)
  }

  @Test("3.5 live data that begins with no key is refused, and open live data counts as calls")
  func bounds() throws {
    var script = SessionScript()
    try script.signIn()
    script.receive(
      FrameHeader(kind: .request, opcode: SendMatchData.opcode.rawValue, correlation: 9),
      Enveloped.join(ClientEnvelope(), [1, 2]))
    #expect(script.take().failures.map(\.code) == [.malformed])
    for _ in 1...GatewayLimits.openCallsMax { script.call(Self.data()) }
    let passed = script.take().forwards
    #expect(passed.count == GatewayLimits.openCallsMax)
    script.call(Self.data())
    #expect(script.take().failures.map(\.code) == [.backpressure])
    _ = script.session.replied(passed[5], .reply)
    script.call(Self.data())
    #expect(script.take().forwards.count == 1)
  }

  @Test("2.10 3.5 a large call counts as several: whoever sends much is held back")
  func largeCalls() throws {
    var script = SessionScript([.callsPerSecond: 20])
    try script.signIn()
    script.state.now += 10_000
    var large = Self.data()
    // What is around a payload has some hundred bytes.
    large.payload = Bytes([UInt8](repeating: 1, count: 4 * GatewayLimits.callSizeCounted - 100))
    // A burst of 40 calls, of which each of these counts as five.
    for _ in 1...8 { script.call(large) }
    #expect(script.take().forwards.count == 8)
    #expect(script.session.takeHold() == 0)
    script.call(large)
    #expect(script.session.takeHold() == 250)
    script.call(Self.data())
    #expect(script.session.takeHold() == 300)
    #expect(script.take().forwards.count == 2)
    script.state.now += 550
    script.call(large)
    #expect(script.session.takeHold() == 0 && script.take().forwards.count == 1)
  }
}
