import GatewayCore
import Operations
import Testing
import Wire

/// How long clients' calls take is measured from when they come until their answers go, whatever
/// they wait for.
@Suite struct CallTimeTests {
  private final class Times {
    var all: [String] = []
  }

  private let times = Times()
  private var script = SessionScript()

  init() throws {
    try script.signIn()
    script.state.microseconds = 1_000
    script.state.tookTime = { [times] service, microseconds in
      times.all.append("\(service?.name ?? "none") \(microseconds)")
    }
  }

  @Test("a call that waits for facts, and one that waits behind it")
  mutating func held() throws {
    script.call(FriendScores(on: "one"))
    let fetch = try #require(script.take().calls.first)
    script.state.microseconds = 501_000
    script.call(SubmitScore(on: "one"))
    #expect(script.take().forwards.isEmpty, "it waits")
    script.state.microseconds = 2_001_000
    script.answer(fetch, .success(FetchFriends.Reply().encoded))
    let calls = script.take().forwards
    #expect(calls.count == 2 && times.all.isEmpty)
    script.state.microseconds = 2_002_000
    // That of a reply is asked for by whoever passes the reply on.
    _ = script.session.end(of: calls[0], nil, script.state)
    _ = script.session.replied(calls[0], .reply)
    script.session.refused(calls[1], Failure(.notFound, "None."), &script.state)
    #expect(times.all == ["leaderboard 2001000", "leaderboard 1501000"])
  }

  @Test("a call whose time is up, and one whose client goes")
  mutating func withoutAnswer() throws {
    script.call(FriendScores(on: "one"), deadline: 100)
    script.call(SubmitScore(on: "two"))
    script.state.microseconds = 101_000
    script.wait(100)
    #expect(times.all == ["leaderboard 100000"])
    script.state.microseconds = 301_000
    script.session.closed(&script.state)
    #expect(times.all == ["leaderboard 100000", "leaderboard 300000"])
  }

  @Test("what the gateway answers itself; live data is not measured")
  mutating func own() throws {
    script.call(Echo())
    #expect(times.all == ["gateway 0"])
    var data = SendMatchData()
    data.context = ContextID(high: 7, low: 8)
    script.call(data)
    let call = try #require(script.take().forwards.first)
    script.session.refused(call, Failure(.notFound, "None."), &script.state)
    #expect(times.all.count == 1)
  }
}
