import MusterKit
import TestKit
import Testing
import Transport

@Suite("Client against a server that breaks down", .endsAtLast)
struct ClientTests {
  @Test(
    "7.1 every call is answered once, each effect applied once",
    arguments: [
      (1, .memory), (2, .memory), (3, .memory), (4, .memory), (5, .tls), (6, .tls),
    ] as [(UInt64, World.Road)])
  func effectsOnce(seed: UInt64, road: World.Road) async throws {
    try await withWorld(seed: seed, road: road) { world in
      let client = try await world.signedIn()
      try await world.server { $0.faultEvery = 8 }
      let totals = try await withThrowingTaskGroup(of: (UInt64, UInt64).self) { group in
        for amount in 1...200 as ClosedRange<UInt64> {
          group.addTask {
            let total = try await client.call(Add(amount)).total
            return (amount, total)
          }
        }
        var totals: [UInt64: UInt64] = [:]
        for try await (amount, total) in group {
          #expect(totals[amount] == nil)
          totals[amount] = total
        }
        return totals
      }
      let (applied, staleCount, resumedCount) = try await world.server {
        ($0.applied, $0.staleCount, $0.resumedCount)
      }
      #expect(applied.sorted() == Array(1...200))
      #expect(staleCount == 0)
      #expect(resumedCount > 0)
      for (index, amount) in applied.enumerated() {
        #expect(totals[amount] == UInt64(index + 1))
      }
      await client.close()
    }
  }

  @Test("a sign-in that the server refuses until its deadline fails as it was refused")
  func refusedSignIn() async throws {
    try await withWorld { world in
      let client = world.client()
      let credential = try await client.signUp(displayName: "Ada")
      try await world.server { $0.refusals = .max }
      let refused = await error { () async throws(MusterError) in
        try await client.signIn(credential, deadline: .seconds(1))
      }
      #expect(refused?.code == .backpressure && refused?.text == "no room")
      #expect(refused?.isOutcomeUnknown == false && refused?.trace != nil)
      await client.close()
    }
  }

  @Test("a sign-in that was refused before the server went away fails late, after the refusal")
  func refusedThenLost() async throws {
    try await withWorld { world in
      let client = world.client()
      let credential = try await client.signUp(displayName: "Ada")
      try await world.server { server in
        server.refusals = 2
        server.onRefused = { [unowned server] in
          // When the client asks again, it knows the first refusal.
          if server.refusals > 0 { return }
          server.port?.isListening = false
          server.dropAll()
        }
      }
      let late = await error { () async throws(MusterError) in
        try await client.signIn(credential, deadline: .seconds(3))
      }
      #expect(late?.code == .deadlineExceeded && late?.cause == .backpressure)
      #expect(late?.text.contains("Before: no room") == true && late?.trace != nil)
      await client.close()
    }
  }

  @Test("6.4 a partial result of who can be challenged comes with the error; none at all throws it")
  func partialResult() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let players = (1...6 as ClosedRange<UInt64>).map { PlayerID(high: 1, low: $0) }
      let found = try await client.challengeablePlayers(toEarn: "first", among: players)
      #expect(found.players == [players[0], players[3]])
      #expect(found.refused.map(\.receiver) == [players[1], players[4]])
      #expect(found.refused.map(\.refusal) == [.alreadyEarned, .alreadyEarned])
      #expect(found.error?.code == .notFound && found.error?.argument == "achievement")
      let thrown = await error { () async throws(MusterError) in
        try await client.challengeablePlayers(toEarn: "first", among: [players[2], players[5]])
      }
      #expect(thrown?.code == .notFound)
      await client.close()
    }
  }

  @Test("An expired token signs in again; a call that may have run is not run again")
  func expiredToken() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let applied = Signal()
      try await world.server { server in
        server.isSilent = true
        server.onApplied = { applied.give() }
      }
      async let lost = error { () async throws(MusterError) in try await client.call(Add(1)) }
      await applied.wait()
      try await world.server { server in
        server.isSilent = false
        server.expireTokens()
        server.dropAll()
      }
      let failure = await lost
      #expect(failure?.code == .unavailable)
      #expect(failure?.isOutcomeUnknown == true)
      #expect(try await client.call(Add(2)).total == 2)
      #expect(try await world.server { $0.applied } == [1, 2])
    }
  }

  @Test("A client that has nothing to say stays connected to a server that waits for ten seconds")
  func idling() async throws {
    try await withWorld(idleMilliseconds: 10_000) { world in
      let client = try await world.signedIn()
      let waited = Signal()
      try await world.server { server in
        _ = server.loop.after(25_000) { waited.give() }
      }
      await waited.wait()
      let openedCount = try await world.server { $0.openedCount }
      #expect(openedCount == 1 && client.state == .connected)
      await client.close()
    }
  }

  @Test("Who is signed out makes no connection again until it is used")
  func idleAndSignedOut() async throws {
    try await withWorld { world in
      let client = world.client()
      let credential = try await client.signUp(displayName: "Ada")
      let waited = Signal()
      try await world.server { server in
        server.dropAll()
        // An attempt to connect comes within 50 ms.
        _ = server.loop.after(250) { waited.give() }
      }
      await waited.wait()
      #expect(try await world.server { $0.sessions.count } == 0)
      #expect(try await client.call(Echo()).payload == Bytes())
      #expect(try await world.server { $0.sessions.count } == 1)
      try await client.signIn(credential)
      try await client.signOut()
      try await world.server { $0.dropAll() }
      try await client.signIn(credential)
      #expect(client.state == .connected)
      #expect(try await world.server { $0.sessions.count } == 1)
      await client.close()
    }
  }

  @Test("Before sign-in calls are refused; a wrong credential is; a second session is")
  func refusals() async throws {
    try await withWorld { world in
      let client = world.client()
      #expect(client.state == .signedOut && client.session == nil)
      let early = await error { () async throws(MusterError) in try await client.call(Add(1)) }
      #expect(early?.code == .notAuthenticated)
      var echo = Echo()
      echo.payload = Bytes([1, 2])
      #expect(try await client.call(echo).payload == echo.payload)
      var credential = try await client.signUp(displayName: "Ada")
      let right = credential.secret
      credential.secret = [0]
      let wrong = credential
      let refused = await error { () async throws(MusterError) in try await client.signIn(wrong) }
      #expect(refused?.code == .invalidCredential)
      #expect(client.state == .signedOut)
      credential.secret = right
      let session = try await client.signIn(credential)
      #expect(session.player == credential.player && client.session == session)
      #expect(client.state == .connected)
      let good = credential
      let second = await error { () async throws(MusterError) in try await client.signIn(good) }
      #expect(second?.code == .alreadyExists)
      try await client.signOut()
      #expect(client.session == nil && client.state == .signedOut)
      try await client.signIn(credential)
      await client.close()
      #expect(client.state == .closed)
      let late = await error { () async throws(MusterError) in try await client.call(Add(1)) }
      #expect(late?.code == .disconnected)
    }
  }

  @Test("6.5 A lifetime that is not positive is refused before any call")
  func lifetimes() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      func issue(_ lifetime: Duration?) async -> MusterError? {
        await error { () async throws(MusterError) in
          try await client.issueChallenge(
            toEarn: "first", receivers: [PlayerID(high: 1, low: 1)], lifetime: lifetime)
        }
      }
      for lifetime in [Duration.zero, .seconds(-5), .nanoseconds(-1)] {
        let refused = await issue(lifetime)
        #expect(refused?.code == .invalidArgument, "\(lifetime)")
        #expect(refused?.argument == "lifetimeMilliseconds")
      }
      // The server of this test knows no such call.
      for lifetime in [nil, Duration.nanoseconds(1), .seconds(60)] {
        #expect(await issue(lifetime)?.code == .unknownOperation)
      }
      await client.close()
    }
  }

  @Test("Without a connection a call waits until its deadline, and was not carried out")
  func deadline() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await world.server { server in
        server.port?.isListening = false
        server.dropAll()
      }
      let failure = await error { () async throws(MusterError) in
        try await client.call(Add(1), deadline: .milliseconds(30))
      }
      #expect(failure?.code == .deadlineExceeded)
      try await world.server { $0.port?.isListening = true }
      #expect(try await client.call(Add(2)).total == 1)
    }
  }

  @Test("A cancelled task stops waiting")
  func cancellation() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      let applied = Signal()
      try await world.server { server in
        server.isSilent = true
        server.onApplied = { applied.give() }
      }
      let task = Task {
        await error { () async throws(MusterError) in try await client.call(Add(1)) }
      }
      await applied.wait()
      task.cancel()
      let failure = await task.value
      #expect(failure?.code == .cancelled && failure?.isOutcomeUnknown == true)
      try await world.server { $0.isSilent = false }
      #expect(try await client.call(Add(2)).total == 2)
    }
  }

  @Test("1.1, 1.6, 1.7 the current context is set before the call returns")
  func contexts() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      #expect(client.currentContext == nil)
      let first = ContextID(high: 1, low: 1)
      #expect(try await client.switchContext(to: first).size == 2)
      #expect(client.currentContext?.context == first)
      let same = await error { () async throws(MusterError) in
        try await client.switchContext(to: first)
      }
      #expect(same?.code == .sameContext)
      let unknown = await error { () async throws(MusterError) in
        try await client.switchContext(to: ContextID(high: 1, low: 404))
      }
      #expect(unknown?.code == .notFound)
      #expect(client.currentContext?.context == first)
      let none = await error { () async throws(MusterError) in
        try await client.switchContext(to: ContextID())
      }
      #expect(none?.code == .requiredArgument && none?.argument == "context")
      try await client.leaveContext(first)
      #expect(client.currentContext == nil)
    }
  }

  @Test("1.7 2.11 who is in the current context is read again where events were dropped")
  func contextBehindAGap() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      try await client.switchContext(to: ContextID(high: 1, low: 1))
      try await world.server { $0.append(EventsDropped()) }
      // The first answer comes behind the event, the second behind the context.
      for _ in 0..<2 { _ = try await client.call(Echo()) }
      #expect(client.currentContext?.size == 1)
    }
  }
}
