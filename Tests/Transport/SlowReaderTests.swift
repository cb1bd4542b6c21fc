import TestKit
import Testing
import Wire

@testable import Transport

/// A peer that reads nothing for a while: live data costs it old pieces, and never its connection.
@Suite("SlowReader", .endsAtLast)
struct SlowReaderTests {
  private static let senders: UInt64 = 15
  private static let event = FrameHeader(kind: .event, opcode: 1, correlation: 0)

  /// A piece of data: who sent it, its number, and a filling of the usual size.
  private static func piece(_ sender: UInt64, _ number: UInt64) -> [UInt8] {
    var writer = Writer(capacity: 64)
    sender.encode(to: &writer)
    number.encode(to: &writer)
    return writer.bytes + [UInt8](repeating: 7, count: 48)
  }

  private static func sendLive(_ connection: Connection, _ sender: UInt64, _ number: UInt64) -> Int
  {
    let piece = piece(sender, number)
    return unsafe connection.send(
      event, prefix: [], body: piece.span.bytes, replacing: sender)
  }

  /// What the reader has taken.
  private struct Taken: Sendable {
    var newest: [UInt64: UInt64] = [:]
    var reliable: [UInt64] = []
    var count = 0
    var isInOrder = true
  }

  @Test("3.5 five minutes of 15 players' live data to a client that reads nothing, then reads")
  func staysAndGetsTheNewest() async throws {
    try await withLoop { thread in
      let done = Promise<Taken>()
      let most = Promise<Int>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits)
        let rounds: UInt64 = 5 * 60 * 60
        let client = Peer()
        var taken = Taken()
        client.received = { _, _, body in
          guard
            case .success((let sender, let number)) = Reader.read(
              body, { (UInt64.decode(from: &$0), UInt64.decode(from: &$0)) })
          else { return }
          taken.count += 1
          if sender == 0 {
            taken.reliable.append(number)
          } else {
            taken.isInOrder = taken.isInOrder && number > taken.newest[sender, default: 0]
            taken.newest[sender] = number
          }
          if taken.newest.count == Self.senders, taken.newest.values.allSatisfy({ $0 == rounds }) {
            done.set(taken)
          }
        }
        let server = Peer()
        server.ready = { connection in
          var mostBytes = 0
          for round in 1...rounds {
            for sender in 1...Self.senders { _ = Self.sendLive(connection, sender, round) }
            // Once a second something reliable, from a sender of its own.
            if round % 60 == 0 { connection.send(Self.event, body: Self.piece(0, round / 60)) }
            mostBytes = max(mostBytes, connection.outgoingBytes + connection.newestBytes)
          }
          most.set(mostBytes)
          pair.client.delegate = client
        }
        pair.server.delegate = server
      }
      let taken = await done.value
      #expect(taken.isInOrder, "no older piece comes after a newer one")
      #expect(taken.reliable == Array(1...300), "and all reliable data comes before the newest")
      #expect(taken.count < 10_000, "most of 270,300 pieces were replaced")
      #expect(await most.value < 128 << 10)
    }
  }

  @Test("3.5 live data of any number of senders is bounded, and closes no connection")
  func manyKeys() async throws {
    try await withLoop { thread in
      let closed = Promise<CloseReason>()
      let figures = Promise<(open: Bool, newest: Int, lost: Int)>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits)
        let server = Peer(closed: closed)
        server.ready = { connection in
          var lostCount = 0
          for sender in 1...100_000 as ClosedRange<UInt64> {
            lostCount += Self.sendLive(connection, sender, 1)
          }
          figures.set((connection.isOpen, connection.newestBytes, lostCount))
          connection.close(.local("the test is over"))
        }
        pair.server.delegate = server
        // The client has no delegate, and so reads nothing.
      }
      let (isOpen, newestBytes, lostCount) = await figures.value
      #expect(isOpen && newestBytes == 256 * 76 && lostCount > 90_000)
      #expect(await closed.value == .local("the test is over"))
    }
  }

  @Test("2.10 many that read nothing are bounded together, and whoever reads stays")
  func boundedTogether() async throws {
    struct Outcome: Sendable {
      var closed: [CloseReason] = []
      var heldBytes = 0
      var isReaderOpen = false
    }
    let (deafCount, boundBytes) = (20, 1 << 20)
    try await withLoop { thread in
      let done = Promise<Outcome>()
      await thread.run { loop in
        let bound = QueueBound(on: loop, bytesMax: boundBytes)
        var outcome = Outcome()
        for number in 0..<deafCount {
          let deaf = Peer()
          deaf.ready = { connection in
            let body = [UInt8](repeating: 1, count: 60_000)
            // Some hold live data alone.
            for place in 1...10 as ClosedRange<UInt64> {
              if number % 2 == 0 {
                connection.send(Self.event, body: body)
              } else {
                _ = unsafe connection.send(
                  Self.event, prefix: [], body: body.span.bytes, replacing: place)
              }
            }
          }
          deaf.closed = { outcome.closed.append($0) }
          LocalTransport.pair(on: loop, .server, shortLimits, serverBound: bound).server.delegate =
            deaf
        }
        let pair = LocalTransport.pair(on: loop, .server, shortLimits, serverBound: bound)
        let reader = Peer()
        let body = [UInt8](repeating: 2, count: 60_000)
        reader.ready = { $0.send(request(1), body: body) }
        reader.received = { connection, header, _ in
          guard header.correlation == 100 else {
            return connection.send(request(header.correlation + 1), body: body)
          }
          outcome.heldBytes = bound.byteCount
          outcome.isReaderOpen = pair.server.isOpen
          done.set(outcome)
        }
        pair.server.delegate = Peer()
        pair.client.delegate = reader
      }
      let outcome = await done.value
      #expect(outcome.heldBytes <= boundBytes && outcome.isReaderOpen)
      #expect(!outcome.closed.isEmpty && outcome.closed.count < deafCount)
      #expect(outcome.closed.allSatisfy { $0 == .crowdedOut })
    }
  }

  @Test("2.10 strangers that hold much make room before a player who holds more than each")
  func strangersFirst() async throws {
    let closed = Promise<(isPlayerOpen: Bool, strangerCount: Int)>()
    try await withLoop { thread in
      await thread.run { loop in
        let bound = QueueBound(on: loop, bytesMax: 4 << 20)
        func deaf(_ peer: Peer, bodyCount: Int) -> Connection {
          peer.ready = { connection in
            let body = [UInt8](repeating: 1, count: 60_000)
            for _ in 0..<bodyCount { connection.send(Self.event, body: body) }
          }
          let pair = LocalTransport.pair(on: loop, .server, shortLimits, serverBound: bound)
          pair.server.delegate = peer
          return pair.server
        }
        let player = deaf(Peer(), bodyCount: 15)
        var closedCount = 0
        for _ in 0..<20 {
          let stranger = Peer()
          stranger.isStranger = true
          stranger.closed = { _ in
            closedCount += 1
            loop.atEndOfTurn { closed.set((player.isOpen, closedCount)) }
          }
          _ = deaf(stranger, bodyCount: 10)
        }
      }
      let (isPlayerOpen, strangerCount) = await closed.value
      #expect(isPlayerOpen && strangerCount > 0 && strangerCount < 20)
    }
  }

  @Test("3.5 strangers that hold nothing stay, however much players hold")
  func idleStrangers() async throws {
    let closed = Promise<Bool>()
    try await withLoop { thread in
      await thread.run { loop in
        let bound = QueueBound(on: loop, bytesMax: 4 << 20)
        let strangers = (0..<20).map { _ in
          let stranger = Peer()
          stranger.isStranger = true
          let pair = LocalTransport.pair(on: loop, .server, shortLimits, serverBound: bound)
          pair.server.delegate = stranger
          return pair.server
        }
        for _ in 0..<8 {
          let player = Peer()
          player.ready = { connection in
            let body = [UInt8](repeating: 1, count: 60_000)
            for _ in 0..<15 { connection.send(Self.event, body: body) }
          }
          player.closed = { _ in
            loop.atEndOfTurn { closed.set(strangers.allSatisfy(\.isOpen)) }
          }
          let pair = LocalTransport.pair(on: loop, .server, shortLimits, serverBound: bound)
          pair.server.delegate = player
        }
      }
      #expect(await closed.value)
    }
  }

  @Test("3.5 what was counted is given back when its connection closes")
  func givenBack() async throws {
    try await withLoop { thread in
      let left = Promise<(before: Int, after: Int)>()
      await thread.run { loop in
        let bound = QueueBound(on: loop, bytesMax: 4 << 20)
        let server = LocalTransport.pair(on: loop, .server, shortLimits, serverBound: bound).server
        server.open()
        for number in 1...100 as ClosedRange<UInt64> {
          server.send(Self.event, body: [UInt8](repeating: 1, count: 9_000))
          _ = Self.sendLive(server, number, 1)
        }
        server.flush()
        _ = Self.sendLive(server, 1, 2)
        let before = server.newestBytes > 0 ? bound.byteCount : 0
        server.close(.local("enough"))
        loop.atEndOfTurn {
          loop.atEndOfTurn { left.set((before, bound.byteCount)) }
        }
      }
      let (before, after) = await left.value
      #expect(before > 0 && after == 0)
    }
  }

  @Test("3.5 reliable data to a client that reads nothing still ends at the bound, told as such")
  func reliableFlood() async throws {
    try await withLoop { thread in
      let closed = Promise<CloseReason>()
      let sent = Promise<Int>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits)
        let server = Peer(closed: closed)
        server.ready = { connection in
          var bytes = 0
          for number in 1...1_000_000 as ClosedRange<UInt64> where connection.isOpen {
            _ = Self.sendLive(connection, 1, number)
            connection.send(Self.event, body: Self.piece(0, number))
            bytes += 76
          }
          sent.set(bytes)
        }
        pair.server.delegate = server
        // The client has no delegate, and so reads nothing.
      }
      #expect(await closed.value == .slowReader)
      let most = shortLimits.outgoingBytesMax + LocalSocket.capacity
      #expect(await sent.value > shortLimits.outgoingBytesMax)
      #expect(await sent.value < most + 100_000)
    }
  }

  @Test("3.5 live data gets its turns beside reliable data that never ends")
  func turns() async throws {
    try await withLoop { thread in
      let done = Promise<(live: Int, reliable: Int)>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits)
        let server = Peer()
        var number: UInt64 = 0
        // There is always more to send than the socket takes.
        func fill(_ connection: Connection) {
          while connection.isOpen, connection.outgoingBytes < 64 << 10 {
            number += 1
            connection.send(Self.event, body: Self.piece(0, number))
            for sender in 1...3 as ClosedRange<UInt64> where connection.isBehind {
              _ = Self.sendLive(connection, sender, number)
            }
            if connection.outgoingBytes > 32 << 10 { connection.flush() }
          }
          loop.atEndOfTurn { fill(connection) }
        }
        server.ready = { fill($0) }
        pair.server.delegate = server
        let client = Peer()
        var counts = (live: 0, reliable: 0)
        client.received = { connection, _, body in
          let sender = Reader.read(body) { UInt64.decode(from: &$0) }
          if case .success(0) = sender { counts.reliable += 1 } else { counts.live += 1 }
          if counts.reliable == 20_000 {
            done.set(counts)
            connection.close(.local("the test is over"))
          }
        }
        pair.client.delegate = client
      }
      let counts = await done.value
      // A turn for each 64 KiB, of the three pieces that wait.
      #expect(counts.live >= 20_000 * 76 / (64 << 10) * 2 && counts.live < 20_000, "\(counts)")
    }
  }

  @Test("3.5 large live data neither delays reliable data much nor keeps the client unread")
  func largePieces() async throws {
    try await withLoop { thread in
      let done = Promise<(live: Int, reliable: Int, mostQueued: Int, wasPaused: Bool)>()
      await thread.run { loop in
        // The line takes a chunk in each turn.
        let (line, rounds) = (16 << 10, 3_000)
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits, chunkSize: line)
        let server = Peer()
        var (round, mostQueued, wasPaused) = (0, 0, false)
        var counts = (live: 0, reliable: 0)
        let large = [UInt8](repeating: 1, count: 60_000)
        let small = [UInt8](repeating: 0, count: line / 8 - WireLimits.frameHeaderSize)
        func fill(_ connection: Connection) {
          round += 1
          // Reliable data needs five eighths of it, and each of two senders more than all.
          for _ in 0..<5 { connection.send(Self.event, body: small) }
          for sender in 1...2 as ClosedRange<UInt64> {
            unsafe connection.send(
              Self.event, prefix: [], body: large.span.bytes, replacing: sender)
          }
          mostQueued = max(mostQueued, connection.outgoingBytes)
          wasPaused = wasPaused || connection.isPausedByPressure
          if round < rounds && connection.isOpen {
            loop.atEndOfTurn { fill(connection) }
          } else {
            done.set((counts.live, counts.reliable, mostQueued, wasPaused))
            connection.close(.local("the test is over"))
          }
        }
        server.ready = { fill($0) }
        pair.server.delegate = server
        let client = Peer()
        client.received = { _, _, body in
          if body.first == 0 { counts.reliable += 1 } else { counts.live += 1 }
        }
        pair.client.delegate = client
      }
      let told = await done.value
      // What others may wait when live data has its turn, that turn, and its last piece.
      let most = (64 + 16 + 60) << 10
      #expect(!told.wasPaused && told.mostQueued < most, "\(told)")
      #expect(told.reliable > 3_000 * 5 - 300, "\(told)")
      #expect(told.live > 100, "\(told)")
    }
  }

  @Test("3.5 where reliable data never ends, large live data gets a fifth of what is sent")
  func share() async throws {
    try await withLoop { thread in
      let done = Promise<(live: Int, reliable: Int)>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits)
        let server = Peer()
        let large = [UInt8](repeating: 1, count: 60_000)
        let small = [UInt8](repeating: 0, count: 500)
        func fill(_ connection: Connection) {
          while connection.isOpen, connection.outgoingBytes < 48 << 10 {
            connection.send(Self.event, body: small)
          }
          for sender in 1...2 as ClosedRange<UInt64> where connection.isBehind {
            unsafe connection.send(
              Self.event, prefix: [], body: large.span.bytes, replacing: sender)
          }
          loop.atEndOfTurn { fill(connection) }
        }
        server.ready = { fill($0) }
        pair.server.delegate = server
        let client = Peer()
        var bytes = (live: 0, reliable: 0)
        client.received = { connection, _, body in
          if body.first == 0 { bytes.reliable += body.count } else { bytes.live += body.count }
          if bytes.reliable >= 20 << 20 {
            done.set(bytes)
            connection.close(.local("the test is over"))
          }
        }
        pair.client.delegate = client
      }
      let bytes = await done.value
      #expect(bytes.live * 3 <= bytes.reliable && bytes.live * 8 >= bytes.reliable, "\(bytes)")
    }
  }

  @Test("3.5 live data waits for reliable data, which it does not delay, and comes behind it")
  func order() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt64]>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits)
        let client = Peer()
        var late: [UInt64] = []
        client.received = { _, _, body in
          let number = Reader.read(body) { reader in
            reader.skip(8)
            return UInt64.decode(from: &reader)
          }
          if case .success(let number) = number, number > 1_000_000 { late.append(number) }
          if late.count == 3 { done.set(late) }
        }
        let server = Peer()
        var filling: UInt64 = 0
        server.ready = { connection in
          while !connection.isBehind {
            filling += 1
            connection.send(Self.event, body: Self.piece(0, filling))
            if connection.outgoingBytes > 8 << 10 { connection.flush() }
          }
          _ = Self.sendLive(connection, 1, 1_000_001)
          connection.send(Self.event, body: Self.piece(0, 1_000_002))
          _ = Self.sendLive(connection, 1, 1_000_003)
          connection.send(Self.event, body: Self.piece(0, 1_000_004))
          pair.client.delegate = client
        }
        pair.server.delegate = server
      }
      #expect(await done.value == [1_000_002, 1_000_004, 1_000_003])
    }
  }
}
