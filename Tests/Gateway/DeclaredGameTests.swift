import GatewayCore
import Operations
import Testing
import Wire

/// Nobody signs in to a game that no operator has declared.
struct DeclaredGameTests {
  private var script = SessionScript()

  private func signIn(to game: String) -> SignIn {
    var signIn = SignIn()
    signIn.game = game
    signIn.player = SessionScript.player
    return signIn
  }

  @Test("a player's session begins when the game is known to be declared, and not before")
  mutating func declared() throws {
    script.call(signIn(to: "other"))
    // It waits for the session.
    script.call(SubmitScore(on: "board"))
    let asked = script.take()
    let question = try #require(asked.calls.first)
    #expect(asked.calls.map(\.opcode) == [FetchGame.opcode] && asked.forwards.isEmpty)
    #expect(try FetchGame(decoding: question.body).key == RoutingKey(game: "other"))
    script.answer(question, .success(SessionScript.declared(true).encoded))
    let open = try #require(script.take().calls.first)
    #expect(open.opcode == OpenSession.opcode && open.envelope.principal.game == "other")
    script.answer(open, .success(SessionScript.opened().encoded))
    let done = script.take()
    #expect(done.failures.isEmpty && done.forwards.count == 1)
    #expect(script.session.principal.player == SessionScript.player)
  }

  @Test(
    "without a yes nobody is signed in, and the next attempt asks again",
    arguments: [
      (.success(SessionScript.declared(false).encoded), .notFound),
      (.success([]), .notFound), (.success([9]), .malformed),
      (.failure(Failure(.disconnected, "gone")), .unavailable),
    ] as [(Result<[UInt8], Failure>, FailureCode)])
  mutating func refused(_ answer: Result<[UInt8], Failure>, _ code: FailureCode) throws {
    for _ in 1...2 {
      script.call(signIn(to: "typo"))
      script.call(SubmitScore(on: "board"))
      let question = try #require(script.take().calls.first)
      #expect(question.opcode == FetchGame.opcode)
      script.answer(question, answer)
      let done = script.take()
      #expect(done.calls.isEmpty && done.forwards.isEmpty)
      #expect(done.failures.map(\.code) == [code, .notAuthenticated])
      #expect(done.failures.first?.argument == (code == .notFound ? "game" : ""))
      #expect(script.session.principal.kind == .anonymous)
    }
  }

  @Test("a game that an operator declares after a no is open at once")
  mutating func declaredLater() throws {
    for isDeclared in [false, true] {
      script.call(signIn(to: "late"))
      let question = try #require(script.take().calls.first)
      script.answer(question, .success(SessionScript.declared(isDeclared).encoded))
      let next = script.take()
      #expect(next.calls.map(\.opcode) == (isDeclared ? [OpenSession.opcode] : []))
      #expect(next.failures.map(\.code) == (isDeclared ? [] : [.notFound]))
    }
  }

  @Test("a game is asked about until it is declared, and not again, however long ago that was")
  mutating func memory() throws {
    var opcodes: [Opcode] = []
    for milliseconds in [0, 59_999, 1, 24 * 3_600_000] as [UInt64] {
      script.state.now += milliseconds
      script.session = ClientSession(SessionNumber(place: 3), host: PeerHost(ipv4: 0x0a00_0001))
      script.call(signIn(to: "other"))
      while let call = script.take().calls.first {
        opcodes.append(call.opcode)
        let isQuestion = call.opcode == FetchGame.opcode
        let (yes, opened) = (SessionScript.declared(true), SessionScript.opened())
        script.answer(call, .success(isQuestion ? yes.encoded : opened.encoded))
      }
    }
    let (ask, open) = (FetchGame.opcode, OpenSession.opcode)
    #expect(opcodes == [ask, open, open, open, open])
  }

  @Test("as many declared games are remembered as the limit says, and one more is asked about")
  mutating func memoryBound() throws {
    let games = (0...GatewayLimits.declaredGamesMax).map { "game \($0)" }
    let failure = Failure(.invalidCredential, "not here")
    var questions = [0, 0]
    for round in questions.indices {
      for game in games {
        script.call(signIn(to: game))
        while let call = script.take().calls.first {
          let isQuestion = call.opcode == FetchGame.opcode
          questions[round] += isQuestion ? 1 : 0
          let yes = SessionScript.declared(true).encoded
          script.answer(call, isQuestion ? .success(yes) : .failure(failure))
        }
      }
    }
    #expect(questions[0] == games.count && (1..<games.count).contains(questions[1]))
  }

  @Test("a deployment without the request service declares no games, and none is asked about")
  mutating func undeclarable() throws {
    script = SessionScript(leftOut: .request)
    var asOperator = SignInOperator()
    (asOperator.secret, asOperator.game) = ("operator", "any")
    script.call(asOperator)
    var ask = GameServerCredential()
    ask.game = "any"
    script.call(ask)
    let done = script.take()
    #expect(done.calls.isEmpty && done.failures.isEmpty && done.answers.count == 2)
    let reply = try GameServerCredential.Reply(decoding: try #require(done.answers.last).body)
    var asServer = SignInGameServer()
    (asServer.game, asServer.credential) = ("any", reply.credential)
    script.session = ClientSession(SessionNumber(place: 3), host: PeerHost(ipv4: 0x0a00_0001))
    script.call(asServer)
    #expect(script.take().failures.isEmpty && script.session.principal.kind == .gameServer)
  }

  @Test("a sign-in whose time was used up by the question fails")
  mutating func late() throws {
    script.call(signIn(to: "other"), deadline: 100)
    let question = try #require(script.take().calls.first)
    script.state.now += 100
    script.answer(question, .success(SessionScript.declared(true).encoded))
    let done = script.take()
    #expect(done.calls.isEmpty && done.failures.map(\.code) == [.deadlineExceeded])
    #expect(script.session.principal.kind == .anonymous)
  }

  @Test("an operator may name any game, and gets credentials for the servers of declared ones")
  mutating func credential() throws {
    var asOperator = SignInOperator()
    asOperator.secret = "operator"
    asOperator.game = "other"
    script.call(asOperator)
    #expect(script.take().failures.isEmpty)
    var ask = GameServerCredential()
    for (game, isDeclared) in [("typo", false), ("other", true)] {
      ask.game = game
      script.call(ask)
      let question = try #require(script.take().calls.first)
      #expect(try FetchGame(decoding: question.body).key == RoutingKey(game: game))
      script.answer(question, .success(SessionScript.declared(isDeclared).encoded))
      let done = script.take()
      #expect(done.failures.map(\.code) == (isDeclared ? [] : [.notFound]))
      guard isDeclared else { continue }
      let reply = try GameServerCredential.Reply(
        decoding: try #require(done.answers.first).body)
      let keyring = script.state.keyring
      #expect(reply.credential == keyring.gameServerCredential(game: game))
    }
    #expect(script.session.principal.kind == .deploymentOperator)
  }
}
