import MusterKit
import TestKit
import Testing

@Suite("Client matchmaking", .endsAtLast)
struct ClientMatchmakingTests {
  @Test("3.2 a ticket is waited for, and its match joined, as soon as its context is open")
  func found() async throws {
    try await withWorld { world in
      try await world.server { $0.tickets.earlyJoins = 2 }
      let client = try await world.signedIn()
      let match = try await client.findMatch(in: "7")
      #expect(match.context == FakeTickets.context && match.expectedPlayerCount == 1)
      #expect(try await world.server { $0.tickets.info.playerGroup } == "7")
      await client.close()
    }
  }

  @Test("2.8 who watches for an event of matchmaking takes none from who consumes them later")
  func watches() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let events = client.matchmakingEvents
      try await world.server { server in
        server.append(FriendInvitation())
        server.append(JoiningEnded())
      }
      var watcher = events.makeAsyncIterator()
      #expect(await watcher.next()?.kind == JoiningEnded.opcode)
      let watching = Task { [watcher] in
        var watcher = watcher
        return await watcher.next()
      }
      var consumer = client.events.makeAsyncIterator()
      #expect(await consumer.next()?.sequence == 1)
      #expect(await consumer.next()?.sequence == 2)
      try await client.signOut()
      #expect(await watching.value == nil)
    }
  }

  @Test("3.2 a ticket that has expired says which rule kept it from a match")
  func expired() async throws {
    try await withWorld { world in
      try await world.server { $0.tickets.end = .expired }
      let client = try await world.signedIn()
      await #expect {
        _ = try await client.findMatch()
      } throws: { error in
        let error = error as? MusterError
        return error?.code == .deadlineExceeded && error?.argument == "number"
      }
      await client.close()
    }
  }

  @Test("3.2 who waits by a ticket that the server has lost is told so")
  func lost() async throws {
    try await withWorld { world in
      try await world.server { $0.tickets.isLost = true }
      let client = try await world.signedIn()
      let error = await error { () async throws(MusterError) in try await client.findMatch() }
      #expect(error?.code == .notFound && error?.argument == "ticket")
      #expect(try await world.server { $0.tickets.cancelCount } == 1)
      await client.close()
    }
  }

  @Test(
    "3.2 who stops waiting cancels the ticket, and gets the match if that was found before",
    arguments: [TicketState.cancelled, .matched])
  func cancelled(end: TicketState) async throws {
    try await withWorld { world in
      var looked = try await world.server { server in
        (server.tickets.looksBefore, server.tickets.endOnCancel) = (.max, end)
        return server.tickets.looked.stream
      }.makeAsyncIterator()
      let client = try await world.signedIn()
      let search = Task {
        var operation = FindMatch()
        operation.playerGroup = "0"
        let ticket = try await client.call(operation).ticket
        return try await client.ticketOutcome(of: ticket, in: "0")
      }
      await looked.next()
      search.cancel()
      let info = try await search.value
      #expect(info.state == end && (info.context != nil) == (end == .matched))
      #expect(try await world.server { $0.tickets.cancelCount } == 1)
      await client.close()
    }
  }

  @Test("3.2 who stops waiting before the ticket's id is known cancels it as soon as it is")
  func cancelledEarly() async throws {
    try await withWorld { world in
      var found = try await world.server { server in
        server.tickets.looksBefore = .max
        return server.tickets.found.stream
      }.makeAsyncIterator()
      let client = try await world.signedIn()
      try await world.server { $0.isSilent = true }
      let search = Task {
        await error { () async throws(MusterError) in try await client.findMatch() }
      }
      await found.next()
      search.cancel()
      // The reply was lost; the call that is repeated gets it.
      try await world.server { server in
        server.isSilent = false
        server.dropAll()
      }
      #expect(await search.value?.code == .cancelled)
      #expect(try await world.server { $0.tickets.cancelCount } == 1)
      await client.close()
    }
  }

  @Test("3.2 who stops joining the match that was found leaves it, so that nobody waits there")
  func cancelledJoin() async throws {
    try await withWorld { world in
      var early = try await world.server { server in
        server.tickets.earlyJoins = .max
        return server.tickets.joinedEarly.stream
      }.makeAsyncIterator()
      let client = try await world.signedIn()
      let search = Task {
        await error { () async throws(MusterError) in try await client.findMatch() }
      }
      await early.next()
      search.cancel()
      #expect(await search.value?.code == .cancelled)
      #expect(try await world.server { $0.tickets.contextsLeft } == [FakeTickets.context])
      await client.close()
    }
  }
}
