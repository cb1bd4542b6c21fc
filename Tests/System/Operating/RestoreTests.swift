import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// Stores that are put back from backups, as the run book says it.
  @Suite struct Restores {
    @Test("7.1 stores that are put back from different moments fit together again")
    func differentMoments() async throws {
      try await withStack { stack in
        let anna = try await stack.player("Anna")
        let ben = try await stack.player("Ben")
        try await befriend(anna, ben)
        let backups = Backups(stack)
        try await backups.whileStopped { try backups.keep("early") }
        var events = ben.client.events.makeAsyncIterator()
        let made = try await anna.client.createContext(with: ben.1.player)
        try await expectInvitation(made, &events)
        try await backups.whileStopped { try backups.keep("late") }

        // Ben's stream is older than what the context service has told it.
        try await backups.whileStopped {
          try backups.putBack("request", from: "early")
          try backups.putBack("context", from: "late")
          try await backups.markAll()
        }
        try await expectInvitation(made, &events)
        #expect(try await invitations(of: ben.client) == [made.createdAt], "once")

        for _ in 1...5 {
          try await anna.client.leaveContext(made.context)
          try await anna.client.createContext(with: ben.1.player)
          try await expectNews(&events)
        }
        // The context service knows nothing of what it has told Ben's stream, and nobody marks it.
        try await backups.whileStopped { try backups.putBack("context", from: "early") }
        let new = try await anna.client.createContext(with: ben.1.player)
        let context = try await stack.process("context/1")
        #expect(await context.logged("has gone back to an earlier state and is not marked"))
        #expect(try await !invitations(of: ben.client).contains(new.createdAt))
        #expect(context.errors.contains("put the backup back again"), "it has no mark of before")
        try await backups.whileStopped {
          try backups.putBack("context", from: "early")
          try await backups.markAll()
        }
        let heard = try await anna.client.createContext(with: ben.1.player)
        try await expectInvitation(heard, &events)
        #expect(try await invitations(of: ben.client).count { $0 == heard.createdAt } == 1)
        await anna.client.close()
        await ben.client.close()
      }
    }

    private func expectInvitation(
      _ made: ContextInfo, _ events: inout PlayerEvents.Iterator
    ) async throws {
      while let event = await events.next() {
        let invitation = event.decode(ContextInvitation.self)
        if invitation?.info.createdAt == made.createdAt { return }
      }
      Issue.record("the events have ended")
    }

    /// Anything about the context.
    private func expectNews(_ events: inout PlayerEvents.Iterator) async throws {
      while let event = await events.next() {
        if [ContextInvitation.opcode, ContextPlayerChanged.opcode].contains(event.kind) { return }
      }
      Issue.record("the events have ended")
    }

    /// When the contexts were made that a player's stream tells of.
    private func invitations(of client: MusterClient) async throws -> [Int64] {
      try await client.call(ReadEvents()).events
        .filter { Opcode(rawValue: $0.kind) == ContextInvitation.opcode }
        .map { try ContextInvitation(decoding: $0.body.array).info.createdAt }
    }
  }
}

/// Copies of the services' folders.
private struct Backups {
  let stack: Stack
  private var services: [String] { stack.names.filter { $0 != "gateway" } }

  init(_ stack: Stack) { self.stack = stack }

  private func folder(_ name: String) -> URL { stack.directory.appendingPathComponent(name) }

  /// Stops all services as an operator would, does something, and starts them again.
  func whileStopped(_ body: () async throws -> Void) async throws {
    for name in services {
      let process = try await stack.process(name)
      process.signal(SIGTERM)
      #expect(await process.ended() == 0)
    }
    try await body()
    for name in services { try await stack.start(name) }
  }

  func keep(_ moment: String) throws {
    try FileManager.default.copyItem(at: folder("data"), to: folder(moment))
  }

  func putBack(_ service: String, from moment: String) throws {
    try FileManager.default.removeItem(at: folder("data/\(service)"))
    try FileManager.default.copyItem(
      at: folder("\(moment)/\(service)"), to: folder("data/\(service)"))
  }

  func markAll() async throws { try await stack.markRestored(services) }
}
