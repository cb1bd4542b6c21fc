import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  @Suite struct Streams {
    /// Without being told, the client would hear nothing until the stream had passed its place.
    @Test("2.8 a connected client hears what comes after its stream has gone back to a backup")
    func backup() async throws {
      try await withStack { stack in
        let (anna, credential) = try await stack.player("Anna")
        var others: [MusterClient] = []
        for number in 0...3 { others.append(try await stack.player("\(number)").client) }
        var invite = InviteFriend()
        invite.player = credential.player
        var events = anna.events(after: StreamPlace()).makeAsyncIterator()
        let data = stack.directory.appendingPathComponent("data/request/1")
        let copy = stack.directory.appendingPathComponent("backup")
        _ = try await others[0].call(invite)
        #expect(await events.next()?.sequence == 1)
        try await stack.whileStopped("request/1") {
          try FileManager.default.copyItem(at: data, to: copy)
        }
        for number in [1, 2] {
          _ = try await others[number].call(invite)
          #expect(await events.next()?.sequence == UInt64(number + 1))
        }
        try await stack.whileStopped("request/1") {
          try FileManager.default.removeItem(at: data)
          try FileManager.default.moveItem(at: copy, to: data)
        }
        _ = try await others[3].call(invite)
        // What was not acknowledged in the backup comes again.
        var heard = try #require(await events.next())
        #expect(heard.isAfterLoss)
        if heard.sequence == 1 { heard = try #require(await events.next()) }
        #expect(heard.sequence == 2)
        #expect(heard.decode(FriendInvitation.self)?.displayName == "3")
        for client in others + [anna] { await client.close() }
      }
    }

    /// Ben enters and leaves the pair's context as fast as he can, more often than one sender may
    /// have events unread. Anna acknowledges nothing meanwhile, or is not there.
    @Test(
      "2.11 a friend's flood of events costs nobody else's, and its gaps are told",
      arguments: [false, true])
    func flood(isOnline: Bool) async throws {
      try await withStack { stack in
        let ben = try await stack.player("Ben")
        let cleo = try await stack.player("Cleo")
        let (befriended, anna) = try await stack.player("Anna")
        for friend in [ben, cleo] { try await befriend(friend, (befriended, anna)) }
        await befriended.close()
        var configuration = stack.configuration
        configuration.acknowledgement = .manual
        let client = MusterClient(configuration)
        if isOnline { try await client.signIn(anna) }
        let rounds = 400
        for round in 0..<rounds {
          if round.isMultiple(of: 100) { try await ask(anna.player, as: cleo.client) }
          let context = try await ben.client.createContext(with: anna.player).context
          try await ben.client.leaveContext(context)
        }
        try await ask(anna.player, as: cleo.client)
        if !isOnline { try await client.signIn(anna) }
        try await hear(client, requests: 5, others: UInt64(2 * rounds))
        for client in [client, ben.client, cleo.client] { await client.close() }
      }
    }

    private func ask(_ player: PlayerID, as client: MusterClient) async throws {
      var send = SendRequest()
      send.message = "come and play"
      send.recipients = ["\(player)"]
      #expect(try await client.call(send).recipients.first?.outcome == .queued)
    }

    /// Takes events until so many requests and so many others were heard, or told as dropped. What
    /// is dropped behind a gap is told when the gap was acknowledged.
    private func hear(
      _ client: MusterClient, requests: Int, others: UInt64
    ) async throws {
      var events = client.events.makeAsyncIterator()
      var (asked, heard, dropped, gaps) = (0, UInt64(0), UInt64(0), 0)
      var through: UInt64 = 0
      while asked < requests || heard + dropped < others {
        let event = try #require(await events.next())
        #expect(event.sequence > through)
        through = event.sequence
        if event.kind == RequestReceived.opcode {
          asked += 1
        } else if let gap = event.decode(EventsDropped.self) {
          if gaps == 0 { #expect((200...300).contains(heard)) }
          #expect(event.isAfterLoss)
          (dropped, gaps) = (dropped + gap.count, gaps + 1)
          try await client.acknowledge(through: through)
        } else if event.kind != FriendInvitation.opcode {
          #expect([ContextInvitation.opcode, ContextPlayerChanged.opcode].contains(event.kind))
          heard += 1
        }
      }
      #expect(asked == requests && heard + dropped == others)
      #expect(gaps > 1)
    }

    /// A read that comes right behind an event, before that is durable, must hold it: a client that
    /// was told "everything up to 7" asks for 8 next.
    @Test func readRightBehindAnAppend() async throws {
      try await withStack { stack in
        let (player, credential) = try await stack.player("Anna")
        await player.close()
        let gateway = try RawClient(
          port: await stack.port("request/1"),
          TLSClientContext(
            trust: .authority(stack.authority), certificate: stack.certificate("gateway.pem"),
            key: stack.certificate("gateway.key"), serverName: "request.muster.internal"))
        let key = RoutingKey(reinterpreting: credential.player)
        var append = ServiceEnvelope()
        append.principal = Principal(
          kind: .service, game: Stack.game, player: PlayerID(), device: DeviceID())
        append.routingKey = key
        var read = append
        read.principal.kind = .player
        read.principal.player = credential.player
        for sequence in 1...UInt64(50) {
          var event = AppendEvent(FriendAccepted(), to: credential.player)
          event.body = Bytes([UInt8(sequence)])
          var page = ReadEvents()
          page.after = sequence - 1
          let answer = await gateway.callBoth(
            (AppendEvent.opcode, append, event.encoded), (ReadEvents.opcode, read, page.encoded))
          let reply = try ReadEvents.Reply(decoding: answer.get())
          #expect(reply.through == sequence && reply.events.map(\.sequence) == [sequence])
        }
        await gateway.end()
      }
    }
  }
}

extension Stack {
  /// Stops a process as an operator would, does something with its folder, and starts it again.
  fileprivate func whileStopped(_ name: String, _ body: @Sendable () throws -> Void) async throws {
    let process = try process(name)
    process.signal(SIGTERM)
    await process.ended()
    try body()
    try await start(name)
  }
}
