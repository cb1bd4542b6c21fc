import Foundation
import LocalServer
import Locking
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  @Suite struct PushHooks {
    private static let eventCount = 10

    private static func options(_ server: TestServer, partitions: Int) -> Stack.Options {
      var options = Stack.Options(partitions: partitions)
      for number in 1...partitions {
        options.flags["request/\(number)"] = [
          "--push-hook", "\(server.url)/hook", "--push-hook-authority", TestAuthority.shared.file,
          "--push-hook-secret", "\(PushEndpoint.secret),\(PushEndpoint.formerSecret)",
          "--push-hook-seconds", "1", "--push-hook-delay-seconds", "1",
        ]
      }
      return options
    }

    /// Anna is connected and acknowledges what she gets. Ben is away, and the endpoint is dead at
    /// first; then it fails, hangs, doubles and is slow, and the service dies in between.
    @Test(
      "2.8 the push hook has each event of a player who is away, and none that was acknowledged",
      arguments: [1, 2])
    func delivers(partitions: Int) async throws {
      let endpoint = PushEndpoint()
      let server = TestServer.start { endpoint.steps($0) }
      defer { server.stop() }
      try await withStack(Self.options(server, partitions: partitions)) { stack in
        var configuration = stack.configuration
        configuration.acknowledgement = .manual
        let anna = MusterClient(configuration)
        let credential = try await anna.signUp(displayName: "Anna")
        try await anna.signIn(credential)
        let (client, ben) = try await stack.player("Ben")
        await client.close()
        for number in 0..<Self.eventCount {
          try await invite([credential.player, ben.player], from: "\(number)", stack)
        }
        try await acknowledge(anna, Self.eventCount)
        await endpoint.reaches { $0.callCount >= 4 }
        try await expectBounded(stack)
        try await killServices(stack, partitions)
        endpoint.wakeUp()
        await endpoint.reaches { $0.taken.count >= 4 }
        try await killServices(stack, partitions)
        await endpoint.reaches { $0.taken.count >= Self.eventCount }
        // Rows that were due before these have been looked at once these are here.
        for number in 1...2 {
          try await invite([ben.player], from: "last \(number)", stack)
          await endpoint.reaches { $0.taken.count >= Self.eventCount + number }
        }
        // Of eight calls in a row it takes one without an answer, and is told of that event again.
        await endpoint.reaches { $0.doubleCount > 0 }
        try await expectTaken(endpoint, ben, stack)
        await anna.close()
      }
    }

    private func invite(_ players: [PlayerID], from name: String, _ stack: Stack) async throws {
      let (client, _) = try await stack.player(name)
      for player in players {
        var invite = InviteFriend()
        invite.player = player
        _ = try await client.call(invite)
      }
      await client.close()
    }

    private func acknowledge(_ client: MusterClient, _ count: Int) async throws {
      var events = client.events.makeAsyncIterator()
      for number in 1...count {
        #expect(try #require(await events.next()).sequence == UInt64(number))
      }
      try await client.acknowledge(through: UInt64(count))
    }

    private func killServices(_ stack: Stack, _ partitions: Int) async throws {
      for number in 1...partitions {
        try await stack.kill("request/\(number)")
        try await stack.start("request/\(number)")
      }
    }

    /// What waits is not in memory, however long the endpoint is dead.
    private func expectBounded(_ stack: Stack) async throws {
      let client = try await stack.operatorClient()
      let reply = try await client.call(DeploymentStatus()).get()
      let services = reply.processes.filter { $0.name == "muster-request" }
      #expect(services.allSatisfy { ($0["push.held"] ?? .max) <= 16 && $0["push.delivered"] == 0 })
      #expect(services.contains { ($0["push.failed"] ?? 0) > 0 })
      await client.end()
    }

    private func expectTaken(
      _ endpoint: PushEndpoint, _ ben: Credential, _ stack: Stack
    ) async throws {
      let found = endpoint.state.withLock { $0 }
      #expect(found.unsignedCount == 0)
      #expect(found.doubleCount > 0)
      #expect(found.players == [ben.player.description])
      let client = MusterClient(stack.configuration)
      try await client.signIn(ben)
      var events = client.events.makeAsyncIterator()
      var count = 0
      while count < found.taken.count {
        let event = try #require(await events.next())
        let told = try #require(found.taken[event.id.description])
        count += 1
        #expect(told.sequence == event.sequence && told.game == event.game)
        #expect(told.kind == "FriendInvitation" && told.number == event.kind.rawValue)
        #expect(told.time == event.time)
        #expect(told.event.displayName == event.decode(FriendInvitation.self)?.displayName)
      }
      #expect(count == Self.eventCount + 2)
      await client.close()
    }
  }
}
