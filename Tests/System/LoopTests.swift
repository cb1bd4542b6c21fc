import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  /// A gateway with several loops is one gateway: to its clients, to its operator, in its limits.
  @Suite struct Loops {
    private static let count = 3

    private func withLoops(_ flags: [String] = [], _ body: (Stack) async throws -> Void)
      async throws
    {
      var options = Stack.Options()
      options.flags["gateway"] = ["--loops", "\(Self.count)"] + flags
      try await withStack(options) { stack in
        try await stack.renewGateway()
        try await body(stack)
      }
    }

    @Test func clientsAreSharedOutAndAddedUp() async throws {
      try await withLoops { stack in
        let clients = try await stack.clients(5)
        let before = try await stack.gatewayStatus()
        #expect(before.isReady && before.name == "muster-gateway")
        #expect(before["loops"] == 3 && before["clients"] == 6)
        // The sixth is the operator who asks.
        #expect((1...Self.count).map { before["clients.by_loop", "\($0)"] } == [2, 2, 2])
        #expect(before["clients.connected"] == 6)
        for client in clients {
          #expect(await client.call(Echo()).code == nil)
          await client.end()
        }
        let after = try await stack.gatewayStatus()
        // Five echoes and the operator's sign-in and question.
        #expect((after["calls"] ?? 0) - (before["calls"] ?? 0) == 5 + 2)
      }
    }

    /// The first clients of all loops have the same handle, each on its own loop's links.
    @Test func playersOfSeveralLoopsReachEachOther() async throws {
      try await withLoops { stack in
        var players: [(client: MusterClient, credential: Credential)] = []
        for name in ["Anna", "Ben", "Cleo"] { players.append(try await stack.player(name)) }
        let status = try await stack.gatewayStatus()
        #expect((1...Self.count).map { status["clients.by_loop", "\($0)"] } == [2, 1, 1])
        let cleosOther = MusterClient(stack.configuration)
        try await cleosOther.signIn(players[2].credential)

        for (index, player) in players.enumerated() {
          try await player.client.invite(players[(index + 1) % 3].credential)
        }
        for (index, player) in players.enumerated() {
          let inviter = players[(index + 2) % 3].credential.player
          #expect(await player.client.first(FriendInvitation.self)?.player == inviter)
        }
        let annas = players[0].credential.player
        let bens = players[1].credential.player
        #expect(await cleosOther.first(FriendInvitation.self)?.player == bens)

        // What is told to the services of a client that is gone is not said of others.
        await players[0].client.close()
        #expect(await (try stack.process("gateway")).logged("client closed player=\(annas)"))
        try await players[2].client.accept(bens)
        #expect(
          await players[1].client.first(FriendAccepted.self)?.player == players[2].credential.player
        )
        for client in [players[1].client, players[2].client, cleosOther] { await client.close() }
      }
    }

    @Test func aSessionIsResumedOnEveryLoop() async throws {
      try await withLoops { stack in
        let session = stack.directory.appendingPathComponent("session").path
        #expect(try await connect(stack, ["-sess_out", session]).contains("New, TLSv1.3"))
        for _ in 1...Self.count {
          #expect(try await connect(stack, ["-sess_in", session]).contains("Reused, TLSv1.3"))
        }
        let status = try await stack.gatewayStatus()
        #expect(status["clients.connected"] == UInt64(Self.count) + 2)
      }
    }

    /// Connects with openssl, and sends what is no frame, so that the gateway ends the connection
    /// when the ticket has surely come; gives what openssl says of it.
    private func connect(_ stack: Stack, _ options: [String]) async throws -> String {
      let input = Pipe()
      let client = try Tools.openTLS(stack, input, options)
      input.fileHandleForWriting.write(Data([0, 0, 0, 0]))
      await client.ended()
      return client.output
    }

    @Test func stopsWithClientsOnAllLoops() async throws {
      try await withLoops { stack in
        let clients = try await stack.clients(2 * Self.count)
        let gateway = try await stack.process("gateway")
        gateway.signal(SIGTERM)
        #expect(await gateway.ended() == 0, "\(gateway.errors)")
        #expect(gateway.errors.contains("stopped"))
        #expect(gateway.output.split(separator: "\n").count == 1, "ready once, whatever the loops")
        try await stack.start("gateway")
        // Links come back by themselves, to whichever loop.
        for client in clients {
          #expect(await client.call(Echo()).code == nil)
          await client.end()
        }
      }
    }

    // MARK: Limits of the whole process

    @Test func connectionsMax() async throws {
      try await withLoops(["--connections-max", "4"]) { stack in
        try await expectRoomForFour(stack, refusal: "4 connections are open")
      }
    }

    @Test func connectionsPerHost() async throws {
      try await withLoops(["--connections-per-host", "4"]) { stack in
        try await expectRoomForFour(stack, refusal: "4 connections of this host are open")
      }
    }

    /// The fifth connection is refused until one of the four is gone.
    private func expectRoomForFour(_ stack: Stack, refusal: String) async throws {
      let gateway = try await stack.process("gateway")
      let clients = try await stack.clients(4)
      let fifth = try stack.client()
      let refused = await fifth.call(
        Echo.opcode, ClientEnvelope(), Echo().encoded, deadlineMilliseconds: 2_000)
      #expect(refused.code == .disconnected)
      #expect(await gateway.logged(refusal))
      await clients[0].end()
      // Refused as often as it comes before the gateway has seen the other go.
      while await fifth.call(Echo()).code == .disconnected {}
      for client in clients.dropFirst() {
        #expect(await client.call(Echo()).code == nil)
        await client.end()
      }
      await fifth.end()
    }

    @Test func signInsPerMinute() async throws {
      try await withLoops(["--sign-ins-per-minute", "60"]) { stack in
        let clients = try await stack.clients(Self.count)
        var resume = Resume()
        resume.token = Bytes([1])
        var granted = 0
        let began = ContinuousClock.now
        for index in 0..<120 {
          if await clients[index % clients.count].call(resume).code != .rateLimited { granted += 1 }
        }
        // One a second is added; a budget for each loop would have granted all.
        let added = Int((ContinuousClock.now - began) / .seconds(1)) + 1
        #expect(granted >= 60 && granted <= 60 + added)
        for client in clients { await client.end() }
      }
    }
  }
}

extension MusterClient {
  fileprivate nonisolated func invite(_ credential: Credential) async throws {
    var invite = InviteFriend()
    invite.player = credential.player
    _ = try await call(invite)
  }

  fileprivate nonisolated func accept(_ player: PlayerID) async throws {
    var answer = AnswerFriend()
    answer.player = player
    answer.accept = true
    _ = try await call(answer)
  }

  /// The first event of a type, on whichever device it was seen; nil when the session ends before.
  fileprivate nonisolated func first<E: Event>(_ type: E.Type) async -> E? {
    for await event in events(after: StreamPlace()) {
      if let wanted = event.decode(type) { return wanted }
    }
    return nil
  }
}
