import MusterKit
import TestKit
import Testing
import Transport

@Suite("Clients that share a thread", .endsAtLast)
struct SharedThreadTests {
  @Test("The clients of a process share a few threads, which end with the last of them")
  func fewThreads() async throws {
    // Its own threads: clients of other tests keep those of the process.
    let threads = ClientThreads()
    var thread: LoopThread?
    do {
      let clients = (0..<50).map { number in
        MusterClient(
          MusterConfiguration(host: "127.0.0.1", port: 1, game: "game \(number)"),
          on: threads.take())
      }
      #expect(Set(clients.map { ObjectIdentifier($0.thread) }).count == ClientThreads.countMax)
      thread = clients[0].thread
    }
    weak let shared = thread
    thread = nil
    #expect(shared == nil)
  }

  @Test("A client that is released leaves the server, and others of its thread go on")
  func released() async throws {
    try await withWorld { world in
      let other = try await world.signedIn()
      let (left, applied) = (Signal(), Signal())
      try await world.server { server in
        server.isSilent = true
        server.onApplied = { applied.give() }
      }
      let open = Task { try await other.call(Add(1)).total }
      await applied.wait()
      try await world.server { server in
        server.isSilent = false
        server.onLeft = { left.give() }
      }
      do {
        let client = try await world.signedIn()
        _ = try await client.call(Echo())
      }
      await left.wait()
      #expect(try await world.server { $0.sessions.count } == 1)
      #expect(other.state == .connected)
      #expect(try await other.call(Add(2)).total == 2)
      open.cancel()
      _ = try? await open.value
      await other.close()
    }
  }

  @Test("A client that closes fails its own calls and no others")
  func closed() async throws {
    try await withWorld { world in
      let (client, other) = (try await world.signedIn(), try await world.signedIn())
      try await world.server { $0.isSilent = true }
      let applied = Signal()
      try await world.server { server in
        server.onApplied = { if server.applied.count == 2 { applied.give() } }
      }
      let own = Task {
        await error { () async throws(MusterError) in try await client.call(Add(1)) }
      }
      let others = Task { try await other.call(Add(2)).total }
      await applied.wait()
      await client.close()
      #expect(await own.value?.code == .disconnected)
      // The other client's call is repeated over its next connection.
      try await world.server { server in
        server.isSilent = false
        server.dropAll()
      }
      #expect(try await others.value <= 2)
      #expect(other.state == .connected && client.state == .closed)
      await other.close()
    }
  }

  @Test("Who takes no events holds up no client on its thread")
  func slowConsumer() async throws {
    try await withWorld { world in
      let (slow, other) = (try await world.signedIn(), try await world.signedIn())
      var events = slow.events.makeAsyncIterator()
      try await world.server { server in
        for _ in 0..<1_000 { server.append(EventsDropped()) }
      }
      #expect(await events.next()?.sequence == 1)
      #expect(try await other.call(Add(1)).total == 1)
      var heard = other.events.makeAsyncIterator()
      for sequence in 1...300 as ClosedRange<UInt64> {
        #expect(await heard.next()?.sequence == sequence)
      }
      await slow.close()
      #expect(await heard.next()?.sequence == 301)
      await other.close()
    }
  }

  @Test("A call that finds the thread ended is answered all the same")
  func endedThread() async throws {
    let world = try await World()
    let client = try await world.signedIn()
    await world.end()
    let late = await error { () async throws(MusterError) in try await client.call(Add(1)) }
    #expect(late?.code == .disconnected)
  }

  @Test("A task that was cancelled before its call gets no answer but that")
  func cancelledBefore() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let isCancelled = Signal()
      let task = Task {
        await isCancelled.wait()
        return await error { () async throws(MusterError) in
          try await client.call(Add(1), deadline: .seconds(3_600))
        }
      }
      try await world.server { $0.isSilent = true }
      task.cancel()
      isCancelled.give()
      #expect(await task.value?.code == .cancelled)
      await client.close()
    }
  }
}
