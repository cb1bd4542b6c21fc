import MusterKit
import TestKit
import Testing

@Suite("Client hints", .endsAtLast)
struct ClientHintTests {
  private func hint(_ number: Int, kind: Opcode = FriendInvitation.opcode) -> HintEvent {
    var event = HintEvent()
    event.kind = kind.rawValue
    event.body = Bytes(ClientEventTests.invitation(number).encoded)
    return event
  }

  private func push(_ events: [HintEvent], _ world: World) async throws {
    try await world.server { server in
      for session in server.sessions { for event in events { session.push(event) } }
    }
  }

  @Test("6.5 every consumer gets each hint, of kinds that it does not know too")
  func all() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var (one, other) = (client.hints.makeAsyncIterator(), client.hints.makeAsyncIterator())
      let unknown = Opcode(rawValue: 0x03DF)
      try await push([hint(1), hint(2, kind: unknown)], world)
      #expect(await one.next()?.decode(FriendInvitation.self)?.displayName == "1")
      #expect(await other.next()?.decode(FriendInvitation.self)?.displayName == "1")
      let strange = await one.next()
      #expect(strange?.kind == unknown && strange?.decode(FriendInvitation.self) == nil)
      #expect(await other.next() == strange)
      await client.close()
    }
  }

  @Test("a slow consumer has the newest hints")
  func newest() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var hints = client.hints.makeAsyncIterator()
      try await push((0..<100).map { hint($0) }, world)
      // Its answer comes behind the hints.
      _ = try await client.call(Add(1))
      var names: [String] = []
      for _ in 0..<64 {
        names.append(await hints.next()?.decode(FriendInvitation.self)?.displayName ?? "")
      }
      #expect(names == (36..<100).map { "\($0)" })
      await client.close()
    }
  }

  @Test("the sequence ends when the player signs out, and when the client closes")
  func ends() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var first = client.hints.makeAsyncIterator()
      try await client.signOut()
      #expect(await first.next() == nil)
      var second = client.hints.makeAsyncIterator()
      await client.close()
      #expect(await second.next() == nil)
      var late = client.hints.makeAsyncIterator()
      #expect(await late.next() == nil)
    }
  }
}
