import GatewayCore
import Operations
import Testing
import Wire

/// A connection is for somebody: one on which nobody signs in ends, whatever it sends.
@Suite struct SignInTimeTests {
  private func script() -> SessionScript {
    var script = SessionScript([.signInTime: 5])
    script.connect()
    return script
  }

  @Test("2.10 a connection on which nobody signs in ends in time, however often it is heard")
  func unsigned() {
    var script = script()
    for _ in 1...4 {
      script.wait(1_000)
      script.call(Echo())
      script.call(FetchNonce())
    }
    script.wait(999)
    #expect(!script.take().isFinish)
    script.wait(1)
    #expect(script.take().isFinish)
    // Once is enough.
    script.wait(60_000)
    #expect(!script.take().isFinish)
  }

  @Test("2.10 who has signed in stays, and after the sign-out the time begins anew")
  func signedIn() throws {
    var script = script()
    script.wait(4_000)
    try script.signIn()
    script.wait(60_000)
    #expect(!script.take().isFinish)
    script.call(SignOut())
    script.answer(try #require(script.take().calls.first), .success(Empty().encoded))
    script.wait(4_999)
    #expect(!script.take().isFinish)
    script.wait(1)
    #expect(script.take().isFinish)
  }

  @Test("2.10 an operator stays")
  func trusted() {
    var script = script()
    var signIn = SignInOperator()
    signIn.secret = "operator"
    script.call(signIn)
    script.wait(60_000)
    #expect(!script.take().isFinish)
  }

  @Test("2.10 a sign-in under way is let finish; one that was wrong gains no time")
  func underWay() throws {
    for (code, isFinish) in [(FailureCode.invalidCredential, true), (.unavailable, false)] {
      var script = script()
      script.wait(4_000)
      var signIn = SignIn()
      signIn.game = "demo"
      script.call(signIn)
      let question = try #require(script.take().calls.first)
      script.wait(2_000)
      #expect(!script.take().isFinish)
      script.answer(question, .failure(Failure(code, "")))
      #expect(script.take().failures.map(\.code) == [code])
      script.wait(0)
      #expect(script.take().isFinish == isFinish, "\(code)")
      script.wait(5_000)
      #expect(script.take().isFinish != isFinish, "\(code)")
    }
  }

  @Test("2.10 a sign-up under way is answered before the connection ends")
  func signUpUnderWay() throws {
    var script = script()
    script.wait(4_000)
    var signUp = SignUp()
    (signUp.attempt, signUp.displayName) = (RoutingKey(high: 1, low: 1), "Ada")
    script.call(signUp)
    let question = try #require(script.take().calls.first)
    script.wait(1_500)
    #expect(!script.take().isFinish)
    script.answer(question, .success(Empty().encoded))
    #expect(script.take().answers.count == 1)
    script.wait(1_000)
    #expect(script.take().isFinish)
  }
}
