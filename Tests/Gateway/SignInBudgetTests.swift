import GatewayCore
import Operations
import Testing
import Wire

/// What a sign-in costs the address that it comes from, and what costs it nothing.
@Suite struct SignInBudgetTests {
  /// The budget of the script's address.
  private final class Budget {
    var left = 100
    func take() -> UInt32? {
      left -= 1
      return left < 0 ? 9_000 : nil
    }
  }

  private let budget = Budget()
  private let signUps = Budget()

  private func script() -> SessionScript {
    SessionScript(
      hosts: HostCalls(
        takeSignIn: { [budget] _, _ in budget.take() },
        takeSignUp: { [signUps] _, _ in signUps.take() }))
  }

  @Test("2.10 who has a session, and bytes that are no sign-in, cost the address nothing")
  func refusedFirst() throws {
    var script = script()
    let before = budget.left
    let header = FrameHeader(kind: .request, opcode: SignIn.opcode.rawValue, correlation: 1)
    _ = script.receive(header, Enveloped.join(ClientEnvelope(), [0, 0, 0, 255, 1]))
    #expect(script.take().failures.map(\.code) == [.malformed])
    #expect(budget.left == before)
    try script.signIn()
    #expect(budget.left == before - 1)
    script.call(SignIn())
    script.call(SignUp())
    script.call(SignInOperator())
    #expect(script.take().failures.map(\.code) == [.alreadyExists, .alreadyExists, .alreadyExists])
    #expect(budget.left == before - 1 && signUps.left == 100)
  }

  @Test("2.10 each way to sign in costs the host one sign-in, and a sign-up one of its own")
  func charged() {
    var script = script()
    budget.left = 0
    script.call(SignIn())
    script.call(SignInOperator())
    script.call(SignInGameServer())
    #expect(script.take().failures.map(\.code) == .init(repeating: .rateLimited, count: 3))
    script.call(SignUp())
    script.call(SignUpWithIdentity())
    #expect(script.take().failures.allSatisfy { $0.code != .rateLimited } && signUps.left == 98)
    (budget.left, signUps.left) = (100, 0)
    script.call(SignUp())
    script.call(SignUpWithIdentity())
    #expect(
      script.take().failures.map(\.retryAfterMilliseconds) == .init(repeating: 9_000, count: 2))
    #expect(budget.left == 100)
  }

  @Test("2.10 a session is resumed whatever the address has left, and a guessed token is charged")
  func resumed() throws {
    var script = script()
    var resume = Resume()
    resume.token = try SessionScript.token(&script)
    script.session = ClientSession(SessionNumber(place: 5), host: PeerHost(ipv4: 0x0a00_0001))
    budget.left = 0
    script.call(resume)
    #expect(script.take().calls.count == 1 && budget.left == 0)
    script.session = ClientSession(SessionNumber(place: 6), host: PeerHost(ipv4: 0x0a00_0001))
    budget.left = 1
    resume.token = Bytes(resume.token.array.reversed())
    for code in [FailureCode.invalidCredential, .rateLimited] {
      script.call(resume)
      #expect(script.take().failures.map(\.code) == [code])
    }
  }

  @Test("2.10 one token buys no more resumptions than its player has calls for")
  func oneToken() throws {
    var script = SessionScript([.callsPerSecond: 20])
    var resume = Resume()
    resume.token = try SessionScript.token(&script)
    var failures: [Failure] = []
    for place in 5...7 {
      script.session = ClientSession(
        SessionNumber(place: place), host: PeerHost(ipv4: UInt32(place)))
      script.call(resume)
      failures += script.take().failures
    }
    #expect(failures.map(\.code) == [.rateLimited])
    #expect(failures.map(\.retryAfterMilliseconds) == [1_000])
  }

  @Test("2.10 a small budget of calls still resumes a session")
  func smallBudget() throws {
    var script = SessionScript([.callsPerSecond: 1])
    var resume = Resume()
    resume.token = try SessionScript.token(&script)
    script.session = ClientSession(SessionNumber(place: 5), host: PeerHost(ipv4: 0x0a00_0001))
    script.call(resume)
    #expect(script.take().calls.count == 1)
  }
}
