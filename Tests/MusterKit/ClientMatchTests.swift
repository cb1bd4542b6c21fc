@testable import MusterKit
import TestKit
import Testing
import Transport

@Suite("Client matches", .endsAtLast)
struct ClientMatchTests {
  static let context = ContextID(high: 4, low: 2)

  static func bytes(_ delta: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: delta >> (56 - 8 * $0)) }
  }

  static func delta(_ bytes: [UInt8]) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

  /// Sends `count` deltas while taking as many; gives what it ends with.
  static func play(_ match: Match, _ count: Int, sign: Int64) async throws -> Int64 {
    var sum: Int64 = 0
    async let sending: Void = {
      for number in 1...Int64(count) { try await match.sendReliable(bytes(sign * number)) }
    }()
    var received = 0
    for await event in match.events {
      guard case .data(_, let bytes, true) = event else { continue }
      received += 1
      // In order, once each: the other's deltas are 1, 2, 3, ... with the other sign.
      #expect(delta(bytes) == -sign * Int64(received))
      sum += delta(bytes)
      if received == count { break }
    }
    try await sending
    return sum + sign * Int64(count * (count + 1) / 2)
  }

  static func begun(_ match: Match) async {
    for await _ in match.events where match.expectedPlayerCount == 0 { break }
  }

  @Test(
    "3.7, 3.8 nothing is lost or doubled over drops and a restart",
    arguments: [
      (1, .memory), (2, .memory), (3, .tls),
    ] as [(UInt64, World.Road)])
  func deltas(seed: UInt64, road: World.Road) async throws {
    try await withWorld(seed: seed, road: road) { world in
      let one = try await world.signedIn()
      let two = try await world.signedIn()
      let first = try await one.match(in: Self.context)
      #expect(first.players.isEmpty && first.expectedPlayerCount == 1)
      let second = try await two.match(in: Self.context)
      await Self.begun(first)
      let self1 = one.session?.player
      #expect(second.players == [self1].compactMap { $0 })
      try await world.server { $0.faultEvery = 20 }
      async let left = Self.play(first, 100, sign: 1)
      async let right = Self.play(second, 100, sign: -1)
      try await world.server { server in
        server.match.restart()
        var restored = ServiceRestored()
        restored.service = Service.context.rawValue
        for session in server.sessions { session.push(restored) }
      }
      #expect(try await left == 0)
      #expect(try await right == 0)
    }
  }

  @Test("3.7 a client that plays finds out soon that its connection is dead")
  func ping() async throws {
    try await withWorld(road: .tls) { world in
      let client = try await world.signedIn()
      let before = try await client.pingMilliseconds()
      let match = try await client.match(in: Self.context)
      #expect(try await client.pingMilliseconds() == 5_000)
      try await match.leave()
      #expect(try await client.pingMilliseconds() == before && before ?? 0 > 5_000)
    }
  }

  @Test("3.4, 3.8 one leaves, the other's match ends")
  func leave() async throws {
    try await withWorld { world in
      let one = try await world.signedIn()
      let two = try await world.signedIn()
      let first = try await one.match(in: Self.context)
      let second = try await two.match(in: Self.context)
      let twice = await error { () async throws(MusterError) in
        try await one.match(in: Self.context)
      }
      #expect(twice?.code == .alreadyExists)
      try await first.leave()
      var events: [MatchEvent] = []
      for await event in second.events { events.append(event) }
      #expect(events.last == .ended(.ended))
      #expect(second.isEnded && first.isEnded && second.players.isEmpty)
      var leftover: [MatchEvent] = []
      for await event in first.events { leftover.append(event) }
      #expect(leftover.last == .ended(.left))
      let over = await error { () async throws(MusterError) in try await second.sendReliable([1]) }
      #expect(over?.code == .matchEnded)
    }
  }

  @Test("3.4 a match whose leaving has failed is left by another try")
  func leaveAgain() async throws {
    try await withWorld { world in
      let one = try await world.signedIn()
      let two = try await world.signedIn()
      let first = try await one.match(in: Self.context)
      let second = try await two.match(in: Self.context)
      try await world.server { $0.match.leavingFails = .notFound }
      let refused = await error { () async throws(MusterError) in try await first.leave() }
      #expect(refused?.code == .notFound)
      // For this client the match is over all the same.
      #expect(first.isEnded)
      #expect(try await world.server { !$0.match.isEnded })
      try await world.server { $0.match.leavingFails = nil }
      try await first.leave()
      // The other client's events would never end.
      try #require(try await world.server { $0.match.isEnded })
      var events: [MatchEvent] = []
      for await event in second.events { events.append(event) }
      #expect(events.last == .ended(.ended))
      // There is nothing more to leave.
      try await world.server { $0.match.leavingFails = .notFound }
      try await first.leave()
    }
  }

  @Test("3.9 a seat that another client of the player has is not left, which is no error")
  func leaveTakenSeat() async throws {
    try await withWorld { world in
      let one = try await world.signedIn()
      let match = try await one.match(in: Self.context)
      try await world.server { $0.match.leavingFails = .notAllowed }
      try await match.leave()
      // There is nothing more to leave.
      try await world.server { $0.match.leavingFails = .notFound }
      try await match.leave()
    }
  }

  @Test("3.9 a join that is given up while it waits for its repetition takes no seat later")
  func giveUpWaitingJoin() async throws {
    try await withWorld { world in
      let one = try await world.signedIn()
      let refused = Signal()
      try await world.server { server in
        server.refusesJoining = true
        server.onRefused = { refused.give() }
      }
      let joining = Task {
        await error { () async throws(MusterError) in try await one.match(in: Self.context) }
      }
      await refused.wait()
      // The answer to a later call tells that the refusal has arrived.
      _ = try await one.call(Echo())
      joining.cancel()
      #expect(await joining.value?.code == .cancelled)
      // This call waits as long, so that it comes back after the time of the join's repetition.
      try await world.server { server in
        server.refusesJoining = false
        server.refusals = 1
      }
      _ = try await one.call(Echo())
      #expect(try await world.server { $0.refusals } == 0)
      let two = try await world.signedIn()
      let second = try await two.match(in: Self.context)
      #expect(second.players.isEmpty && second.expectedPlayerCount == 1)
    }
  }
}

extension MusterClient {
  fileprivate func pingMilliseconds() throws -> UInt64? { try core().link?.pingMilliseconds }
}
