import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// A deployment that does without a service.
  @Suite struct LeftOut {
    @Test("7.2 a service that is left out is told apart from one that is down; the others serve")
    func leftOut() async throws {
      var options = Stack.Options()
      options.leftOut = [.leaderboard]
      try await withStack(options) { stack in
        // Signed up and in, and with a context: the gateway was ready without that service.
        let (anna, credential) = try await stack.player("Anna")
        _ = try await anna.call(CreateSoloContext())
        // The library tells its caller at once what would hold until the call's deadline too.
        let error = await #expect(throws: MusterError.self) {
          try await anna.call(SetChallengePreferences())
        }
        #expect(error?.code == .unavailable && error?.isOutcomeUnknown == false)
        await anna.close()
        let client = try stack.client()
        _ = try await client.call(SignIn(credential)).get()
        let failure = await client.call(GetChallengePreferences()).failure
        #expect(failure?.code == .unavailable)
        #expect(failure?.text == "This deployment runs no leaderboard service.")
        await client.end()
        let status = try await stack.gatewayStatus()
        #expect(status.isReady)
      }
    }

    @Test("a gateway of no service at all does not start")
    func nothing() async throws {
      var options = Stack.Options()
      options.leftOut = Set(Service.behindGateway)
      let stack = try Stack(options)
      let gateway = try await stack.spawn("gateway")
      #expect(await gateway.ended() == 78)
      #expect(gateway.errors.contains("The deployment leaves out every service."))
      await stack.stop()
    }
  }
}
