import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// Bytes that are not what the protocol says, after a good handshake.
  @Suite struct Framing {
    /// Garbage, a length of 4 GiB, a version and a kind that nobody knows: an error frame that says
    /// what is wrong, then the end of the connection.
    @Test(arguments: [
      (Array("this is not the protocol".utf8), "lengthOverLimit"),
      ([0xff, 0xff, 0xff, 0xff, 1, 0, 0, 1], "lengthOverLimit(4294967295)"),
      ([0, 0, 0, 8, 9, 0, 0, 1, 0, 0, 0, 1], "unsupportedVersion(9)"),
      ([0, 0, 0, 8, 1, 77, 0, 1, 0, 0, 0, 1], "unknownKind(77)"),
      ([0, 0, 0, 0], "lengthOverLimit(0)"),
    ])
    func bytesThatAreNoFrame(_ bytes: [UInt8], _ reason: String) async throws {
      try await withStack { stack in
        let input = Pipe()
        let client = try Tools.openTLS(stack, input)
        input.fileHandleForWriting.write(Data(bytes))
        await client.ended()
        #expect(client.output.contains("not a frame that is taken here"), "\(client.output)")
        #expect(await (try stack.process("gateway")).logged(reason))
      }
    }

    @Test func halfAFrameThenSilence() async throws {
      var options = Stack.Options()
      options.flags["gateway"] = ["--partial-frame-seconds", "1"]
      try await withStack(options) { stack in
        let input = Pipe()
        let client = try Tools.openTLS(stack, input)
        input.fileHandleForWriting.write(Data([0, 0, 0, 100, 1, 0, 0]))
        await client.ended()
        #expect(await (try stack.process("gateway")).logged("a frame was not finished in time"))
      }
    }

    @Test func silenceInTheHandshake() async throws {
      try await withStack { stack in
        let gateway = try await stack.process("gateway")
        let client = try Tools.shell(
          "exec 3<>/dev/tcp/127.0.0.1/\(stack.gatewayPort); cat <&3")
        // It waits for its ten seconds; meanwhile and afterwards everybody else is served.
        try await stack.expectServes()
        await client.ended()
        #expect(await gateway.logged("handshake not finished in time"))
      }
    }

    /// A client asks for 60 half-megabyte answers and takes none: it is given up before it costs
    /// more than its megabyte, and nobody else notices.
    @Test func clientThatNeverReads() async throws {
      try await withStack { stack in
        let (sender, _) = try await stack.player("Sender")
        let (reader, credential) = try await stack.player("Reader")
        try await befriend(sender, credential.player, reader)
        try await fillStream(of: credential.player, by: sender)
        await reader.close()
        let input = Pipe()
        let client = try Tools.openTLS(stack, input, readsOutput: false)
        input.fileHandleForWriting.write(Data(calls(credential)))
        let gateway = try await stack.process("gateway")
        #expect(await gateway.logged("the peer does not read what is sent to it"))
        try await stack.expectServes()
        client.signal(SIGKILL)
        await sender.close()
      }
    }

    private func befriend(_ one: MusterClient, _ player: PlayerID, _ other: MusterClient)
      async throws
    {
      var invite = InviteFriend()
      invite.player = player
      _ = try await one.call(invite)
      for await event in other.events {
        guard let invitation = event.decode(FriendInvitation.self) else { continue }
        var answer = AnswerFriend()
        answer.player = invitation.player
        answer.accept = true
        _ = try await other.call(answer)
        break
      }
      for await event in one.events where event.decode(FriendAccepted.self) != nil { break }
    }

    /// Sixty events of eighteen kilobytes each.
    private func fillStream(of player: PlayerID, by sender: MusterClient) async throws {
      var send = SendRequest()
      send.message = String(repeating: "m", count: RequestLimits.messageBytesMax)
      let character = "e" + String(repeating: "\u{301}", count: 30)
      send.data = String(repeating: character, count: RequestLimits.dataCharactersMax)
      send.recipients = [player.description]
      for _ in 0..<60 { _ = try await sender.call(send) }
    }

    private func calls(_ credential: Credential) -> [UInt8] {
      let signIn = SignIn(credential)
      var read = ReadEvents()
      read.limit = UInt32(StreamLimits.pageMax)
      let bodies =
        [(SignIn.opcode, signIn.encoded)]
        + Array(repeating: (ReadEvents.opcode, read.encoded), count: 60)
      return bodies.enumerated().flatMap { number, call in
        FrameHeader(kind: .request, opcode: call.0.rawValue, correlation: UInt32(number + 1))
          .frame(body: Enveloped.join(ClientEnvelope(), call.1))
      }
    }
  }
}
