import TestKit
import Testing
import Wire

@testable import Transport

/// Framing, limits and order of calls over the in-memory transport: the code that TLS uses too.
@Suite("Connection", .endsAtLast)
struct ConnectionTests {
  @Test("Frames survive any chunking of the stream", arguments: [1, 2, 3, 5, 11, 12, 13, 4_096])
  func drip(chunkSize: Int) async throws {
    try await withLoop { thread in
      let done = Promise<[[UInt8]]>()
      let bodies: [[UInt8]] = [[], [1], Array(repeating: 2, count: 300), [3, 4, 5]]
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, chunkSize: chunkSize)
        let client = Peer()
        var replies: [[UInt8]] = []
        client.ready = { connection in
          for (number, body) in bodies.enumerated() {
            connection.send(request(UInt32(number + 1)), body: body)
          }
        }
        client.received = { _, header, body in
          #expect(header.kind == .reply && header.correlation == UInt32(replies.count + 1))
          replies.append(body)
          if replies.count == bodies.count { done.set(replies) }
        }
        pair.server.delegate = Peer()
        pair.client.delegate = client
      }
      #expect(await done.value == bodies)
    }
  }

  /// Sends raw bytes to a server's end. Returns the reason for which it closed, and what came back.
  private func closeReason(
    sending bytes: [UInt8], limits: ConnectionLimits = shortLimits
  ) async throws -> (CloseReason, [FrameKind]) {
    let closed = Promise<CloseReason>()
    let answers = Promise<[FrameKind]>()
    try await withLoop { thread in
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: limits)
        pair.server.delegate = Peer(closed: closed)
        let client = Peer()
        var kinds: [FrameKind] = []
        client.ready = { $0.sendRaw(bytes) }
        client.received = { _, header, _ in kinds.append(header.kind) }
        client.closed = { _ in answers.set(kinds) }
        pair.client.delegate = client
      }
      _ = await closed.value
      _ = await answers.value
    }
    let (reason, answered) = (await closed.value, await answers.value)
    return (reason, answered)
  }

  @Test("A length of 4 GiB ends the connection with an error frame")
  func hugeLength() async throws {
    let (reason, answers) = try await closeReason(
      sending: [0xff, 0xff, 0xff, 0xff, 1, 0, 0, 1, 0, 0, 0, 1])
    #expect(reason == .protocolError(.lengthOverLimit(0xffff_ffff)))
    #expect(answers == [.error])
  }

  @Test("A frame over the limit of its connection, an unknown version and an unknown kind")
  func brokenFrames() async throws {
    let over = try await closeReason(sending: [0, 1, 0, 0, 1, 0, 0, 1])
    #expect(over.0 == .protocolError(.lengthOverLimit(65_536)))
    let version = try await closeReason(sending: [0, 0, 0, 8, 9, 0, 0, 1, 0, 0, 0, 1])
    #expect(version.0 == .protocolError(.unsupportedVersion(9)))
    let kind = try await closeReason(sending: [0, 0, 0, 8, 1, 9, 0, 1, 0, 0, 0, 1])
    #expect(kind.0 == .protocolError(.unknownKind(9)))
  }

  @Test("Half a frame and then silence")
  func halfFrame() async throws {
    let (reason, _) = try await closeReason(sending: [0, 0, 0, 32, 1, 0])
    #expect(reason == .partialFrame)
  }

  @Test("Silence for longer than the limit")
  func idle() async throws {
    var limits = shortLimits
    limits.idleMilliseconds = 60
    let (reason, _) = try await closeReason(sending: [], limits: limits)
    #expect(reason == .idle)
  }

  @Test("A ping is answered without the delegate, and keeps the connection from idling")
  func ping() async throws {
    try await withLoop { thread in
      let done = Promise<CloseReason?>()
      await thread.run { loop in
        var limits = shortLimits
        limits.idleMilliseconds = 1_000
        let pair = LocalTransport.pair(on: loop, serverLimits: limits)
        let server = Peer()
        server.closed = { done.set($0) }
        server.received = { _, _, _ in Issue.record("a ping reached the delegate") }
        pair.server.delegate = server
        pair.client.delegate = Peer()
        let pings = loop.every(50) {
          pair.client.send(FrameHeader(kind: .ping, opcode: 0, correlation: 1), body: [])
        }
        loop.after(2_500) {
          pings.cancel()
          done.set(nil)
        }
      }
      #expect(await done.value == nil)
    }
  }

  @Test("A peer that never reads is closed as a slow reader, and what it costs is bounded")
  func slowReader() async throws {
    try await withLoop { thread in
      let closed = Promise<CloseReason>()
      let most = Promise<Int>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, serverLimits: shortLimits)
        let server = Peer()
        var mostBytes = 0
        server.ready = { connection in
          func more() {
            if !connection.isOpen { return }
            let event = FrameHeader(kind: .event, opcode: 1, correlation: 0)
            connection.send(event, body: [UInt8](repeating: 0, count: 10_000))
            mostBytes = max(mostBytes, connection.outgoingBytes)
            loop.atEndOfTurn { more() }
          }
          more()
        }
        server.closed = { reason in
          most.set(mostBytes)
          closed.set(reason)
        }
        pair.server.delegate = server
        // The client has no delegate, and so reads nothing.
      }
      #expect(await closed.value == .slowReader)
      #expect(await most.value <= shortLimits.outgoingBytesMax + 10_012)
    }
  }

  @Test("Over high water requests wait; all are answered once the peer reads again")
  func pressure() async throws {
    try await withLoop { thread in
      let done = Promise<Int>()
      let count = 400
      await thread.run { loop in
        var limits = shortLimits
        limits.outgoingHighWater = 20_000
        limits.outgoingLowWater = 5_000
        let pair = LocalTransport.pair(on: loop, serverLimits: limits)
        pair.server.delegate = Peer()
        let client = Peer()
        var replies = 0
        client.received = { _, _, _ in
          replies += 1
          if replies == count { done.set(replies) }
        }
        let sender = Peer()
        sender.ready = { connection in
          connection.delegate = nil
          for number in 1...count {
            connection.send(request(UInt32(number)), body: [UInt8](repeating: 1, count: 2_000))
          }
          loop.after(30) {
            #expect(pair.server.outgoingBytes <= 30_000)
            connection.delegate = client
          }
        }
        pair.client.delegate = sender
      }
      #expect(await done.value == count)
    }
  }

  @Test("Closing inside a callback, in the middle of many frames, tells once and hands out no more")
  func reentrantClose() async throws {
    try await withLoop { thread in
      let done = Promise<[Int]>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        let server = Peer()
        var received = 0
        server.received = { [unowned server] connection, _, _ in
          received += 1
          if received == 2 {
            connection.close(.local("enough"))
            connection.send(request(1), body: [])
            connection.finish(.drained)
            #expect(server.closedCount == 0)
          }
        }
        server.closed = { [unowned server] reason in
          #expect(reason == .local("enough"))
          loop.after(20) { done.set([received, server.closedCount]) }
        }
        pair.server.delegate = server
        let client = Peer()
        client.ready = { connection in
          for number in 1...5 { connection.send(request(UInt32(number)), body: [9]) }
        }
        pair.client.delegate = client
        loop.keep(server)
      }
      #expect(await done.value == [2, 1])
    }
  }

  @Test("Without a delegate, from the middle of many frames on, the rest waits for one, in order")
  func pauseInside() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt32]>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        let server = Peer()
        var seen: [UInt32] = []
        server.received = { [unowned server] connection, header, _ in
          seen.append(header.correlation)
          if seen.count == 6 {
            done.set(seen)
            return
          }
          connection.delegate = nil
          loop.after(1) { connection.delegate = server }
        }
        pair.server.delegate = server
        loop.keep(server)
        let client = Peer()
        client.ready = { connection in
          for number in 1...6 { connection.send(request(UInt32(number)), body: [9]) }
        }
        pair.client.delegate = client
      }
      #expect(await done.value == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test(
    "Who is held back is not read meanwhile, and then from where it stopped",
    arguments: [1, 5, 16 << 10])
  func heldBack(chunkSize: Int) async throws {
    let frameCount = 9
    try await withLoop { thread in
      let done = Promise<[UInt32]>()
      let (early, read) = (Promise<Bool>(), Promise<Int>())
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop, chunkSize: chunkSize)
        let client = Peer()
        client.ready = { connection in
          for number in 1...frameCount { connection.send(request(UInt32(number)), body: [1, 2]) }
        }
        let server = Peer()
        var (seen, heldSince, byteCount) = ([UInt32](), loop.monotonicMilliseconds, 0)
        var isEarly = false
        server.read = { byteCount += $0 }
        server.received = { connection, header, _ in
          if seen.count % 3 == 0, !seen.isEmpty {
            isEarly = isEarly || loop.monotonicMilliseconds < heldSince + 60
          }
          seen.append(header.correlation)
          if seen.count % 3 == 0 {
            heldSince = loop.monotonicMilliseconds
            connection.holdBack(forMilliseconds: 60)
            // One that ends before changes nothing, and one that ends later holds on.
            connection.holdBack(forMilliseconds: 1)
          }
          guard seen.count == frameCount else { return }
          early.set(isEarly)
          read.set(byteCount)
          done.set(seen)
        }
        pair.server.delegate = server
        pair.client.delegate = client
      }
      #expect(await done.value == (1...UInt32(frameCount)).map { $0 })
      #expect(await early.value == false, "it was read while it was held back")
      #expect(await read.value == frameCount * (WireLimits.frameHeaderSize + 2))
    }
  }

  @Test("Who is held back when bytes come gets none of the frames in them before")
  func heldBackByBytes() async throws {
    try await withLoop { thread in
      let waited = Promise<UInt64>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        let client = Peer()
        client.ready = { $0.send(request(1), body: [1]) }
        let server = Peer()
        var readAt: UInt64 = 0
        server.read = { _ in
          readAt = loop.monotonicMilliseconds
          pair.server.holdBack(forMilliseconds: 40)
          pair.server.holdBack(forMilliseconds: 80)
        }
        server.received = { _, _, _ in waited.set(loop.monotonicMilliseconds - readAt) }
        pair.server.delegate = server
        pair.client.delegate = client
      }
      #expect(await waited.value >= 80)
    }
  }

  @Test("A reply larger than a frame becomes an error")
  func replyOverLimit() async throws {
    try await withLoop { thread in
      let done = Promise<FrameKind>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        let server = Peer()
        server.received = { connection, header, _ in
          connection.send(
            FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
            body: [UInt8](repeating: 0, count: WireLimits.frameSizeMax))
        }
        pair.server.delegate = server
        let client = Peer()
        client.ready = { $0.send(request(1), body: []) }
        client.received = { _, header, _ in done.set(header.kind) }
        pair.client.delegate = client
      }
      #expect(await done.value == .error)
    }
  }

  /// The ends may be silent for as long as other tests keep this one from going on.
  @Test("Stopping the loop tells every connection once")
  func stop() async throws {
    let closed = Promise<CloseReason>()
    try await withLoop { thread in
      let ready = Promise<Bool>()
      await thread.run { loop in
        let pair = LocalTransport.pair(
          on: loop, clientLimits: .player, serverLimits: .player)
        pair.server.delegate = Peer(closed: closed)
        let client = Peer()
        client.ready = { _ in ready.set(true) }
        pair.client.delegate = client
      }
      _ = await ready.value
    }
    #expect(await closed.value == .local("the loop stops"))
  }

  @Test("A connection in memory that was closed asks for no more turns")
  func closedLocally() async throws {
    try await withLoop { thread in
      let isReleased = Promise<Void>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        weak let server = pair.server.socket
        weak let client = pair.client.socket
        pair.server.delegate = Peer()
        let peer = Peer()
        peer.ready = { $0.close(.local("the test ends")) }
        // One that asks for a turn in each turn is kept by the loop.
        peer.closed = { _ in
          loop.every(1) { if server == nil && client == nil { isReleased.set(()) } }
        }
        pair.client.delegate = peer
      }
      await isReleased.value
    }
  }
}
