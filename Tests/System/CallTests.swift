import GatewayCore
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  /// Calls that must be refused: by whom they come, by what they hold, by how many they are.
  @Suite struct Calls {
    private func withClient(
      _ flags: [String] = [], _ body: (Stack, RawClient) async throws -> Void
    ) async throws {
      var options = Stack.Options()
      options.flags["gateway"] = flags
      try await withStack(options) { stack in
        let client = try RawClient(
          port: stack.gatewayPort, TLSClientContext(trust: .authority(stack.authority)))
        try await body(stack, client)
        await client.end()
      }
    }

    private func resume(_ token: [UInt8]) -> Resume {
      var resume = Resume()
      resume.token = Bytes(token)
      return resume
    }

    @Test func credentials() async throws {
      try await withClient { stack, client in
        let (signedIn, credential) = try await stack.player("Anna")
        await signedIn.close()
        var wrong = credential
        wrong.secret[0] ^= 1
        let wrongSecret = await client.call(SignIn(wrong)).failure
        #expect(wrongSecret?.code == .invalidCredential)
        wrong = credential
        wrong.device = DeviceID(high: 1, low: 2)
        let wrongDevice = await client.call(SignIn(wrong)).failure
        wrong.player = PlayerID(high: 3, low: 4)
        let unknownPlayer = await client.call(SignIn(wrong)).failure
        // What is wrong is not told apart: nobody learns which players there are.
        #expect(wrongDevice == wrongSecret && unknownPlayer == wrongSecret)
        #expect(await client.call(SignIn(credential, game: "")).failure?.argument == "game")
        #expect(try await client.call(SignIn(credential)).get().player == credential.player)
      }
    }

    @Test func tokens() async throws {
      try await withClient { stack, client in
        let (signedIn, credential) = try await stack.player("Anna")
        await signedIn.close()
        let hash: Keyring.KeyedHashing = { Crypto.hmacSHA256(key: $0, data: $1) }
        let keyring = Keyring(secret: Array(Stack.authSecret.utf8), hash: hash)
        var claims = SessionClaims()
        claims.game = Stack.game
        claims.player = credential.player
        claims.device = credential.device
        claims.expiresAt = 1_000
        let expired = SessionToken.issue(claims, keyring).array
        #expect(await client.call(resume(expired)).code == .sessionExpired)

        claims.expiresAt = .max
        let guess = Keyring(secret: Array("a guess".utf8), hash: hash)
        let forged = SessionToken.issue(claims, guess).array
        #expect(await client.call(resume(forged)).code == .invalidCredential)
        for token in [[], [0], Array(repeating: UInt8(0), count: 500)] {
          #expect(await client.call(resume(token)).code == .invalidCredential)
        }
        // Every bit of a genuine token counts.
        let genuine = try await client.call(SignIn(credential)).get().token.array
        let other = try RawClient(
          port: stack.gatewayPort, TLSClientContext(trust: .authority(stack.authority)))
        for index in stride(from: 0, to: genuine.count, by: 7) {
          var changed = genuine
          changed[index] ^= 0x10
          #expect(await other.call(resume(changed)).code == .invalidCredential)
        }
        #expect(try await other.call(resume(genuine)).get().player == credential.player)
        await other.end()
      }
    }

    @Test func revokedToken() async throws {
      try await withClient { stack, client in
        let (signedIn, credential) = try await stack.player("Anna")
        await signedIn.close()
        let token = try await client.call(SignIn(credential)).get().token.array
        _ = try await client.call(SignOut()).get()
        #expect(await client.call(IssuedChallenges()).code == .notAuthenticated)
        #expect(await client.call(resume(token)).code == .invalidCredential)
      }
    }

    @Test func callsThatAreNotForPlayers() async throws {
      try await withClient { stack, client in
        #expect(await client.call(IssuedChallenges()).code == .notAuthenticated)
        #expect(await client.call(DeploymentStatus()).code == .notAuthenticated)
        let (signedIn, credential) = try await stack.player("Anna")
        await signedIn.close()
        _ = try await client.call(SignIn(credential)).get()
        #expect(await client.call(AppendEvent(), counter: 1).code == .notAllowed)
        #expect(await client.call(OpenSession(), counter: 2).code == .notAllowed)
        #expect(await client.call(DefineLeaderboard(), counter: 3).code == .notAllowed)
        #expect(await client.call(DeploymentStatus()).code == .notAllowed)
        for number in [Control.describe, Control.status, Control.channelClosed] {
          let answer = await client.call(Opcode(.request, number), ClientEnvelope())
          #expect(answer.code == .unknownOperation)
        }
        #expect(await client.call(SignIn(credential)).code == .alreadyExists)
        var secret = SignInOperator()
        secret.secret = "not the operator's"
        let other = try RawClient(
          port: stack.gatewayPort, TLSClientContext(trust: .authority(stack.authority)))
        #expect(await other.call(secret).code == .invalidCredential)
        await other.end()
      }
    }

    @Test(
      "7.1 a trusted caller's call that is repeated over another connection runs once",
      arguments: [PrincipalKind.deploymentOperator, .gameServer])
    func repeatedRemoval(_ kind: PrincipalKind) async throws {
      try await withClient { stack, other in
        var define = DefineLeaderboard()
        define.definition.board = "laps"
        define.definition.attempts = .days
        define.definition.attemptDays = 1
        let (anna, credential) = try await stack.player("Anna")
        let owner = try stack.client()
        try await signIn(stack, owner, as: .deploymentOperator, client: 1)
        _ = try await owner.call(define, counter: 1).get()
        var submit = SubmitScore()
        submit.board = "laps"
        for value in 1...3 {
          submit.value = Int64(value)
          _ = try await anna.call(submit)
        }
        await anna.close()

        var remove = RemoveScore()
        remove.board = "laps"
        remove.player = credential.player
        remove.fallsBack = true
        let lost = try stack.client()
        try await signIn(stack, lost, as: kind, client: 7)
        let removed = try await lost.call(remove, counter: 1).get()
        #expect(removed.entry?.value == 2)
        await lost.end()
        // The caller has not heard the answer, and asks again in its next session.
        try await signIn(stack, other, as: kind, client: 7)
        #expect(try await other.call(remove, counter: 1).get() == removed)
        // Another process of the caller's is another client, whatever its counters.
        let second = try stack.client()
        try await signIn(stack, second, as: kind, client: 8)
        #expect(try await second.call(remove, counter: 1).get().entry?.value == 1)
        await second.end()
        await owner.end()
      }
    }

    /// Signs in as a process of a caller that has chosen a number.
    private func signIn(
      _ stack: Stack, _ raw: RawClient, as kind: PrincipalKind, client: UInt64
    ) async throws {
      var asOperator = SignInOperator()
      asOperator.secret = Stack.operatorSecret
      asOperator.game = Stack.game
      asOperator.client = client
      guard kind == .gameServer else {
        _ = try await raw.call(asOperator).get()
        return
      }
      let owner = try stack.client()
      _ = try await owner.call(asOperator).get()
      var ask = GameServerCredential()
      ask.game = Stack.game
      var asServer = SignInGameServer()
      asServer.game = Stack.game
      asServer.client = client
      asServer.credential = try await owner.call(ask).get().credential
      await owner.end()
      _ = try await raw.call(asServer).get()
    }

    @Test func malformedCalls() async throws {
      try await withClient { stack, client in
        for opcode: UInt16 in [0x00fe, 0x02fd, 0x7f01] {
          let answer = await client.call(Opcode(rawValue: opcode), ClientEnvelope())
          #expect(answer.code == .unknownOperation)
        }
        let (signedIn, credential) = try await stack.player("Anna")
        await signedIn.close()
        _ = try await client.call(SignIn(credential)).get()
        var submit = SubmitScore()
        submit.board = "none"
        submit.value = 1
        let keyless = await client.call(submit).failure
        #expect(keyless?.code == .requiredArgument && keyless?.argument == "idempotency")
        #expect(await client.call(submit, counter: 1).failure?.code == .notFound)

        var keyed = ClientEnvelope()
        keyed.idempotency.counter = 2
        let absurd: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff]
        #expect(await client.call(SubmitScore.opcode, keyed, absurd).code == .malformed)
        keyed.idempotency.counter = 3
        let name = "none".utf8
        let truncated = [0, 0, 0, UInt8(name.count)] + Array(name) + [1, 0]
        #expect(await client.call(SubmitScore.opcode, keyed, truncated).code == .malformed)
        // The gateway takes the key from the name's bytes; that they are no text is seen further
        // on.
        keyed.idempotency.counter = 4
        #expect(
          await client.call(SubmitScore.opcode, keyed, [0, 0, 0, 1, 0xff]).code == .malformed)
        #expect(await client.call(SignIn.opcode, ClientEnvelope(), absurd).code != nil)
        // A body without its envelope.
        #expect(await client.call(Echo.opcode, Broken(), []).code == .malformed)
      }
    }

    @Test("2.10 a client over its budget waits: each call is answered, and others are served")
    func tooManyCalls() async throws {
      try await withClient(["--calls-per-second", "50"]) { stack, client in
        let other = try RawClient(
          port: stack.gatewayPort, TLSClientContext(trust: .authority(stack.authority)))
        let began = ContinuousClock.now
        var codes: [FailureCode?] = []
        // More at once would be refused: 64 calls of a connection may be open.
        while codes.count < 300 {
          async let others = other.call(Echo()).code
          codes += await atOnce(60) { await client.call(Echo()).code }
          // The budget is the connection's: nobody else pays for it.
          #expect(await others == nil)
        }
        #expect(codes.allSatisfy { $0 == nil }, "\(codes)")
        // A hundred at once, and fifty a second after that, but for the last one.
        #expect(ContinuousClock.now - began >= .milliseconds(3_900))
        let status = try await stack.gatewayStatus()
        #expect((status["clients.held_back"] ?? 0) > 0)
        await other.end()
      }
    }

    @Test("2.10 a connection on which nobody signs in is closed, and a player's is not")
    func signInTime() async throws {
      try await withClient(["--sign-in-seconds", "5"]) { stack, client in
        let (player, _) = try await stack.player("Anna")
        #expect(await client.call(Echo()).code == nil)
        let gateway = try await stack.process("gateway")
        #expect(await gateway.logged("nobody has signed in in time"))
        #expect(player.state == .connected)
        await player.close()
      }
    }

    @Test func tooManySignIns() async throws {
      try await withClient(["--sign-ins-per-minute", "60"]) { stack, client in
        try await stack.renewGateway()
        var resume = Resume()
        resume.token = Bytes([1])
        var codes: [FailureCode?] = []
        let began = ContinuousClock.now
        while !codes.contains(.rateLimited) && codes.count < 1_000 {
          codes += await atOnce(61) { [resume] in await client.call(resume).code }
        }
        // One a second is added.
        let added = Int((ContinuousClock.now - began) / .seconds(1)) + 1
        let granted = codes.count { $0 == .invalidCredential }
        #expect(granted >= 60 && granted <= 60 + added)
        #expect(codes.count { $0 == .rateLimited } == codes.count - granted)
        #expect(await client.call(Echo()).code == nil)
      }
    }
  }
}

/// Says that it is longer than it is.
private struct Broken: Message {
  var count: UInt32 = 0
  init() {}
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    count = 4_000_000_000
    visit.field("count", &count)
  }
}
