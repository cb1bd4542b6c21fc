import TestKit
import Testing
import Wire

@testable import Transport

/// When pushes, and frames that nobody waits for, leave.
@Suite("FlushPace", .endsAtLast)
struct FlushPaceTests {
  private static let event = FrameHeader(kind: .event, opcode: 1, correlation: 0)

  @Test("3.5 a loop with few pushes makes none wait, and one with many makes all wait briefly")
  func pace() {
    var pace = FlushPace()
    var now: UInt64 = 1_000
    #expect(takeAll(&pace, now) == FlushPace.burstMax)
    #expect(!takes(&pace, since: now, now))
    now += 1
    #expect(takeAll(&pace, now) == FlushPace.perMillisecond)
    #expect(!takes(&pace, since: now - FlushPace.millisecondsMax + 1, now))
    #expect(takes(&pace, since: now - FlushPace.millisecondsMax, now), "long enough")
    now += 1
    #expect(takes(&pace, since: now, now), "a flush that nobody else needs")
    now += 1_000_000
    #expect(takeAll(&pace, now) == FlushPace.burstMax, "what was not used is not kept for ever")
    #expect(takeAll(&pace, now - 5) == 0, "a clock that goes back gives nothing")
  }

  @Test("3.5 in a loop that is full pushes wait for longer, until it has time again")
  func fullLoop() {
    var pace = FlushPace()
    let step = FlushPace.lookMicroseconds
    pace.look(idle: step, now: 1_000_000 * step)
    #expect(!pace.isFull, "the time before the first look says nothing")
    pace = FlushPace()
    var (now, idle): (UInt64, UInt64) = (10 * step, 9 * step)
    pace.look(idle: idle, now: now)
    #expect(!pace.isFull)
    (now, idle) = (now + step, idle + step / 20)
    pace.look(idle: idle, now: now)
    #expect(pace.isFull)
    #expect(takeAll(&pace, 1_000) == FlushPace.burstMax)
    #expect(!takes(&pace, since: 1_001 - FlushPace.fullMillisecondsMax, 1_000))
    #expect(takes(&pace, since: 1_000 - FlushPace.fullMillisecondsMax, 1_000))
    pace.look(idle: idle + step, now: now + step - 1)
    #expect(pace.isFull, "it is looked only now and then")
    pace.look(idle: idle + step / 10, now: now + step)
    #expect(!pace.isFull)
    #expect(takes(&pace, since: 1_000 - FlushPace.millisecondsMax, 1_000))
  }

  @Test("3.5 pushes that leave together with many others use up the pace sooner")
  func crowd() {
    var pace = FlushPace()
    #expect(takeAll(&pace, 1_000) == FlushPace.burstMax)
    let now: UInt64 = 1_001
    var count = 0
    while pace.take(among: count, now: now) { count += 1 }
    // The first costs 1, the second 2, and so on up to the most.
    #expect(count == 5 && 1 + 2 + 3 + 4 + 4 <= FlushPace.perMillisecond)
    #expect(!takes(&pace, since: now - 1, among: count, now))
    #expect(takeAll(&pace, now) == FlushPace.perMillisecond - 14, "what is left is for one alone")
    #expect(takes(&pace, since: now - FlushPace.millisecondsMax, among: 100, now))
  }

  private func takeAll(_ pace: inout FlushPace, _ now: UInt64) -> Int {
    var count = 0
    while pace.take(now: now) { count += 1 }
    return count
  }

  private func takes(
    _ pace: inout FlushPace, since start: UInt64, among others: Int = 0, _ now: UInt64
  ) -> Bool {
    pace.takes(waitingSince: start, among: others, now: now)
  }

  @Test("3.5 a frame that nobody waits for leaves with the next one, before it")
  func lazyFrameGoesAlong() async throws {
    let got = try await bodies(count: 3) { connection, loop in
      unsafe connection.sendLazily(Self.event, body: ([1] as [UInt8]).span.bytes)
      #expect(connection.isLazy)
      loop.atEndOfTurn {
        #expect(connection.outgoingBytes > 0, "it did not leave by itself")
        connection.send(Self.event, body: [2])
        unsafe connection.sendLazily(Self.event, body: ([3] as [UInt8]).span.bytes)
        #expect(!connection.isLazy)
      }
    }
    #expect(got == [[1], [2], [3]])
  }

  @Test("3.5 a frame that nobody waits for leaves by itself, a little later")
  func lazyFrameGoesAlone() async throws {
    let got = try await bodies(count: 2) { connection, loop in
      unsafe connection.sendLazily(Self.event, body: ([1] as [UInt8]).span.bytes)
      unsafe connection.sendLazily(Self.event, body: ([2] as [UInt8]).span.bytes)
    }
    #expect(got == [[1], [2]])
  }

  @Test("3.5 a frame that nobody waits for stays until the next push where there was one before")
  func lazyFrameWaitsForPush() async throws {
    let got = try await bodies(count: 2) { connection, loop in
      unsafe connection.sendLazily(Self.event, body: ([1] as [UInt8]).span.bytes)
      let since = connection.lazySince
      #expect(connection.lazyEnd == since + ConnectionTable.lazyMilliseconds)
      connection.pushedAt = since
      #expect(connection.lazyEnd == since + ConnectionTable.pushedLazyMilliseconds)
      connection.pushedAt = since - ConnectionTable.pushedLazyMilliseconds + 5
      #expect(connection.lazyEnd == since + 5)
      connection.pushedAt = since + 1
      #expect(connection.lazyEnd == since + ConnectionTable.pushedLazyMilliseconds)
      // Long enough for the slowest machine: the time in which a push is to be expected.
      connection.lazySince = since + 3_600_000
      connection.pushedAt = connection.lazySince
      // Another connection's frame, which the same timer looks at after this one's, leaves.
      Self.sendAlone(on: loop) {
        let hasWaited: [UInt8] = [connection.isLazy && connection.outgoingBytes > 0 ? 1 : 0]
        unsafe connection.push(Self.event, body: hasWaited.span.bytes, replacing: nil)
        #expect(connection.pushedAt == loop.monotonicMilliseconds)
      }
    }
    #expect(got == [[1], [1]], "it has waited for the push")
  }

  @Test("3.5 a frame that nobody waits for leaves in time beside one that was queued before it")
  func lazyFrameIsInTime() async throws {
    let got = try await bodies(count: 2) { connection, loop in
      let pairs = (0..<2).map { _ in LocalTransport.pair(on: loop) }
      // When they are open; the loop's time stands meanwhile.
      loop.atEndOfTurn {
        let now = loop.monotonicMilliseconds
        let all = [connection] + pairs.map(\.server)
        for connection in all {
          unsafe connection.sendLazily(Self.event, body: ([1] as [UInt8]).span.bytes)
        }
        all[1].lazySince = now + 1
        (all[2].lazySince, all[2].pushedAt) = (now + 2, now)
        let seen = ([4, 5, 9, 12] as [UInt64]).flatMap { passed -> [UInt8] in
          let wait = loop.connections.flushLazy(now: now + passed)
          return [UInt8(all.count(where: \.isLazy)), UInt8(wait ?? 0)]
        }
        connection.send(Self.event, body: seen)
      }
    }
    // How many have not left yet, and when the table looks at them again.
    #expect(got == [[1], [2, 1, 1, 4, 1, 3, 0, 0]])
  }

  /// Sends a frame that nobody waits for on a new connection, and says when it has come.
  private static func sendAlone(on loop: Loop, _ done: @escaping () -> Void) {
    let pair = LocalTransport.pair(on: loop)
    let server = Peer()
    server.ready = { unsafe $0.sendLazily(Self.event, body: ([9] as [UInt8]).span.bytes) }
    pair.server.delegate = server
    let client = Peer()
    client.received = { _, _, _ in done() }
    pair.client.delegate = client
  }

  @Test("3.5 connections that get pushes in one turn use up the pace sooner than in turns")
  func crowdOfConnections() async throws {
    // The first ten cost 34 of 64; in a turn of its own the other crowd begins with 1 again.
    let inTurns = try await gathered(twenty: { push in
      push(0..<10)
      push(10..<20)
    })
    #expect(inTurns == [0, 1])
    let together = try await gathered(twenty: { $0(0..<20) })
    // 17 cost 62.
    #expect(together == [3])
  }

  @Test("3.5 connections whose pushes have gathered use up the pace as a crowd, too")
  func gatheredCrowd() async throws {
    let counts = try await gathered(
      flushes: true,
      twenty: { push in
        push(0..<20)
        push(0..<20)
      })
    // A millisecond gives 16 to the 2 that are left, and six cost 18.
    #expect(counts == [3, 20, 14])
  }

  /// How many of 20 connections gather their pushes after each turn with pushes to some of them.
  ///
  /// - Parameter flushes: whether those that gather get the pace of one millisecond in the end.
  private func gathered(
    flushes: Bool = false, twenty: @escaping @Sendable ((Range<Int>) -> Void) -> Void
  ) async throws -> [Int] {
    let done = Promise<[Int]>()
    try await withLoop { thread in
      await thread.run { loop in
        let pairs = (0..<20).map { _ in LocalTransport.pair(on: loop) }
        for pair in pairs { (pair.server.delegate, pair.client.delegate) = (Peer(), Peer()) }
        // When all of them are open, and between events: the loop's time stands meanwhile.
        loop.atEndOfTurn {
          loop.after(0) {
            var counts: [Int] = []
            func count() { counts.append(pairs.count { $0.server.isGathering }) }
            twenty { range in
              for pair in pairs[range] {
                unsafe pair.server.push(
                  Self.event, body: ([1] as [UInt8]).span.bytes, replacing: nil)
              }
              _ = loop.connections.endTurn()
              count()
            }
            if flushes {
              loop.connections.flushGathered(now: loop.monotonicMilliseconds + 1)
              count()
            }
            done.set(counts)
          }
        }
      }
      _ = await done.value
    }
    return await done.value
  }

  @Test("3.5 pushes that gather keep their order, between each other and with replies")
  func gatheredPushesKeepOrder() async throws {
    let rounds = 1_000
    let got = try await bodies(count: rounds) { connection, loop in
      // The pace is used up by a stream of pushes, in turns of their own.
      var round = 0
      func next() {
        let body = [UInt8(round & 0xff), UInt8(round >> 8)]
        if round % 50 == 49 {
          connection.send(Self.event, body: body)
        } else {
          unsafe connection.push(
            Self.event, body: body.span.bytes, replacing: round % 3 == 0 ? 1 : nil)
        }
        round += 1
        if round < rounds { loop.atEndOfTurn { next() } }
      }
      next()
    }
    #expect(got == (0..<rounds).map { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
  }

  @Test("a connection that closes while its pushes gather loses them, and nothing else happens")
  func closeWhileGathering() async throws {
    try await withLoop { thread in
      let closed = Promise<CloseReason>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        let server = Peer(closed: closed)
        server.ready = { connection in
          for number in 0..<200 as Range<UInt8> {
            unsafe connection.push(Self.event, body: [number].span.bytes, replacing: nil)
            connection.flush()
          }
          unsafe connection.sendLazily(Self.event, body: ([1] as [UInt8]).span.bytes)
          connection.close(.local("test"))
          unsafe connection.push(Self.event, body: ([1] as [UInt8]).span.bytes, replacing: nil)
        }
        pair.server.delegate = server
        pair.client.delegate = Peer()
      }
      #expect(await closed.value == .local("test"))
    }
  }

  /// The bodies that a client gets of what the server sends, once they are so many.
  private func bodies(count: Int, _ send: @escaping @Sendable (Connection, Loop) -> Void)
    async throws -> [[UInt8]]
  {
    let done = Promise<[[UInt8]]>()
    try await withLoop { thread in
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        let server = Peer()
        server.ready = { send($0, loop) }
        pair.server.delegate = server
        let client = Peer()
        var got: [[UInt8]] = []
        client.received = { _, _, body in
          got.append(body)
          if got.count == count { done.set(got) }
        }
        pair.client.delegate = client
      }
      _ = await done.value
    }
    return await done.value
  }
}
