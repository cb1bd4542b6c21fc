import TestKit
import Testing
import Transport

/// One port whose connections are served by several loops.
@Suite("Shared port", .endsAtLast)
struct SharedPortTests {
  private let certificates = Certificates.shared

  @Test("Sockets handed to the loops in turn are served there, each on its own thread")
  func turns() async throws {
    try await withSharedPort(loops: 3) { port, client in
      let links = await Links(client, port.number, count: 6)
      await links.opened(6)
      #expect(await links.call() == 6)
      #expect(await port.counts().map(\.opened) == [2, 2, 2])
      #expect(await port.openCount() == 6)
      #expect(port.isEachOnItsLoop)
      await links.end()
    }
  }

  @Test("The limit holds for all loops together, and a place that becomes free is taken")
  func limit() async throws {
    try await withSharedPort(loops: 2, connectionCountMax: 3) { port, client in
      let links = await Links(client, port.number, count: 3)
      await links.opened(3)
      let late = await Links(client, port.number, count: 1)
      #expect(await port.refused.value == .refused("3 connections are open"))
      #expect(await port.counts().map(\.opened).reduce(0, +) == 3)
      await links.end()
      await late.opened(1)
      #expect(await late.call() == 1)
      await late.end()
    }
  }

  @Test("A socket for a loop that has ended is closed, and its place is free")
  func endedLoop() async throws {
    try await withSharedPort(loops: 2, connectionCountMax: 1) { port, client in
      port.threads[1].stop()
      await port.threads[1].stopped()
      let first = await Links(client, port.number, count: 1)
      await first.opened(1)
      await first.end()
      // This connection is handed to the loop that has ended. If that kept the socket, the link
      // would wait for its handshake; if it kept the only place, the link would be refused for
      // ever.
      let second = await Links(client, port.number, count: 1)
      await second.opened(1)
      #expect(await second.call() == 1)
      #expect(await port.acceptedCount() >= 3)
      #expect(await port.openCount() == 1)
      await second.end()
    }
  }

  @Test("A server that drains closes what is still handed to it, and the others go on")
  func draining() async throws {
    try await withSharedPort(loops: 2) { port, client in
      let links = await Links(client, port.number, count: 2)
      await links.opened(2)
      await port.drain(1)
      // The link that was closed comes back to the loop that goes on.
      await links.opened(3)
      // The next connection is handed to the draining loop, and the one after it to the other loop.
      let more = await Links(client, port.number, count: 1)
      await more.opened(1)
      #expect(await port.counts().map(\.opened) == [3, 1])
      #expect(await links.call() == 2)
      await more.end()
      await links.end()
    }
  }

  @Test("A session begun on one loop is resumed on the others, whose contexts are their own")
  func resumption() async throws {
    try await withSharedPort(loops: 3) { port, client in
      let links = await Links(client, port.number, count: 1)
      for opening in 1...4 {
        await links.opened(opening)
        #expect(await links.call() == 1)
        if opening < 4 { #expect(await links.call(SharedPort.closing) == 0) }
      }
      #expect(await port.counts().map(\.opened) == [2, 1, 1])
      #expect(await port.counts().map(\.resumed) == [1, 1, 1])
      await links.end()
    }
  }

  private func withSharedPort(
    loops: Int, connectionCountMax: Int = 100,
    _ body: (SharedPort, TLSClientContext) async throws -> Void
  ) async throws {
    let contexts = try (0..<loops).map { _ in try certificates.server(secret: [1, 2, 3]) }
    let port = try await SharedPort(contexts, connectionCountMax)
    do {
      try await body(port, certificates.client())
    } catch {
      await port.end()
      throw error
    }
    await port.end()
  }
}
