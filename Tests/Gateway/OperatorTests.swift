import GatewayCore
import Operations
import Testing
import Wire

/// Operators sign in as somebody, and what they do is passed on in their name.
struct OperatorTests {
  private static func hash(_ text: String) -> [UInt8] {
    var hash = SHA256()
    for byte in text.utf8 { hash.add(byte) }
    let words = hash.finish()
    var writer = Writer()
    for place in words.indices { writer.integer(words[place]) }
    return writer.bytes
  }

  private static let operators = [
    "alice": hash("alice:one"), "bob": hash("bob:two"), "": hash(":three"),
  ]

  /// The name in the envelope of what somebody calls with a secret; nil when it is refused.
  private func name(
    _ secret: String, _ operators: [String: [UInt8]] = Self.operators
  ) throws -> String? {
    var script = SessionScript(operators: operators)
    var signIn = SignInOperator()
    (signIn.secret, signIn.game) = (secret, "demo")
    script.call(signIn)
    let answer = script.take()
    if let failure = answer.failures.first {
      #expect(failure == Failure(.invalidCredential, "The operator's secret is wrong."))
      return nil
    }
    script.call(RemoveScore())
    let call = try #require(script.take().forwards.first)
    let principal = try script.envelope(call).principal
    #expect(principal.kind == .deploymentOperator && principal.game == "demo")
    return principal.operatorName
  }

  @Test func names() throws {
    #expect(try name("alice:one") == "alice" && name("bob:two") == "bob")
    #expect(try name("operator") == "", "the one without a name")
  }

  @Test(arguments: ["alice:two", "bob:one", "alice:", "alice", "carol:one", ":", "", "one"])
  func wrongSecrets(secret: String) throws { #expect(try name(secret) == nil) }

  @Test("whoever has signed in with what was revoked is closed, and nobody else")
  func revokedWhileConnected() throws {
    /// Whether the connection of somebody is closed by a change of the operators or the keys.
    func isClosed<O: Operation>(
      by change: (inout GatewayState) -> Void, _ signIn: (inout SessionScript) -> O
    ) throws -> Bool {
      var script = SessionScript(operators: Self.operators)
      let signIn = signIn(&script)
      script.call(signIn)
      #expect(script.take().failures.isEmpty)
      change(&script.state)
      script.session.secretsChanged(&script.state)
      return script.take().isClose
    }
    func signsIn(_ secret: String) -> (inout SessionScript) -> SignInOperator {
      return { _ in
        var signIn = SignInOperator()
        signIn.secret = secret
        return signIn
      }
    }
    func isServer(_ script: inout SessionScript) -> SignInGameServer {
      var signIn = SignInGameServer()
      signIn.game = "demo"
      signIn.credential = script.state.keyring.gameServerCredential(game: "demo")
      return signIn
    }
    func keyring(_ text: String) throws -> Keyring {
      try KeyFile(KeyFile.text(text)).keyring(secret: [], hash: SessionScript.hash)
    }
    var others = Self.operators
    others["alice"] = nil
    var changed = Self.operators
    changed["alice"] = Self.hash("alice:three")
    for (operators, isAway) in [(Self.operators, false), (others, true), (changed, true)] {
      func change(_ state: inout GatewayState) { state.use(state.keyring, operators: operators) }
      #expect(try isClosed(by: change, signsIn("alice:one")) == isAway)
      #expect(try !isClosed(by: change, signsIn("bob:two")))
      #expect(try !isClosed(by: change, signsIn("operator")))
      #expect(try !isClosed(by: change, isServer))
    }
    let key = String(repeating: "2a", count: 32)
    for (text, isAway) in [
      ("game-server 0 1 demo", false), ("game-server 1 1 demo", true),
      ("game-server 1 1 other", false), ("key game-servers 2 \(key) current", true),
      ("key game-servers 1 auth-secret\nkey game-servers 2 \(key) current", false),
    ] {
      let keyring = try keyring(text)
      func change(_ state: inout GatewayState) { state.use(keyring, operators: Self.operators) }
      #expect(try isClosed(by: change, isServer) == isAway, "\(text)")
      #expect(try !isClosed(by: change, signsIn("alice:one")))
    }
  }

  @Test("what the gateway does in an operator's name is no call of an operator's")
  func steps() throws {
    func route<O: Operation>(_ type: O.Type) -> RouteDescription {
      var route = RouteDescription()
      (route.opcode, route.access) = (O.opcode.rawValue, O.access.rawValue)
      route.routing = O.routing.rawValue
      return route
    }
    var script = SessionScript()
    var description = ServiceDescription()
    description.service = Service.request.rawValue
    description.routes = [
      route(ReserveIdentity.self), route(ClaimIdentity.self), route(ErasePlayer.self),
    ]
    script.state.routes.learn(description)
    var signIn = SignInOperator()
    signIn.secret = "operator"
    script.call(signIn)
    _ = script.take()
    script.call(ReserveIdentity())
    script.call(ClaimIdentity())
    #expect(script.take().failures.map(\.code) == [.notAllowed, .notAllowed])
    script.call(ErasePlayer(.init(high: 1, low: 2)))
    #expect(script.take().forwards.count == 1)
  }

  @Test("a credential that an operator is told is told to the log, without the credential")
  func toldCredential() throws {
    var script = SessionScript()
    var signIn = SignInOperator()
    signIn.secret = "operator"
    script.call(signIn)
    _ = script.take()
    var ask = GameServerCredential()
    for (game, isDeclared) in [("typo", false), ("other", true)] {
      ask.game = game
      script.call(ask)
      let question = try #require(script.take().calls.first)
      script.answer(question, .success(SessionScript.declared(isDeclared).encoded))
      let games = script.take().all.compactMap {
        if case .toldCredential(let game) = $0 { game } else { nil }
      }
      #expect(games == (isDeclared ? [game] : []))
    }
  }

  @Test("each guess takes a sign-in from the budget of its host, whatever is wrong with it")
  func guessesAreCharged() throws {
    for secret in ["alice:two", "carol:one", "wrong"] {
      var count = 0
      let hosts = HostCalls(takeSignIn: { _, _ in
        count += 1
        return nil
      })
      var script = SessionScript(hosts: hosts, operators: Self.operators)
      let before = count
      var signIn = SignInOperator()
      signIn.secret = secret
      script.call(signIn)
      #expect(script.take().failures.map(\.code) == [.invalidCredential])
      #expect(count == before + 1)
    }
  }

  @Test("7.1 operators whose programs number their calls alike do not repeat each other's calls")
  func callNumbers() throws {
    var operators = Self.operators
    (operators["a"], operators["ab"]) = (Self.hash("a:four"), Self.hash("ab:five"))
    /// What a call bears of whoever has signed in with a secret.
    func key(_ secret: String, _ game: String = "demo") throws -> IdempotencyKey {
      var script = SessionScript(operators: operators)
      var signIn = SignInOperator()
      (signIn.secret, signIn.game, signIn.client) = (secret, game, 5)
      script.call(signIn)
      #expect(script.take().failures.isEmpty)
      script.call(RemoveScore())
      return try script.envelope(try #require(script.take().forwards.first)).idempotency
    }
    let alice = try key("alice:one")
    #expect(try key("alice:one") == alice, "on another connection")
    let all = try [
      alice, key("bob:two"), key("operator"), key("alice:one", "other"), key("a:four", "bdemo"),
      key("ab:five"),
    ]
    #expect(all.allSatisfy { $0.counter == alice.counter })
    #expect(Set(all.map(\.instance)).count == all.count)
  }

  @Test func oneIsTakenAwayAlone() throws {
    var rest = Self.operators
    rest["alice"] = nil
    #expect(try name("alice:one", rest) == nil && name("bob:two", rest) == "bob")
  }
}
