import Foundation
import TestKit
import Testing
import Wire

@testable import Transport

/// Streams of one peer that would keep a loop from all others.
@Suite("Hostile streams", .endsAtLast)
struct HostileStreamTests {
  let certificates = Certificates.shared

  @Test("A client that changes its keys again and again is closed, and others are served")
  func keyUpdates() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server())
      try await TLSAttacker.run(on: RawSocket.connected(to: seen.port)) { attacker in
        while attacker.changeKey() {}
      }
      #expect(await seen.closed.value == .tooManyKeyUpdates)
      let (result, _) = await thread.callOnce(seen.port, try certificates.client())
      #expect(result == .success([1, 2, 3]))
    }
  }

  @Test("A client may change its keys eight times a minute")
  func someKeyUpdates() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server())
      let answer = try await TLSAttacker.run(on: RawSocket.connected(to: seen.port)) {
        attacker -> [UInt8] in
        for _ in 0..<TLSSocket.keyUpdatesPerMinuteMax where !attacker.changeKey() { return [] }
        guard attacker.send(frame(of: [4, 5, 6])) else { return [] }
        return attacker.receive(100)
      }
      expectSame(Array(answer.suffix(3)), [4, 5, 6])
    }
  }

  /// The library fills a buffer of 16,709 bytes by one read of the socket, and goes on with another
  /// one where it has the front of a record's header. With records of 4,177 bytes that is so each
  /// time.
  @Test("Of a stream that does not end, one event takes a part only")
  func longStream() async throws {
    let (frame, count) = (frame(of: [UInt8](repeating: 7, count: 819)), 100)
    let bytesPerEvent = 16 << 10
    let done = Promise<(most: Int, wasSpent: Bool)>()
    let (isReady, isWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (own, other) = try RawSocket.pair()
    let tls = try certificates.server()
    try await withLoop { thread in
      try await thread.run { loop in
        let (peer, turns) = (Peer(), Turns())
        var wasSpent = false
        // All of it waits in the socket before any of it is read.
        peer.ready = { _ in
          isReady.signal()
          isWritten.wait()
        }
        peer.received = { connection, _, _ in
          turns.add(frame.count, connection.loop)
          wasSpent = wasSpent || connection.hasSpentReading
          if turns.total < count * frame.count { return }
          done.set((turns.most, wasSpent))
          connection.close(.local("all has come"))
        }
        var limits = ConnectionLimits.server
        (limits.readBytesPerEvent, limits.readsInTurns) = (bytesPerEvent, true)
        // The attacker's thread starts when this test has its next turn among all others.
        limits.handshakeMilliseconds = 600_000
        let socket = try TLSSocket(
          on: loop, descriptor: own, context: tls.context, serverName: nil)
        let connection = Connection(
          on: loop, socket: socket, address: "pair", limits: SharedLimits(limits), owner: nil)
        connection.delegate = peer
        socket.start(connection)
      }
      let isSent = try await TLSAttacker.run(on: other) { attacker in
        isReady.wait()
        let record = Array(repeatElement(frame, count: 5).joined())
        let isSent = (0..<count / 5).allSatisfy { _ in attacker.send(record) }
        isWritten.signal()
        // Keeps the connection open until the server has closed it.
        _ = attacker.receive(1)
        return isSent
      }
      try #require(isSent)
      let (most, wasSpent) = await done.value
      // A turn may have an event and, where nobody else waits, two of this connection's turns.
      #expect(most <= 3 * bytesPerEvent && wasSpent)
    }
  }

  @Test("Of tiny records one event takes a few, and they count with all that is on the wire")
  func tinyRecords() async throws {
    let (frame, count) = (frame(of: [1, 2, 3]), 200)
    let size = count * frame.count
    let done = Promise<(most: Int, counted: Int)>()
    let (own, other) = try RawSocket.pair()
    let tls = try certificates.server()
    try await withLoop { thread in
      try await thread.run { loop in
        let (peer, turns) = (Peer(), Turns())
        var counted = 0
        peer.read = { counted += $0 }
        peer.received = { connection, _, _ in
          turns.add(frame.count, connection.loop)
          if turns.total < size { return }
          done.set((turns.most, counted))
          connection.close(.local("all has come"))
        }
        var limits = ConnectionLimits.client
        limits.handshakeMilliseconds = 600_000
        let socket = try TLSSocket(
          on: loop, descriptor: own, context: tls.context, serverName: nil)
        let connection = Connection(
          on: loop, socket: socket, address: "pair", limits: SharedLimits(limits), owner: nil)
        connection.delegate = peer
        socket.start(connection)
      }
      let isSent = try await TLSAttacker.run(on: other) { attacker in
        let isSent = attacker.sendBytewise(Array(repeatElement(frame, count: count).joined()))
        // Keeps the connection open until the server has closed it.
        _ = attacker.receive(1)
        return isSent
      }
      try #require(isSent)
      let (most, counted) = await done.value
      // A turn may have an event of its own beside the one that the turn before has left.
      #expect(most <= 2 * Connection.readsPerEventMax + frame.count)
      // The library may take some along with the end of the handshake.
      #expect(counted > size * TLSAttacker.smallestRecordSize - (17 << 10))
    }
  }

  @Test("While a peer takes nothing the library releases what it reads into, and keeps it after")
  func deaf() async throws {
    let whole = frame(of: [UInt8](repeating: 7, count: 700_000))
    let (isBehind, isLevel) = (Promise<Bool>(), Promise<Bool>())
    let (own, other) = try RawSocket.pair()
    let tls = try certificates.server()
    try await withLoop { thread in
      try await thread.run { loop in
        let socket = try TLSSocket(
          on: loop, descriptor: own, context: tls.context, serverName: nil)
        let peer = Peer()
        peer.ready = { connection in
          connection.send(request(1), body: Array(whole.dropFirst(WireLimits.frameHeaderSize)))
          loop.atEndOfTurn { loop.atEndOfTurn { isBehind.set(socket.releasesBuffers) } }
        }
        // By then the peer has taken all.
        peer.received = { connection, _, _ in
          isLevel.set(!socket.releasesBuffers)
          connection.close(.local("all has come"))
        }
        var limits = ConnectionLimits.server
        limits.handshakeMilliseconds = 600_000
        let connection = Connection(
          on: loop, socket: socket, address: "pair", limits: SharedLimits(limits), owner: nil)
        connection.delegate = peer
        socket.start(connection)
      }
      let mayRead = DispatchSemaphore(value: 0)
      Task {
        _ = await isBehind.value
        mayRead.signal()
      }
      let isSent = try await TLSAttacker.run(on: other) { attacker in
        mayRead.wait()
        var left = whole.count
        while left > 0 {
          let bytes = attacker.receive(left)
          if bytes.isEmpty { break }
          left -= bytes.count
        }
        let isSent = left == 0 && attacker.send(frame(of: [1, 2, 3]))
        // Keeps the connection open until the server has closed it.
        _ = attacker.receive(1)
        return isSent
      }
      try #require(isSent)
      #expect(await isBehind.value)
      #expect(await isLevel.value)
    }
  }

  /// Notes how many bytes of frames were handed out in the busiest turn of a loop.
  private final class Turns {
    private(set) var most = 0
    private(set) var total = 0
    private var inTurn = 0

    func add(_ count: Int, _ loop: Loop) {
      if inTurn == 0 { loop.atEndOfTurn { self.inTurn = 0 } }
      inTurn += count
      total += count
      most = max(most, inTurn)
    }
  }

  @Test("What one event leaves, others bring: a body of many events comes whole")
  func smallEvents() async throws {
    var limits = shortLimits
    limits.partialFrameMilliseconds = 60_000
    limits.readBytesPerEvent = 100
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server(), limits: limits)
      let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let (result, _) = await thread.callOnce(seen.port, try certificates.client(), body: body)
      expectSame(try result.get(), body)
    }
  }

  @Test("Pings that come together get one answer")
  func pings() async throws {
    try await withLoop { thread in
      let sent = Promise<UInt64>()
      await thread.run { loop in
        let pair = LocalTransport.pair(on: loop)
        pair.server.delegate = Peer()
        let client = Peer()
        client.ready = { connection in
          for number in 1...100 as ClosedRange<UInt32> {
            connection.send(FrameHeader(kind: .ping, opcode: 0, correlation: number), body: [])
          }
          connection.send(request(101), body: [])
        }
        // The answer to the call, and one to all pings.
        client.received = { _, _, _ in loop.atEndOfTurn { sent.set(pair.server.sentFrameCount) } }
        pair.client.delegate = client
      }
      #expect(await sent.value == 2)
    }
  }
}

/// The bytes of a request with this body.
func frame(of body: [UInt8]) -> [UInt8] {
  var frame = [UInt8](repeating: 0, count: WireLimits.frameHeaderSize)
  unsafe frame.withUnsafeMutableBytes { unsafe request(1).write(to: $0, bodyCount: body.count) }
  return frame + body
}
