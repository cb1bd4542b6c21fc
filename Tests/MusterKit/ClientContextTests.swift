import MusterKit
import TestKit
import Testing
import Transport

@Suite("Contexts of a client", .endsAtLast)
struct ClientContextTests {
  private let one = ContextID(high: 1, low: 1)

  @Test("1.1 a client that starts learns which context its player is in")
  func start() async throws {
    try await withWorld { world in
      try await world.server { $0.currentContext = ContextID(high: 1, low: 5) }
      let client = try await world.signedIn()
      // Both answers come before that of the second call.
      for _ in 0..<2 { _ = try await client.call(Echo()) }
      #expect(client.currentContext?.context == ContextID(high: 1, low: 5))
      try await client.leaveContext(ContextID(high: 1, low: 5))
      #expect(client.currentContext == nil)
    }
  }

  @Test("1.5 what the client enters itself counts more than what was read at its start")
  func startAndEnter() async throws {
    try await withWorld { world in
      try await world.server { $0.currentContext = ContextID(high: 1, low: 5) }
      let client = try await world.signedIn()
      try await client.switchContext(to: one)
      for _ in 0..<2 { _ = try await client.call(Echo()) }
      #expect(client.currentContext?.context == one)
    }
  }

  @Test(
    "1.8 2.9 a context that was left on another device, or closed by a block, is current no more",
    arguments: [true, false])
  func leftElsewhere(isConnected: Bool) async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await client.switchContext(to: one)
      let context = one
      func tell() async throws {
        try await world.server { server in
          var left = ContextLeft()
          left.context = context
          var hint = HintEvent()
          (hint.kind, hint.body) = (ContextLeft.opcode.rawValue, Bytes(left.encoded))
          for session in server.sessions { session.push(hint) }
        }
        // What is read comes before the answer of the second call.
        for _ in 0..<2 { _ = try await client.call(Echo()) }
      }
      try await tell()
      #expect(client.currentContext?.context == one, "the player has entered it again by then")
      try await world.server { $0.leftContext = context }
      if isConnected {
        try await tell()
      } else {
        try await world.server { $0.dropAll() }
        for _ in 0..<3 { _ = try await client.call(Echo()) }
      }
      #expect(client.currentContext == nil)
      await client.close()
    }
  }

  @Test(
    "1.7 the server's word that a context was current is told as sameContext, and it is current")
  func sameContext() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      _ = try await client.call(Echo())
      try await world.server { $0.currentContext = ContextID(high: 1, low: 1) }
      let same = await error { () async throws(MusterError) in
        try await client.switchContext(to: one)
      }
      #expect(same?.code == .sameContext && same?.argument == "context")
      #expect(client.currentContext?.context == one)
      #expect(client.currentContext?.wasCurrent == false)
    }
  }

  @Test("1.5 1.7 a client that comes back from another context has switched, whatever is known")
  func lateNews() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await client.switchContext(to: ContextID(high: 1, low: 2))
      // The service has not heard of that yet.
      try await world.server { $0.currentContext = ContextID(high: 1, low: 1) }
      #expect(try await client.switchContext(to: one).context == one)
      #expect(client.currentContext?.context == one)
    }
  }

  @Test("1.4 a request to be let in changes no current context, an entrance does")
  func joining() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await client.joinContext(ContextID(high: 3, low: 1))
      try await client.joinContext(ContextID(high: 3, low: 2))
      #expect(client.currentContext?.context == ContextID(high: 3, low: 1))
    }
  }

  @Test("1.8 what others do in a group changes the current context by what their events say")
  func events() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let (ben, cho) = (PlayerID(high: 5, low: 1), PlayerID(high: 5, low: 2))
      let group = try await client.createGroup(inviting: [ben]).info
      func tell<E: Event>(_ event: E) async throws {
        try await world.server { $0.append(event) }
        _ = try await client.call(Echo())
      }
      func change(_ player: PlayerID, _ state: ContextPlayerState, _ role: ContextRole)
        -> ContextPlayerChanged
      {
        var event = ContextPlayerChanged()
        (event.context, event.generation) = (group.context, 1)
        (event.player, event.state, event.role) = (player, state, role)
        return event
      }
      try await tell(change(cho, .active, .moderator))
      #expect(client.currentContext?.size == 3)
      #expect(client.currentContext?.players.last?.role == .moderator)
      try await tell(change(ben, .removed, .participant))
      #expect(client.currentContext?.players.map(\.player).contains(ben) == false)
      #expect(client.currentContext?.size == 2)
      var settings = ContextSettingsChanged()
      (settings.context, settings.generation) = (group.context, 1)
      (settings.name, settings.sizeMax, settings.policy) = ("Crew", 7, .open)
      try await tell(settings)
      #expect(client.currentContext?.name == "Crew" && client.currentContext?.sizeMax == 7)
      var closed = ContextClosed()
      (closed.context, closed.generation) = (group.context, 2)
      try await tell(closed)
      #expect(client.currentContext != nil, "of another generation")
      closed.generation = 1
      try await tell(closed)
      #expect(client.currentContext == nil)
    }
  }

  @Test("1.8 whoever was removed is in no context any more, and who closes a group neither")
  func removed() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let group = try await client.createGroup().info
      var event = ContextPlayerChanged()
      (event.context, event.generation, event.state) = (group.context, 1, .removed)
      event.player = try #require(client.session?.player)
      try await world.server { [event] in $0.append(event) }
      _ = try await client.call(Echo())
      #expect(client.currentContext == nil)
      _ = try await client.createGroup()
      try await client.closeContext(group.context)
      #expect(client.currentContext == nil)
    }
  }
}
