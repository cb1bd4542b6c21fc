import MusterKit
import TestKit
import Testing

@Suite("Client profiles", .endsAtLast)
struct ClientProfileTests {
  @Test("2.9 the list of friends is read to its end, each friend once and with presence")
  func friends() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      for count in [0, 1, 100, 101, 350] as [UInt64] {
        try await world.server { $0.profiles.friendCount = count }
        let friends = try await client.friends()
        #expect(friends.map(\.player.low) == Array(0..<count))
        #expect(friends.allSatisfy { $0.presence == .online })
      }
      await client.close()
    }
  }

  @Test("2.9 friends who cannot be asked do not take the list away: it comes without presence")
  func unreachable() async throws {
    try await withWorld { world in
      let client = try await world.signedIn { $0.callDeadline = .seconds(4) }
      try await world.server { server in
        (server.profiles.friendCount, server.profiles.unreachable) = (350, 220)
      }
      let friends = try await client.friends()
      #expect(friends.map(\.player.low) == Array(0..<350))
      #expect(friends.allSatisfy { $0.presence == .none })
      await client.close()
    }
  }

  @Test("2.9 one loop reads all pages, for every layer, and ends with the failure of a page")
  func pages() async throws {
    var fake = FakeProfiles()
    fake.friendCount = 350
    let all = try await ListFriends.all { (list) async throws(Failure) in
      try fake.list(list).get()
    }
    #expect(all.count == 350 && fake.lists.map(\.cursor) == ["", "150", "300"])
    fake.unreachable = 220
    let failure = await #expect(throws: Failure.self) {
      try await ListFriends.all(limit: 100) { (list) async throws(Failure) in
        try fake.list(list).get()
      }
    }
    #expect(failure?.code == .unavailable)
  }

  /// A picture as far as rules read it, in three pieces.
  private let photo: [UInt8] = {
    let begin: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0] + [0xFF, 0xDA, 0, 2]
    return begin + [UInt8](repeating: 7, count: 80_000) + [0xFF, 0xD9]
  }()

  @Test("2.9 a photo goes on where the server is, and what it finds wrong is thrown")
  func photos() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      // The first piece is there, from a program that has ended since.
      try await world.server { $0.profiles.received = 32_768 }
      #expect(try await client.setPhoto(photo) == PhotoID(of: photo))
      #expect(try await world.server { $0.profiles.pieces } == [0, 32_768, 65_536])
      try await world.server { $0.profiles.fault = .otherContent }
      let wrong = await error { () async throws(MusterError) in try await client.setPhoto(photo) }
      #expect(wrong?.code == .invalidArgument && wrong?.argument == "photo")
      #expect(try await world.server { $0.profiles.pieces.count } == 6)
      await client.close()
    }
  }

  @Test("2.9 a service that was reached again is told of as a hint: presence is to be read again")
  func restored() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var hints = client.hints.makeAsyncIterator()
      try await world.server { server in
        for session in server.sessions { session.push(ServiceRestored(.request)) }
      }
      let hint = await hints.next()
      #expect(hint?.decode(ServiceRestored.self)?.service == Service.request.rawValue)
      await client.close()
    }
  }
}
