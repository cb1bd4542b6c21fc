import MusterKit
import TestKit
import Testing

@Suite("Client events", .endsAtLast)
struct ClientEventTests {
  static func invitation(_ number: Int) -> FriendInvitation {
    var event = FriendInvitation()
    event.displayName = "\(number)"
    return event
  }

  /// The names in the first `count` events; their sequence numbers must be without gap.
  static func collect(_ count: Int, _ client: MusterClient) async -> [String] {
    var names: [String] = []
    for await event in client.events {
      #expect(event.sequence == UInt64(names.count + 1))
      names.append(event.decode(FriendInvitation.self)?.displayName ?? "")
      if names.count == count { break }
    }
    return names
  }

  @Test(
    "2.8 each event once, in order, over lost pushes and connections",
    arguments: [
      (1, .memory), (2, .memory), (3, .tls),
    ] as [(UInt64, World.Road)])
  func inOrder(seed: UInt64, road: World.Road) async throws {
    try await withWorld(seed: seed, road: road) { world in
      let client = try await world.signedIn()
      try await world.server { server in
        server.faultEvery = 6
        server.losePushEvery = 5
        server.replayMax = 7
      }
      async let first = Self.collect(600, client)
      async let second = Self.collect(600, client)
      for batch in 0..<20 {
        try await world.server { server in
          for number in 0..<30 { server.append(Self.invitation(batch * 30 + number)) }
        }
        _ = try await client.call(Add(1))
      }
      // The last push may be lost too; then only a later one, or a new session, tells.
      try await world.server { $0.dropAll() }
      let expected = (0..<600).map { "\($0)" }
      #expect(await first == expected)
      #expect(await second == expected)
    }
  }

  /// Events are pushed again only to those who have read what they missed.
  @Test("2.8 a client that missed much reads it by itself, whether or not anybody consumes events")
  func readsOn() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await world.server { server in
        server.replayMax = 2
        server.dropAll()
        for number in 0..<250 { server.append(Self.invitation(number)) }
      }
      _ = try await client.call(Add(1))
      while try await world.server({ !$0.sessions.contains { $0.isLive } }) {
        _ = try await client.call(Echo())
      }
      try await world.server { $0.append(Self.invitation(250)) }
      #expect(await Self.collect(251, client) == (0...250).map { "\($0)" })
    }
  }

  @Test("2.8 a server that has gone back in time is followed, and the next event says so")
  func goesBack() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await world.server { server in
        for number in 0..<5 { server.append(Self.invitation(number)) }
      }
      let events = client.events(after: StreamPlace())
      var consumer = events.makeAsyncIterator()
      for number in 1...5 as ClosedRange<UInt64> {
        #expect(await consumer.next()?.sequence == number)
      }
      try await world.server { server in
        server.goBack(to: 3)
        // The stream has passed the place that the client knows, with other events.
        for number in 10..<13 { server.append(Self.invitation(number)) }
      }
      var heard: [(name: String, isAfterLoss: Bool)] = []
      while heard.last?.name != "12", let event = await consumer.next() {
        heard.append(
          (event.decode(FriendInvitation.self)?.displayName ?? "", event.isAfterLoss))
      }
      #expect(heard.suffix(3).map(\.name) == ["10", "11", "12"])
      #expect(heard.map(\.isAfterLoss).filter { $0 }.count == 1 && heard.first?.isAfterLoss == true)
    }
  }

  @Test("2.8 a place that a game has kept over the loss of the stream is noticed")
  func keptPlace() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await world.server { server in
        for number in 0..<5 { server.append(Self.invitation(number)) }
      }
      let place = try #require(await Self.last(of: 4, client)).place
      try await client.signOut()
      try await world.server { server in
        server.goBack(to: 1)
        for number in 10..<14 { server.append(Self.invitation(number)) }
      }
      let later = try await world.signedIn()
      var consumer = later.events(after: place).makeAsyncIterator()
      // It begins where the player has acknowledged, which may be before all of them.
      var heard: [(name: String, isAfterLoss: Bool)] = []
      while heard.last?.name != "13", let event = await consumer.next() {
        heard.append((event.decode(FriendInvitation.self)?.displayName ?? "", event.isAfterLoss))
      }
      #expect(heard.suffix(4).map(\.name) == ["10", "11", "12", "13"])
      #expect(heard.first?.isAfterLoss == true && heard.count(where: \.isAfterLoss) == 1)
    }
  }

  private static func last(of count: Int, _ client: MusterClient) async -> PlayerEvent? {
    var iterator = client.events(after: StreamPlace()).makeAsyncIterator()
    var last: PlayerEvent?
    for _ in 0..<count { last = await iterator.next() }
    return last
  }

  @Test("2.8 what was dealt with is acknowledged by itself, and not before")
  func acknowledges() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let acknowledged = Signal()
      try await world.server { server in
        server.onAcknowledged = { if $0 == 3 { acknowledged.give() } }
        for number in 0..<3 { server.append(Self.invitation(number)) }
      }
      let found = Signal()
      let consumer = Task {
        var count = 0
        for await event in client.events {
          count += 1
          // Not dealt with, and so not acknowledged, before the other consumer has it.
          if event.sequence == 4 { await found.wait() }
        }
        return count
      }
      await acknowledged.wait()
      // A later consumer begins after what was acknowledged.
      try await world.server { $0.append(Self.invitation(3)) }
      var later = client.events.makeAsyncIterator()
      #expect(await later.next()?.sequence == 4)
      found.give()
      try await client.signOut()
      #expect(await consumer.value == 4)
    }
  }

  @Test("2.8 what a consumer that has left had dealt with is acknowledged")
  func acknowledgesAfterLeaving() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let acknowledged = Signal()
      try await world.server { server in
        server.onAcknowledged = { if $0 == 2 { acknowledged.give() } }
        for number in 0..<3 { server.append(Self.invitation(number)) }
      }
      // The third is in hand when it leaves, and comes again.
      #expect(await Self.collect(3, client).count == 3)
      await acknowledged.wait()
      var later = client.events.makeAsyncIterator()
      #expect(await later.next()?.sequence == 3)
    }
  }

  @Test("2.8 an acknowledgement that was refused for a time is made again, without a new event")
  func acknowledgesAgain() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let acknowledged = Signal()
      try await world.server { server in
        server.acknowledgementsRefused = 1
        server.onAcknowledged = { if $0 == 2 { acknowledged.give() } }
        for number in 0..<2 { server.append(Self.invitation(number)) }
      }
      let consumer = Task {
        var count = 0
        for await _ in client.events { count += 1 }
        return count
      }
      await acknowledged.wait()
      try await client.signOut()
      #expect(await consumer.value == 2)
    }
  }

  @Test("2.8 an acknowledgement is not repeated where its number is another event's by now")
  func otherPast() async throws {
    try await withWorld { world in
      let client = try await world.signedIn { $0.acknowledgement = .manual }
      try await world.server { server in
        for number in 0..<3 { server.append(Self.invitation(number)) }
      }
      #expect(await Self.collect(3, client).count == 3)
      let refused = Signal()
      try await world.server { server in
        server.acknowledgementsRefused = .max
        server.onAcknowledgementRefused = { refused.give() }
      }
      let call = Task { () async -> MusterError? in
        await error { () async throws(MusterError) in try await client.acknowledge(through: 3) }
      }
      await refused.wait()
      try await world.server { server in
        server.goBack(to: 1)
        for number in 10..<14 { server.append(Self.invitation(number)) }
        server.acknowledgementsRefused = 0
      }
      #expect(await call.value?.code == .cursorLost)
      #expect(try await world.server { $0.acknowledged } == 0)
    }
  }

  @Test("A consumer ends with the session that it was made in, also when it was not waiting")
  func endsWithSession() async throws {
    try await withWorld { world in
      let client = world.client()
      let credential = try await client.signUp(displayName: "Ada")
      try await client.signIn(credential)
      try await world.server { $0.append(Self.invitation(0)) }
      var begun = client.events.makeAsyncIterator()
      #expect(await begun.next()?.sequence == 1)
      var unused = client.events(after: StreamPlace()).makeAsyncIterator()
      try await client.signOut()
      try await client.signIn(credential)
      try await world.server { $0.append(Self.invitation(1)) }
      #expect(await begun.next() == nil)
      #expect(await unused.next() == nil)
      var next = client.events(after: StreamPlace(1)).makeAsyncIterator()
      #expect(await next.next()?.sequence == 2)
    }
  }

  @Test("A consumer that was there before sign-in gets everything; cancelling ends its wait")
  func early() async throws {
    try await withWorld { world in
      let client = world.client()
      let consumer = Task { await Self.collect(2, client) }
      let other = world.client()
      let idle = Task { () -> Bool in
        var iterator = other.events.makeAsyncIterator()
        return await iterator.next() == nil
      }
      try await world.server { $0.append(Self.invitation(0)) }
      let credential = try await client.signUp(displayName: "Ada")
      try await client.signIn(credential)
      try await world.server { $0.append(Self.invitation(1)) }
      #expect(await consumer.value == ["0", "1"])
      idle.cancel()
      #expect(await idle.value)
    }
  }

  @Test("States tell of each step, and end with the client")
  func states() async throws {
    try await withWorld { world in
      let client = world.client()
      let states = client.states
      let credential = try await client.signUp(displayName: "Ada")
      try await client.signIn(credential)
      await client.close()
      var seen: [ConnectionState] = []
      for await state in states { seen.append(state) }
      #expect(seen == [.signedOut, .connecting, .connected, .closed])
    }
  }
}
