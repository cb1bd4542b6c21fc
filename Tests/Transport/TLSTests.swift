import TestKit
import Testing
@testable import Transport
import Wire

/// Watches which parts of a connection still exist.
private final class Watch {
  weak var link: Link?
  weak var connection: Connection?
  weak var socket: ConnectionSocket?
  weak var delegate: (any ConnectionDelegate)?

  var isGone: [Bool] { [link == nil, connection == nil, socket == nil, delegate == nil] }
}

@Suite("TLS", .endsAtLast)
struct TLSTests {
  let certificates = Certificates.shared

  private func text(_ reason: CloseReason?) -> String { reason?.text ?? "" }

  @Test("A call is answered over TLS 1.3")
  func echo() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server())
      let (result, _) = await thread.callOnce(seen.port, try certificates.client())
      #expect(result == .success([1, 2, 3]))
      #expect(await seen.peerName.value == nil)
    }
  }

  @Test("Bodies of many records come back whole")
  func large() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server(), limits: .server)
      let body = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let (result, _) = await thread.callOnce(seen.port, try certificates.client(), body: body)
      expectSame(try result.get(), body)
    }
  }

  @Test(
    "A connection that rests gives its buffers back, says so, and goes on when it is used again")
  func idleBuffers() async throws {
    let (released, first, second) = (Promise<Bool>(), Promise<Bool>(), Promise<Bool>())
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server()) { connection in
        guard let socket = connection.socket as? TLSSocket else { return }
        connection.loop.every(10) { if !socket.hasBuffers { released.set(true) } }
      }
      let client = try certificates.client()
      await thread.run { loop in
        let link = Link(on: loop, host: "127.0.0.1", port: seen.port, tls: client)
        loop.keep(link)
        link.call(7, body: [1], deadlineMilliseconds: 3_000) { first.set($0 == .success([1])) }
      }
      #expect(await first.value)
      #expect(await released.value)
      #expect(await seen.rested.value)
      await thread.run { loop in
        loop.keptObject(Link.self)?.call(7, body: [2], deadlineMilliseconds: 3_000) {
          second.set($0 == .success([2]))
        }
      }
      #expect(await second.value)
    }
  }

  @Test(
    "A connection that is not busy gives its buffers back after each flush; a busy one keeps them")
  func buffersOfTheBusy() async throws {
    let kept = Promise<[Bool]>()
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server()) { connection in
        if let socket = connection.socket as? TLSSocket { connection.loop.keep(socket) }
      }
      let client = try certificates.client()
      await thread.run { loop in
        let link = Link(on: loop, host: "127.0.0.1", port: seen.port, tls: client)
        loop.keep(link)
        func call(_ count: Int, _ found: [Bool]) {
          link.call(7, body: [1], deadlineMilliseconds: 60_000) { _ in
            // Both ends are on this loop, so the server has flushed its reply.
            let found = found + [loop.keptObject(TLSSocket.self)?.hasBuffers ?? false]
            if count == 1 { kept.set(found) } else { call(count - 1, found) }
          }
        }
        call(TLSSocket.flushesOfBusy + 1, [])
      }
      let found = await kept.value
      #expect(!found[0])
      #expect(found.last == true)
    }
  }

  @Test("Buffers are not given back in the middle of a record")
  func buffersOfHalfARecord() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server(), limits: .server) { connection in
        connection.loop.every(1) { _ = connection.socket.releaseIdleBuffers() }
      }
      let relay = try LateRelay(to: seen.port)
      let client = try certificates.client()
      let done = Promise<[Result<[UInt8], Failure>]>()
      await thread.run { loop in
        loop.every(1) { relay.tick() }
        let link = Link(on: loop, host: "127.0.0.1", port: relay.port, tls: client)
        let body = [UInt8](repeating: 7, count: 9_000)
        link.call(7, body: [1], deadlineMilliseconds: 9_000) { first in
          link.call(7, body: body, deadlineMilliseconds: 9_000) { second in
            done.set([first, second])
            link.close()
          }
        }
      }
      let bodies = try await done.value.map { try $0.get() }
      expectSame(bodies[0], [1])
      expectSame(bodies[1], [UInt8](repeating: 7, count: 9_000))
      relay.end()
    }
  }

  @Test("A connection that is reset ends, also when more is to be read than one read takes")
  func reset() async throws {
    try await withLoop { server in
      try await withLoop { thread in
        let seen = try await server.serve(certificates.server(), limits: .server)
        let relay = try ResettingRelay(to: seen.port)
        let client = try certificates.client()
        let isDown = Promise<Bool>()
        await thread.run { loop in
          var limits = ConnectionLimits.player
          // Otherwise a ping finds out.
          limits.pingMilliseconds = 0
          let link = Link(
            on: loop, host: "127.0.0.1", port: relay.port, tls: client, limits: limits)
          link.onStateChange = { isUp in
            if isUp { return }
            isDown.set(true)
            link.close()
          }
          link.call(7, body: [1], deadlineMilliseconds: 60_000) { _ in
            relay.arm(64 << 10)
            let body = [UInt8](repeating: 7, count: 80_000)
            link.call(7, body: body, deadlineMilliseconds: 60_000) { _ in }
            // After the call has left: all of it comes before this loop looks.
            loop.after(1) { relay.waitForReset() }
          }
        }
        #expect(await isDown.value)
      }
    }
  }

  @Test("Nothing of a connection outlives it")
  func nothingIsKept() async throws {
    let left = Promise<[Bool]>()
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server()) { connection in
        let watch = connection.loop.keptObject(Watch.self)
        watch?.connection = connection
        watch?.socket = connection.socket
        watch?.delegate = connection.delegate
      }
      let client = try certificates.client()
      await thread.run { loop in
        let watch = Watch()
        loop.keep(watch)
        let link = Link(on: loop, host: "127.0.0.1", port: seen.port, tls: client)
        watch.link = link
        link.call(7, body: [1], deadlineMilliseconds: 3_000) { _ in link.close() }
      }
      _ = await seen.closed.value
      await thread.run { loop in
        // This runs after the turn in which the connection's end was reported.
        _ = loop.after(1) {
          loop.atEndOfTurn { left.set(loop.keptObject(Watch.self)?.isGone ?? []) }
        }
      }
      #expect(await left.value == [true, true, true, true])
    }
  }

  @Test("A server of another authority is not trusted")
  func wrongAuthority() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server())
      let client = try certificates.client(authority: certificates.otherAuthority)
      let (_, failure) = await thread.callOnce(seen.port, client)
      #expect(text(failure).contains("certificate verify failed"))
      #expect(text(await seen.handshakeFailure.value).contains("unknown ca"))
    }
  }

  @Test("A server with another name is not trusted, one with the right address is")
  func wrongName() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server())
      let (_, failure) = await thread.callOnce(
        seen.port, try certificates.client(name: "example.org"))
      #expect(text(failure).lowercased().contains("hostname mismatch"))
      let (result, _) = await thread.callOnce(seen.port, try certificates.client(name: nil))
      #expect(result == .success([1, 2, 3]))
    }
  }

  @Test("Where client certificates are required, one without is refused")
  func missingClientCertificate() async throws {
    try await withLoop { thread in
      let required = try certificates.server(.required(authority: certificates.authority))
      let seen = try await thread.serve(required)
      let (result, failure) = await thread.callOnce(seen.port, try certificates.client())
      #expect(throws: Failure.self) { try result.get() }
      #expect(text(failure).contains("certificate required"))
      #expect(text(await seen.handshakeFailure.value).contains("did not return a certificate"))
    }
  }

  @Test("A client certificate gives the connection its peer's name")
  func peerName() async throws {
    try await withLoop { thread in
      let required = try certificates.server(.required(authority: certificates.authority))
      let seen = try await thread.serve(required)
      let client = try certificates.client(certificate: "gateway")
      let (result, _) = await thread.callOnce(seen.port, client)
      #expect(result == .success([1, 2, 3]))
      #expect(await seen.peerName.value == "gateway.muster")
    }
  }

  /// Lets a program talk to a server, and returns why the server refused the handshake.
  private func refusal(
    limits: ConnectionLimits = shortLimits, _ script: (UInt16) -> String
  ) async throws -> CloseReason {
    let reason = Promise<CloseReason>()
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server(), limits: limits)
      let program = try Program(script(seen.port))
      reason.set(await seen.handshakeFailure.value)
      program.end()
      // The server still works.
      let (result, _) = await thread.callOnce(seen.port, try certificates.client())
      #expect(result == .success([1, 2, 3]))
    }
    return await reason.value
  }

  @Test("Plain bytes on the port")
  func plain() async throws {
    let reason = try await refusal {
      "exec 3<>/dev/tcp/127.0.0.1/\($0); printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3"
    }
    #expect(reason == .handshake("http request"))
  }

  @Test("A client that connects and says nothing")
  func silentClient() async throws {
    var limits = shortLimits
    limits.handshakeMilliseconds = 400
    let reason = try await refusal(limits: limits) {
      "exec 3<>/dev/tcp/127.0.0.1/\($0); cat <&3"
    }
    #expect(reason == .handshakeTimeout)
  }

  @Test("A client that speaks TLS 1.2 only")
  func oldVersion() async throws {
    let reason = try await refusal {
      "openssl s_client -tls1_2 -alpn muster/1 -connect 127.0.0.1:\($0)"
    }
    #expect(text(reason).contains("unsupported protocol"))
  }

  @Test("A client without ALPN, and one with another protocol")
  func applicationProtocol() async throws {
    let none = try await refusal { "sleep 9 | openssl s_client -quiet -connect 127.0.0.1:\($0)" }
    #expect(text(none).contains("ALPN"))
    let other = try await refusal { "openssl s_client -alpn h2 -connect 127.0.0.1:\($0)" }
    #expect(text(other).contains("no application protocol"))
  }

  /// Returns why a server closes an open connection on which a client sends these bytes inside TLS.
  private func closeReason(_ bytes: String, limits: ConnectionLimits = shortLimits) async throws
    -> CloseReason
  {
    let reason = Promise<CloseReason>()
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server(), limits: limits)
      let program = try Program(
        "(printf '\(bytes)'; sleep 9) | openssl s_client -quiet -alpn muster/1 "
          + "-connect 127.0.0.1:\(seen.port)")
      reason.set(await seen.closed.value)
      program.end()
    }
    return await reason.value
  }

  @Test("Garbage inside TLS, half a frame inside TLS, nothing inside TLS")
  func garbage() async throws {
    let garbage = try await closeReason("GET / HTTP/1.0\\r\\n\\r\\n")
    #expect(garbage == .protocolError(.lengthOverLimit(0x4745_5420)))
    #expect(try await closeReason("\\0\\0\\0\\x20\\1") == .partialFrame)
    var limits = shortLimits
    limits.idleMilliseconds = 100
    #expect(try await closeReason("", limits: limits) == .idle)
  }

  @Test("A TLS client that never reads is closed as a slow reader")
  func slowReader() async throws {
    try await withLoop { thread in
      let closed = Promise<CloseReason>()
      let most = Promise<Int>()
      let tls = try certificates.server()
      let port = try await thread.run { loop in
        let flood = Peer()
        var mostBytes = 0
        flood.ready = { connection in
          func more() {
            if !connection.isOpen { return }
            let event = FrameHeader(kind: .event, opcode: 1, correlation: 0)
            connection.send(event, body: [UInt8](repeating: 0, count: 50_000))
            mostBytes = max(mostBytes, connection.outgoingBytes)
            loop.atEndOfTurn { more() }
          }
          more()
        }
        flood.closed = { reason in
          most.set(mostBytes)
          closed.set(reason)
        }
        let listener = try Listener(
          on: loop, host: "127.0.0.1", port: 0, tls: tls, limits: shortLimits,
          connectionCountMax: 1
        ) { _ in flood }
        return listener.port
      }
      let program = try Program(
        "sleep 9 | openssl s_client -quiet -alpn muster/1 -connect 127.0.0.1:\(port)",
        reads: false)
      #expect(await closed.value == .slowReader)
      #expect(await most.value <= shortLimits.outgoingBytesMax + 50_012)
      program.end()
    }
  }

  @Test("Closing inside a callback is safe over TLS, at every frame and again and again")
  func reentrantClose() async throws {
    try await withLoop { thread in
      let server = try certificates.server(secret: [1])
      let client = try certificates.client()
      let done = Promise<Int>()
      try await thread.run { loop in
        let peer = Peer()
        var received = 0
        peer.received = { connection, _, _ in
          received += 1
          connection.close(.local("enough"))
        }
        let listener = try Listener(
          on: loop, host: "127.0.0.1", port: 0, tls: server, limits: .server, connectionCountMax: 9
        ) { _ in peer }
        let link = Link(on: loop, host: "127.0.0.1", port: listener.port, tls: client)
        var ended = 0
        func ask() {
          link.call(1, body: [1], deadlineMilliseconds: 5_000) { result in
            #expect(throws: Failure.self) { try result.get() }
            ended += 1
            if ended == 6 { done.set(received) } else { ask() }
          }
        }
        ask()
      }
      #expect(await done.value == 6)
    }
  }

  @Test("Over the number of connections, new ones are closed and counted")
  func connectionLimit() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server(), connectionCountMax: 1)
      let tls = try certificates.client()
      let up = Promise<Bool>()
      await thread.run { loop in
        let link = Link(on: loop, host: "127.0.0.1", port: seen.port, tls: tls)
        link.onStateChange = { up.set($0) }
        loop.keep(link)
      }
      #expect(await up.value)
      let (_, failure) = await thread.callOnce(seen.port, tls)
      #expect(failure != nil)
      #expect(await seen.handshakeFailure.value == .refused("1 connections are open"))
      let counts = await thread.run { loop in loop.keptObject(Listener.self)?.counts }
      #expect(counts?.refusedAtLimit == 1)
      #expect(counts?.opened == 1)
    }
  }

  @Test("A port in use is named in the error, and so is a file that is not there")
  func clearErrors() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(certificates.server())
      let error = await #expect(throws: ListenError.self) {
        _ = try await thread.serve(certificates.server(), port: seen.port)
      }
      #expect(error == .portInUse(seen.port))
      #expect("\(ListenError.portInUse(seen.port))".contains("\(seen.port) is in use"))
      let missing = #expect(throws: TLSError.self) {
        try TLSServerContext(certificate: "/nowhere/c.pem", key: "/nowhere/k.pem")
      }
      #expect(missing?.text == "certificate /nowhere/c.pem: No such file or directory")
    }
  }

  @Test(
    "A session is resumed by another context with the same ticket secret", arguments: [true, false])
  func resumption(sameSecret: Bool) async throws {
    try await withLoop { thread in
      let required = TLSServerContext.ClientCertificates.required(
        authority: certificates.authority)
      let first = try certificates.server(required, secret: [1, 2, 3])
      let second = try certificates.server(required, secret: sameSecret ? [1, 2, 3] : [4])
      let client = try certificates.client(certificate: "gateway")
      let seen = try await thread.serve(first)
      let answered = Promise<Bool>()
      let again = Promise<Int>()
      await thread.run { loop in
        let link = Link(on: loop, host: "127.0.0.1", port: seen.port, tls: client)
        link.call(1, body: [], deadlineMilliseconds: 5_000) { _ in answered.set(true) }
        link.onStateChange = { isUp in
          if isUp && link.openedCount == 2 { again.set(link.resumedCount) }
        }
      }
      _ = await answered.value
      await thread.run { loop in loop.keptObject(Listener.self)?.drain(within: 0) {} }
      _ = await seen.closed.value
      let other = try await thread.serve(second, port: seen.port)
      #expect(await again.value == (sameSecret ? 1 : 0))
      #expect(await other.peerName.value == "gateway.muster")
    }
  }

  @Test("A context that seals tickets with another secret takes none that was sealed before")
  func otherTicketSecret() async throws {
    try await withLoop { thread in
      let server = try certificates.server(secret: [1, 2, 3])
      let client = try certificates.client()
      let seen = try await thread.serve(server) { $0.finish(.local("once")) }
      let resumed = Promise<[Int]>()
      await thread.run { loop in
        let link = Link(on: loop, host: "127.0.0.1", port: seen.port, tls: client)
        var counts: [Int] = []
        link.onStateChange = { isUp in
          if !isUp { return }
          counts.append(link.resumedCount)
          if counts.count == 4 { return resumed.set(counts) }
          link.call(1, body: [], deadlineMilliseconds: 5_000) { _ in
            // Its ticket has come by now.
            if counts.count == 2 { server.sealTickets(with: [4]) }
          }
        }
      }
      // The second connection is resumed, and has the last ticket of the first secret.
      #expect(await resumed.value == [0, 1, 1, 2])
    }
  }

  @Test("Draining delivers what is queued, then closes")
  func drain() async throws {
    try await withLoop { thread in
      let server = try certificates.server()
      let client = try certificates.client()
      let answers = Promise<Int>()
      let drained = Promise<Bool>()
      await thread.run { loop in
        var held: Listener?
        let peer = Peer()
        var waiting: [FrameHeader] = []
        peer.received = { connection, header, _ in
          waiting.append(header)
          if waiting.count < 20 { return }
          for header in waiting {
            connection.send(
              FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
              body: [UInt8](repeating: 5, count: 100_000))
          }
          held?.drain(within: 5_000) { drained.set(true) }
        }
        do {
          held = try Listener(
            on: loop, host: "127.0.0.1", port: 0, tls: server, limits: .server,
            connectionCountMax: 5
          ) { _ in peer }
        } catch {
          Issue.record(error)
        }
        let link = Link(
          on: loop, host: "127.0.0.1", port: held?.port ?? 0, tls: client,
          waitsForConnection: true)
        var count = 0
        var ended = 0
        for _ in 0..<20 {
          link.call(1, body: [], deadlineMilliseconds: 10_000) { result in
            if case .success(let body) = result, body.count == 100_000 { count += 1 }
            ended += 1
            if ended == 20 { answers.set(count) }
          }
        }
      }
      // Without the answers nobody began to drain, and there would be nothing to wait for.
      try #require(await answers.value == 20)
      #expect(await drained.value)
    }
  }
}
