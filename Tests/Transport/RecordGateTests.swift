import COpenSSL
import Foundation
import TestKit
import Testing
import Wire

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

#if os(Linux)
  /// What of a handshake is left in the system's socket, and what costs memory.
  @Suite("Record gate", .endsAtLast)
  struct RecordGateTests {
    private static func send(_ bytes: some Sequence<UInt8>, on descriptor: Int32) {
      let bytes = Array(bytes)
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      #expect(count == bytes.count)
    }

    private static func look(_ gate: inout RecordGate, _ descriptor: Int32, isFirst: Bool)
      -> RecordGate.Outcome
    {
      let room = UnsafeMutableRawBufferPointer.allocate(
        byteCount: RecordGate.recordSizeMax, alignment: 1)
      defer { unsafe room.deallocate() }
      return unsafe gate.look(at: descriptor, isFirst: isFirst, in: room)
    }

    /// Calls `body` with the gate's end of a connection, and the other one.
    private static func withPair(_ body: (Int32, Int32) -> Void) throws {
      let (own, other) = try RawSocket.pair()
      body(own, other)
      close(own)
      close(other)
    }

    @Test("Of every beginning of a first message nothing passes, and all of it does")
    func beginnings() throws {
      let hello = try TLSAttacker.hello()
      for count in 1..<hello.count {
        try Self.withPair { own, other in
          var gate = RecordGate()
          Self.send(hello.prefix(count), on: other)
          #expect(Self.look(&gate, own, isFirst: true) == .waits)
          #expect(gate.lowWater == (count < RecordGate.headerSize ? 5 : hello.count))
        }
      }
      try Self.withPair { own, other in
        var gate = RecordGate()
        Self.send(hello, on: other)
        #expect(Self.look(&gate, own, isFirst: true) == .passes(hello.count))
        #expect(Self.look(&gate, own, isFirst: true) == .passes(hello.count), "it was taken")
      }
    }

    @Test("Whole records pass, and the front of the next one waits for its rest")
    func several() throws {
      let change: [UInt8] = [20, 3, 3, 0, 1, 1]
      let finished: [UInt8] = [23, 3, 3, 1, 4] + [UInt8](repeating: 9, count: 260)
      for count in 1..<finished.count {
        try Self.withPair { own, other in
          var gate = RecordGate()
          Self.send(change + finished.prefix(count), on: other)
          #expect(Self.look(&gate, own, isFirst: false) == .passes(change.count))
          #expect(gate.lowWater == (count < RecordGate.headerSize ? 5 : finished.count))
        }
      }
      try Self.withPair { own, other in
        var gate = RecordGate()
        Self.send(change + finished, on: other)
        let size = change.count + finished.count
        #expect(Self.look(&gate, own, isFirst: false) == .passes(size))
      }
    }

    @Test("What is no record is the library's to refuse, and nothing waits for more of it")
    func foreign() throws {
      for bytes in [
        Array("GET / HTTP/1.0".utf8), [0x80, 0x2e, 1, 3, 1, 0], [21, 3, 1, 0, 2, 1, 0],
        // A message that is not the first one, and the front of one of 16 KiB and a byte.
        [22, 3, 1, 0, 4, 11, 0, 0, 9], [22, 3, 1, 0, 4, 1, 0, 0x40, 1],
      ] as [[UInt8]] {
        try Self.withPair { own, other in
          var gate = RecordGate()
          Self.send(bytes, on: other)
          #expect(Self.look(&gate, own, isFirst: true) == .foreign(bytes.count))
        }
      }
      // A record may have 16 KiB, and what encryption adds.
      for (size, isForeign) in [(16_640, false), (16_641, true), (16_704, true)] {
        try Self.withPair { own, other in
          var gate = RecordGate()
          let header: [UInt8] = [22, 3, 1, UInt8(size >> 8), UInt8(size & 0xff)]
          Self.send(header, on: other)
          let outcome = Self.look(&gate, own, isFirst: true)
          #expect(outcome == (isForeign ? .foreign(5) : .waits))
        }
      }
      try Self.withPair { own, other in
        var gate = RecordGate()
        Self.send([20, 3, 3, 0, 1, 1, 22, 3, 3, 0x41, 1], on: other)
        #expect(Self.look(&gate, own, isFirst: false) == .foreign(11))
      }
    }

    @Test("Whoever announces more than may come is closed, and nothing is kept for the rest")
    func announcements() async throws {
      for bytes in [[22, 3, 1, 0, 4, 1, 2, 1, 0x44], [22, 3, 1, 0x41, 1]] as [[UInt8]] {
        try await withLoop { thread in
          let seen = try await thread.serve(Certificates.shared.server())
          let descriptor = try RawSocket.connected(to: seen.port)
          Self.send(bytes, on: descriptor)
          if case .handshake(let why) = await seen.handshakeFailure.value {
            #expect(why != "the peer went away")
          } else {
            Issue.record("it was closed for another reason")
          }
          close(descriptor)
        }
      }
    }

    @Test("A peer that ends early is told from one of which the system has told too early")
    func endings() throws {
      let hello = try TLSAttacker.hello()
      try Self.withPair { own, other in
        var gate = RecordGate()
        #expect(Self.look(&gate, own, isFirst: true) == .waits)
        Self.send(hello.prefix(3), on: other)
        #expect(Self.look(&gate, own, isFirst: true) == .waitsUnasked)
        shutdown(other, Int32(SHUT_WR))
        #expect(Self.look(&gate, own, isFirst: true) == .failed("the peer went away"))
      }
      try Self.withPair { own, other in
        var gate = RecordGate()
        shutdown(other, Int32(SHUT_WR))
        #expect(Self.look(&gate, own, isFirst: true) == .failed("the peer went away"))
      }
    }

    // MARK: What a handshake keeps

    /// What a server's end keeps after a step.
    private struct Kept: Equatable {
      var hasObject: Bool
      var hasBuffers: Bool
      /// Bytes that were left in the system's socket.
      var leftCount: Int
    }

    private static func kept(_ socket: TLSSocket, _ descriptor: Int32) -> Kept {
      var bytes = [UInt8](repeating: 0, count: 8192)
      let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_PEEK))
      return Kept(
        hasObject: socket.hasObject, hasBuffers: socket.hasBuffers, leftCount: max(count, 0))
    }

    @Test("The library gets nothing but whole records, and keeps no buffers while it waits")
    func memory() async throws {
      let hello = try TLSAttacker.hello()
      let change: [UInt8] = [20, 3, 3, 0, 1, 1]
      let pieces: [[UInt8]] = [
        Array(hello[..<1]), Array(hello[1..<200]), Array(hello[200...]), change + [23], [3, 3],
      ]
      let result = Promise<[Kept]>()
      let (own, other) = try RawSocket.pair()
      let tls = try Certificates.shared.server()
      try await withLoop { thread in
        try await thread.run { loop in
          let socket = try TLSSocket(
            on: loop, descriptor: own, context: tls.context, serverName: nil)
          let connection = Connection(
            on: loop, socket: socket, address: "pair", limits: SharedLimits(shortLimits),
            owner: nil)
          result.set(
            pieces.map { piece in
              Self.send(piece, on: other)
              connection.stepHandshake()
              return Self.kept(socket, own)
            })
          connection.close(.local("the test ends"))
        }
      }
      #expect(
        await result.value == [
          Kept(hasObject: false, hasBuffers: false, leftCount: 1),
          Kept(hasObject: false, hasBuffers: false, leftCount: 200),
          Kept(hasObject: true, hasBuffers: false, leftCount: 0),
          Kept(hasObject: true, hasBuffers: false, leftCount: 1),
          Kept(hasObject: true, hasBuffers: false, leftCount: 3),
        ])
      close(other)
    }

    // MARK: Over a network

    /// Runs what blocks on a thread of its own.
    private static func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async
      -> Value
    {
      let result = Promise<Value>()
      Thread.detachNewThread { result.set(body()) }
      return await result.value
    }

    /// Whether the system tells that something may be read, after so long at the most.
    private static func tells(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
      var look = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&look, 1, milliseconds) > 0
    }

    @Test("The system tells of as many bytes as it is asked for, and of an end at once")
    func told() async throws {
      let (listener, port) = try RawSocket.listening()
      let other = try RawSocket.connected(to: port)
      let own = accept(listener, nil, nil)
      let told = await Self.apart {
        var gate = RecordGate()
        gate.wait(for: 5, at: own)
        Self.send([1, 2, 3, 4], on: other)
        var bytes = [UInt8](repeating: 0, count: 4)
        // Waits until all have come.
        _ = unsafe recv(own, &bytes, bytes.count, Int32(MSG_PEEK) | Int32(MSG_WAITALL))
        var told = [Self.tells(own, within: 0)]
        Self.send([5], on: other)
        told.append(Self.tells(own, within: 60_000))
        gate.wait(for: 10, at: own)
        told.append(Self.tells(own, within: 0))
        shutdown(other, Int32(SHUT_WR))
        told.append(Self.tells(own, within: 60_000))
        return told
      }
      #expect(told == [false, true, false, true])
      for descriptor in [listener, own, other] { close(descriptor) }
    }

    @Test("A first message that comes byte by byte is answered")
    func drip() async throws {
      let hello = try TLSAttacker.hello()
      try await withLoop { thread in
        let seen = try await thread.serve(Certificates.shared.server())
        let descriptor = try RawSocket.connected(to: seen.port)
        let answer = await Self.apart {
          var now: Int32 = 1
          unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &now, socklen_t(MemoryLayout<Int32>.size))
          for byte in hello { Self.send([byte], on: descriptor) }
          var first: UInt8 = 0
          _ = unsafe read(descriptor, &first, 1)
          return first
        }
        #expect(answer == UInt8(SSL3_RT_HANDSHAKE))
        close(descriptor)
      }
    }

    @Test("Who ends in the middle of a first message is closed for that, and waits for no limit")
    func endsEarly() async throws {
      let hello = try TLSAttacker.hello()
      try await withLoop { thread in
        for count in [0, 1, 100] {
          let seen = try await thread.serve(Certificates.shared.server())
          let descriptor = try RawSocket.connected(to: seen.port)
          Self.send(hello.prefix(count), on: descriptor)
          shutdown(descriptor, Int32(SHUT_WR))
          #expect(await seen.handshakeFailure.value == .handshake("the peer went away"))
          close(descriptor)
        }
      }
    }
  }
#endif
