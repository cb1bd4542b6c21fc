import Foundation
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

    @Test("7.2 without the request service operators declare boards, and games' servers call")
    func leftOutRequest() async throws {
      var options = Stack.Options()
      options.leftOut = [.request]
      try await withStack(options) { stack in
        let file = stack.directory.appendingPathComponent("boards.json")
        try Data(#"{"leaderboards": [{"board": "laps", "isServerWritten": true}]}"#.utf8)
          .write(to: file)
        let apply = try Tools.muster(stack, ["apply", file.path])
        #expect(await apply.ended() == 0, "\(apply.errors)")
        #expect(
          apply.output.contains(
            "demo is not declared: This deployment runs no request service."), "\(apply.output)")
        #expect(apply.output.contains("board: laps"))
        // A player's sign-in is not tried again until its deadline.
        let client = MusterClient(stack.configuration)
        let stranger = Credential(
          player: PlayerID(high: 1, low: 1), device: DeviceID(high: 1, low: 2), secret: [3])
        let error = await #expect(throws: MusterError.self) { try await client.signIn(stranger) }
        #expect(error?.text == "This deployment runs no request service.")
        await client.close()
        let declare = try Tools.muster(stack, ["game", "declare", "demo"])
        #expect(await declare.ended() == 69, "nobody could tell that the game is declared")

        let credential = try Tools.muster(stack, ["credential", "--json"])
        #expect(await credential.ended() == 0, "\(credential.errors)")
        let text = try #require(credential.output.firstMatch(of: #/"credential":"([^"]+)"/#))
        var asServer = SignInGameServer()
        (asServer.game, asServer.credential) = (Stack.game, String(text.output.1))
        let server = try stack.client()
        _ = try await server.call(asServer).get()
        var describe = DescribeLeaderboard()
        describe.board = "laps"
        #expect(try await server.call(describe).get().definition.isServerWritten)
        await server.end()
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
