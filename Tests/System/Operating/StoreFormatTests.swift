import Foundation
import MusterKit
import Operations
import Stack
import TestKit
import Testing
import Transport
import Wire

extension Operating {
  /// Stores that other builds wrote: `Tests/Stores/format-N.tar.gz` has the folders of all services
  /// of a deployment whose stores are in format N.
  ///
  /// `MUSTER_UPDATE_STORES=1 swift test --skip-build --filter SystemTests.System/Stores` writes the
  /// archive of this build's format anew. That is right as long as no version with the format was
  /// released; from then on the archive stays, so that every later build is tried with it.
  @Suite struct Stores {
    private static let board = "laps"
    private static let isUpdating =
      ProcessInfo.processInfo.environment["MUSTER_UPDATE_STORES"] != nil

    @Test("a store in the first format is refused, and left as it is")
    func olderFormat() async throws {
      let folder = try await unpack(format: 1)
      defer { try? FileManager.default.removeItem(at: folder) }
      try await withStack { stack in
        for service in Service.behindGateway {
          let data = folder.appendingPathComponent(service.name)
          let before = try contents(of: data)
          let process = try await stack.spawn(
            "\(service.name)/1", ["--listen", "127.0.0.1:0", "--data-directory", data.path])
          #expect(await process.ended() == 69)
          #expect(
            process.errors.contains(
              "The store was written by an older version in format 1, and this version reads "
                + "format 2. Nothing in it was changed."), "\(process.errors)")
          #expect(try contents(of: data) == before)
        }
      }
    }

    @Test("7.1 a store in this build's format is read: scores, friends, events and repeated calls")
    func thisFormat() async throws {
      if Self.isUpdating { try await write() }
      let folder = try await unpack(format: 2)
      defer { try? FileManager.default.removeItem(at: folder) }
      let known = try Known(folder)
      var options = Stack.Options()
      for service in Service.behindGateway {
        options.dataDirectories["\(service.name)/1"] =
          folder.appendingPathComponent(service.name).path
      }
      try await withStack(options) { stack in
        let ben = try stack.client()
        _ = try await ben.call(SignIn(known.ben)).get()
        var rank = RankOfPlayer()
        rank.board = Self.board
        rank.player = known.anna.player
        let reply = try await ben.call(rank).get()
        #expect(reply.entry?.rank == 1 && reply.entry?.value == 4_200 && reply.total == 1)
        let friends = try await ben.call(ListFriends()).get().friends
        #expect(friends.map(\.player) == [known.anna.player])
        let events = try await ben.call(ReadEvents()).get().events
        let invitation = events.first { Opcode(rawValue: $0.kind) == ContextInvitation.opcode }
        let body = try #require(invitation).body
        #expect(try ContextInvitation(decoding: body.array).inviter == known.anna.player)
        await ben.end()
        try await expectRepeated(known, stack)
      }
    }

    /// The gateway gives every sign-in an instance of its own, so the call comes as if from it.
    private func expectRepeated(_ known: Known, _ stack: Stack) async throws {
      let gateway = try RawClient(
        port: await stack.port("leaderboard/1"),
        TLSClientContext(
          trust: .authority(stack.authority), certificate: stack.certificate("gateway.pem"),
          key: stack.certificate("gateway.key"), serverName: "leaderboard.muster.internal"))
      var envelope = ServiceEnvelope()
      envelope.principal = Principal(
        kind: .player, game: Stack.game, player: known.anna.player, device: known.anna.device)
      envelope.routingKey = RoutingKey(game: Stack.game, name: Self.board)
      envelope.idempotency = IdempotencyKey(instance: known.instance, counter: 1, floor: 1)
      let again = await gateway.call(SubmitScore.opcode, envelope, known.call)
      #expect(try again.get() == known.reply)
      let other = await gateway.call(SubmitScore.opcode, envelope, known.call + [0])
      #expect(other.code == .keyReused)
      await gateway.end()
    }

    // MARK: Writing

    /// Plays a little on a stack of this build, ends its services at once, and packs their stores.
    private func write() async throws {
      let folder = temporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      try await withStack { stack in
        try await stack.declare(Self.board)
        let anna = try await stack.player("Anna")
        let ben = try await stack.player("Ben")
        try await befriend(anna, ben)
        try await anna.client.createContext(with: ben.1.player)
        for await event in ben.client.events(after: StreamPlace()) {
          if event.kind == ContextInvitation.opcode { break }
        }
        let raw = try stack.client()
        let session = try await raw.call(SignIn(anna.1)).get()
        var score = SubmitScore()
        score.board = Self.board
        score.value = 4_200
        let reply = try await raw.call(score, counter: 1).get()
        await raw.end()
        await anna.client.close()
        await ben.client.close()
        for name in stack.names where name != "gateway" { try await stack.kill(name) }
        for service in Service.behindGateway {
          try FileManager.default.copyItem(
            at: stack.directory.appendingPathComponent("data/\(service.name)/1"),
            to: folder.appendingPathComponent(service.name))
        }
        let known = Known(
          anna: anna.1, ben: ben.1, instance: session.instance, call: score.encoded,
          reply: reply.encoded)
        try known.write(to: folder)
        for name in stack.names where name != "gateway" { try await stack.start(name) }
      }
      _ = try await Tools.run(
        """
        cd '\(folder.path)' && rm -f */*-shm */*.lock
        tar --sort=name --owner=0 --group=0 -czf '\(Self.archive(2).path)' *
        """)
    }

    // MARK: Archives

    private static func archive(_ format: Int) -> URL {
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Stores/format-\(format).tar.gz")
    }

    private func unpack(format: Int) async throws -> URL {
      let folder = temporaryFolder()
      _ = try await Tools.run("tar -xzf '\(Self.archive(format).path)' -C '\(folder.path)'")
      return folder
    }

    private func temporaryFolder() -> URL {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("muster-stores-\(UUID().uuidString)")
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder
    }

    /// Each file's bytes, but not the lock and the index of a write-ahead log.
    private func contents(of folder: URL) throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { !$0.hasSuffix(".lock") && !$0.hasSuffix("-shm") }
      return try Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
        })
    }
  }
}

/// What a test has to know of an archive: it lies in it as the file `known`, with a line for each.
private struct Known {
  var anna: Credential
  var ben: Credential
  /// The client instance that submitted Anna's score in its first call.
  var instance: UInt64
  var call: [UInt8]
  var reply: [UInt8]

  init(
    anna: Credential, ben: Credential, instance: UInt64, call: [UInt8], reply: [UInt8]
  ) {
    (self.anna, self.ben, self.instance) = (anna, ben, instance)
    (self.call, self.reply) = (call, reply)
  }

  init(_ folder: URL) throws {
    let text = try String(contentsOf: folder.appendingPathComponent("known"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    anna = try #require(Credential(text: lines[0]))
    ben = try #require(Credential(text: lines[1]))
    instance = try #require(UInt64(lines[2]))
    call = try #require(Data(base64Encoded: lines[3])).map { $0 }
    reply = try #require(Data(base64Encoded: lines[4])).map { $0 }
  }

  func write(to folder: URL) throws {
    let lines = [
      anna.text, ben.text, "\(instance)", Data(call).base64EncodedString(),
      Data(reply).base64EncodedString(),
    ]
    try lines.joined(separator: "\n").write(
      to: folder.appendingPathComponent("known"), atomically: true, encoding: .utf8)
  }
}
