import GatewayCore
import Operations
import Testing
import Wire

/// The gateway remembers the keys of names, in fewer places than there are names.
struct NameKeysTests {
  /// Three hundred names cannot have places of their own, so some lose theirs to others.
  @Test func aNameNeverGetsTheKeyOfAnother() throws {
    var script = SessionScript()
    try script.signIn()
    let short = (1...300).map { "board \($0)" } + ["", "größe"]
    // Of these none is remembered but the first.
    let long = [128, 129, 5000].map { String(repeating: "b", count: $0) }
    for name in short + short.reversed() + long + long {
      script.call(SubmitScore(on: name))
      let call = try #require(script.take().forwards.first)
      let key = try script.envelope(call).routingKey
      #expect(key == RoutingKey(game: "demo", name: name), "\(name.prefix(20))")
      _ = script.session.replied(call, .reply)
    }
  }

  /// All sessions of a loop share the places.
  @Test func aGameNeverGetsTheKeyOfAnother() throws {
    var script = SessionScript()
    for game in ["demo", "other", "demo"] {
      script.session = ClientSession(SessionNumber(place: 3), host: PeerHost(ipv4: 0x0a00_0001))
      try script.signIn(to: game)
      script.call(SubmitScore(on: "board"))
      let call = try #require(script.take().forwards.first)
      #expect(try script.envelope(call).routingKey == RoutingKey(game: game, name: "board"))
    }
  }
}
