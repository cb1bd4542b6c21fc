import TestKit
import Testing
import Transport
import Wire

@Suite("Link", .endsAtLast)
struct LinkTests {
  @Test("Calls share a connection and each gets its own reply, in any order")
  func multiplexing() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt8]>()
      await thread.run { loop in
        let server = Peer()
        var waiting: [(FrameHeader, [UInt8])] = []
        server.received = { connection, header, body in
          waiting.append((header, body))
          if waiting.count < 10 { return }
          for (header, body) in waiting.reversed() {
            connection.send(
              FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
              body: body)
          }
        }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        var order: [UInt8] = []
        for number in UInt8(0)..<10 {
          link.call(1, body: [number], deadlineMilliseconds: 5_000) { result in
            #expect(result == .success([number]))
            order.append(number)
            if order.count == 10 { done.set(order) }
          }
        }
      }
      #expect(await done.value == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    }
  }

  @Test("A failure that the server sends is the failure that the caller gets")
  func failure() async throws {
    try await withLoop { thread in
      let done = Promise<Result<[UInt8], Failure>>()
      let refusal = Failure(.notFound, argument: "board", "there is no such board")
      await thread.run { loop in
        let server = Peer()
        server.received = { connection, header, _ in
          connection.send(
            FrameHeader(kind: .error, opcode: header.opcode, correlation: header.correlation),
            body: refusal.encoded)
        }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        link.call(1, body: [], deadlineMilliseconds: 5_000) { done.set($0) }
      }
      #expect(await done.value == .failure(refusal))
    }
  }

  @Test("A call without an answer ends at its deadline, and a late reply is dropped")
  func deadline() async throws {
    try await withLoop { thread in
      let done = Promise<[FailureCode?]>()
      await thread.run { loop in
        let server = Peer()
        server.received = { connection, header, body in
          loop.after(body.isEmpty ? 0 : 150) {
            connection.send(
              FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
              body: body)
          }
        }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        var codes: [FailureCode?] = []
        func end(_ result: Result<[UInt8], Failure>) {
          if case .failure(let failure) = result {
            codes.append(failure.code)
            #expect(failure.text == "No answer came in time.")
          } else {
            codes.append(nil)
          }
        }
        link.call(1, body: [1], deadlineMilliseconds: 50) { result in
          end(result)
          // Takes the slot of the call that was given up; the late reply must not answer it.
          loop.after(200) {
            link.call(1, body: [], deadlineMilliseconds: 5_000) { result in
              end(result)
              done.set(codes)
            }
          }
        }
      }
      #expect(await done.value == [.deadlineExceeded, nil])
    }
  }

  @Test(
    "The nearest deadline comes first, whatever else is awaited, and however many come after it")
  func nearestDeadline() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt64]>()
      await thread.run { loop in
        let server = Peer()
        server.received = { _, _, _ in }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        var order: [UInt64] = []
        func call(_ milliseconds: UInt64) {
          link.call(1, body: [], deadlineMilliseconds: milliseconds) { _ in
            order.append(milliseconds)
            // Closing the link ends the last two calls.
            if order.count == 3 { link.close() }
            if order.count == 5 { done.set(order) }
          }
        }
        // Each of the first three deadlines is nearer than those before it.
        for milliseconds: UInt64 in [60_000, 90, 60, 30, 50_000] { call(milliseconds) }
      }
      #expect(await done.value == [30, 60, 90, 60_000, 50_000])
    }
  }

  @Test("Without a server calls wait up to their deadline, or fail at once, as asked")
  func notConnected() async throws {
    try await withLoop { thread in
      let done = Promise<[FailureCode]>()
      await thread.run { loop in
        let port = LocalPort(on: loop) { _ in nil }
        port.isListening = false
        var codes: [FailureCode] = []
        for waits in [true, false] {
          let link = Link(on: loop, to: port, waitsForConnection: waits)
          link.call(1, body: [1], deadlineMilliseconds: 60) { result in
            if case .failure(let failure) = result { codes.append(failure.code) }
            if codes.count == 2 { done.set(codes) }
          }
        }
      }
      #expect(await done.value == [.disconnected, .disconnected])
    }
  }

  @Test("Calls that wait for a connection go out in the order in which they were made")
  func waitInOrder() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt8]>()
      await thread.run { loop in
        let server = Peer()
        var received: [UInt8] = []
        weak var accepted: Connection?
        server.received = { connection, header, body in
          accepted = connection
          received += body
          connection.send(
            FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
            body: body)
          if received.count == 6 { done.set(received) }
        }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        var answeredCount = 0
        func call(_ number: UInt8) {
          link.call(1, body: [number], deadlineMilliseconds: 60_000) { _ in
            answeredCount += 1
            if answeredCount == 3 { accepted?.close(.local("the test cuts it")) }
          }
        }
        link.onStateChange = { isUp in if !isUp { for number in UInt8(3)..<6 { call(number) } } }
        for number in UInt8(0)..<3 { call(number) }
      }
      #expect(await done.value == [0, 1, 2, 3, 4, 5])
    }
  }

  @Test("A port where nobody listens is named as the reason")
  func connectionRefused() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(Certificates.shared.server())
      await thread.run { loop in loop.keptObject(Listener.self)?.stopAccepting() }
      let (_, failure) = await thread.callOnce(seen.port, try Certificates.shared.client())
      #expect(failure == .connect("Connection refused"))
    }
  }

  @Test("Over TLS, through restarts of the server, every call ends exactly once")
  func restarts() async throws {
    try await withLoop { thread in
      let server = try Certificates.shared.server(secret: [9])
      let client = try Certificates.shared.client()
      let first = try await thread.serve(server)
      let total = 300
      let done = Promise<[Int]>()
      await thread.run { loop in
        let link = Link(on: loop, host: "127.0.0.1", port: first.port, tls: client)
        var ends = [Int](repeating: 0, count: total)
        var next = 0
        var ended = 0
        let timer = loop.every(1) {
          if next == total { return }
          let number = next
          next += 1
          link.call(1, body: [UInt8](repeating: 1, count: 100), deadlineMilliseconds: 9_000) { _ in
            ends[number] += 1
            ended += 1
            if ended == total {
              // If a call ended twice, that would show by then.
              loop.after(50) { done.set(ends) }
            }
          }
        }
        loop.keep(timer)
        loop.keep(link)
      }
      for _ in 0..<3 {
        await thread.run { loop in
          loop.keptObject(Listener.self)?.drain(within: 0) {}
        }
        _ = try await thread.serve(server, port: first.port)
        await reconnected(thread)
      }
      #expect(await done.value == [Int](repeating: 1, count: total))
    }
  }

  @Test(
    "A connection that served is told from one that the peer did not accept",
    arguments: [true, false])
  func wasServed(isAccepted: Bool) async throws {
    try await withLoop { thread in
      let served = Promise<Bool>()
      await thread.run { loop in
        let server = Peer()
        server.ready = { if !isAccepted { $0.close(.refused("not accepted")) } }
        server.received = { connection, header, body in
          connection.send(
            FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
            body: body)
          connection.finish(.drained)
        }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        link.onAttemptFailed = { [unowned link] reason in
          #expect(reason == .endOfStream)
          served.set(link.wasServed)
          link.close()
        }
        link.call(1, body: [], deadlineMilliseconds: 5_000) { _ in }
      }
      #expect(await served.value == isAccepted)
    }
  }

  /// Returns when the kept link has an answer again.
  private func reconnected(_ thread: LoopThread) async {
    let up = Promise<Bool>()
    await thread.run { loop in
      func ask() {
        guard let link = loop.keptObject(Link.self) else { return up.set(false) }
        link.call(2, body: [], deadlineMilliseconds: 5_000) { result in
          if case .success = result { up.set(true) } else { ask() }
        }
      }
      ask()
    }
    #expect(await up.value)
  }

  @Test("Closing a link ends its calls, and later calls end at once")
  func close() async throws {
    try await withLoop { thread in
      let done = Promise<[FailureCode]>()
      await thread.run { loop in
        let server = Peer()
        server.received = { _, _, _ in }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        var codes: [FailureCode] = []
        func end(_ result: Result<[UInt8], Failure>) {
          if case .failure(let failure) = result { codes.append(failure.code) }
          if codes.count == 3 { done.set(codes) }
        }
        link.call(1, body: [], deadlineMilliseconds: 5_000) { end($0) }
        link.onStateChange = { isUp in
          if !isUp { return }
          link.call(1, body: [], deadlineMilliseconds: 5_000) { end($0) }
          link.close()
          link.call(1, body: [], deadlineMilliseconds: 5_000) { end($0) }
        }
      }
      #expect(await done.value == [.disconnected, .disconnected, .disconnected])
    }
  }

  @Test("A server that goes silent is noticed by pings")
  func ping() async throws {
    try await withLoop { thread in
      let done = Promise<CloseReason?>()
      await thread.run { loop in
        var limits = ConnectionLimits.server
        limits.pingMilliseconds = 30
        let server = Peer()
        server.ready = { connection in
          // Pings are answered below the delegate: two quiet periods pass, then all is silent.
          loop.after(150) { connection.delegate = nil }
        }
        let started = loop.monotonicMilliseconds
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server }, limits: limits)
        link.onStateChange = { isUp in
          if isUp { return }
          #expect(loop.monotonicMilliseconds - started >= 150)
          done.set(link.lastFailure)
          link.close()
        }
      }
      #expect(await done.value == .idle)
    }
  }

  @Test("3.7 a server whose one frame takes long to come is no silent one")
  func pingWhileAFrameComes() async throws {
    try await withLoop { thread in
      let done = Promise<CloseReason?>()
      await thread.run { loop in
        let server = Peer()
        server.ready = { connection in
          // The answers to pings would stand behind the frame.
          connection.delegate = nil
          let event = FrameHeader(kind: .event, opcode: 1, correlation: 0)
          var rest = event.frame(body: [UInt8](repeating: 0, count: 120))[...]
          let drip = loop.every(5) { connection.sendRaw(rest.popFirst().map { [$0] } ?? []) }
          loop.keep(drip)
        }
        var limits = ConnectionLimits.player
        limits.pingMilliseconds = 60
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server }, limits: limits)
        link.onEvent = { _, _ in
          done.set(nil)
          link.close()
        }
        link.onStateChange = { isUp in
          if isUp { return }
          done.set(link.lastFailure)
          link.close()
        }
      }
      #expect(await done.value == nil)
    }
  }

  @Test(
    "A server that talks all the time hears of a client that has nothing to say",
    arguments: [40, 0] as [UInt64])
  func pingToATalker(ping: UInt64) async throws {
    try await withLoop { thread in
      let done = Promise<CloseReason?>()
      await thread.run { loop in
        var serverLimits = ConnectionLimits.client
        // Long, for a machine that is late.
        serverLimits.idleMilliseconds = 10_000
        let server = Peer()
        let port = LocalPort(on: loop, limits: serverLimits) { _ in server }
        server.ready = { connection in
          let talk = loop.every(10) {
            connection.send(FrameHeader(kind: .event, opcode: 1, correlation: 0), body: [])
          }
          loop.keep(talk)
        }
        // It pings rarely, or as often as it is told later.
        var limits = ConnectionLimits.server
        limits.pingMilliseconds = 60_000
        let link = Link(on: loop, to: port, limits: limits)
        link.onStateChange = { isUp in
          if isUp {
            if ping > 0 { link.pingMilliseconds = ping }
            loop.after(25_000) {
              done.set(nil)
              link.close()
            }
          } else {
            done.set(link.lastFailure)
            link.close()
          }
        }
      }
      let reason = await done.value
      #expect(ping > 0 ? reason == nil : reason != nil, "\(String(describing: reason))")
    }
  }

  @Test("Forwarding joins prefix and body and hands over the answer as it is")
  func forward() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt8]>()
      await thread.run { loop in
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in Peer() })
        link.onStateChange = { isUp in
          if !isUp { return }
          let body: [UInt8] = [3, 4]
          unsafe link.forward(1, prefix: [1, 2], body: body.span.bytes, deadlineMilliseconds: 900) {
            kind, body in
            #expect(kind == .reply)
            done.set(unsafe body.withUnsafeBytes { unsafe Array($0) })
          }
        }
      }
      #expect(await done.value == [1, 2, 3, 4])
    }
  }

  @Test("Events of the server reach the link")
  func events() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt8]>()
      await thread.run { loop in
        let server = Peer()
        server.received = { connection, _, body in
          connection.send(
            FrameHeader(kind: .event, opcode: 5, correlation: 0), body: body + [2])
        }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        link.onStateChange = { [unowned link] isUp in
          if isUp { link.call(1, body: [1], deadlineMilliseconds: 9_000) { _ in } }
        }
        link.onEvent = { header, body in
          #expect(header.opcode == 5)
          done.set(unsafe body.withUnsafeBytes { unsafe Array($0) })
        }
      }
      #expect(await done.value == [1, 2])
    }
  }
}
