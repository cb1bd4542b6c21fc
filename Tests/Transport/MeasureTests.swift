import TestKit
import Testing
import Transport
import Wire

/// What connections count of themselves, for whoever measures a process.
@Suite(.endsAtLast)
struct MeasureTests {
  private struct Figures: Sendable {
    var traffic = TrafficCounts()
    var opened: UInt64 = 0
    var openCount = 0
    var connectionCount = 0
    var times: [UInt64] = []
  }

  @Test("bytes are counted both ways, connections until they end, and each call's time")
  func counts() async throws {
    let certificates = Certificates.shared
    let (tls, client) = (try certificates.server(), try certificates.client())
    try await withLoop { thread in
      let during = Promise<Figures>()
      let after = Promise<Figures>()
      try await thread.run { loop in
        var listener: Listener?
        var times: [UInt64] = []
        func figures() -> Figures {
          Figures(
            traffic: loop.traffic, opened: listener?.counts.opened ?? 0,
            openCount: listener?.openCount ?? 0,
            connectionCount: listener?.connectionCount ?? 0, times: times)
        }
        let server = Peer()
        server.closed = { _ in loop.atEndOfTurn { after.set(figures()) } }
        let made = try Listener(
          on: loop, host: "127.0.0.1", port: 0, tls: tls, limits: .server, connectionCountMax: 9
        ) { _ in server }
        listener = made
        let link = Link(on: loop, host: "127.0.0.1", port: made.port, tls: client)
        link.onCallEnd = { times.append($0) }
        link.call(1, body: [UInt8](repeating: 7, count: 1_000), deadlineMilliseconds: 60_000) {
          result in
          #expect(result.map(\.count) == .success(1_000))
          during.set(figures())
          link.close()
        }
      }
      let first = await during.value
      // Both ends are on this loop: the call and its answer are each sent and read here.
      #expect(first.traffic.sentBytes >= 2_000 && first.traffic.readBytes >= 2_000)
      #expect(first.traffic.readBytes <= first.traffic.sentBytes)
      #expect(first.opened == 1 && first.openCount == 1 && first.connectionCount == 1)
      #expect(first.times.count == 1)
      let last = await after.value
      #expect(last.openCount == 0 && last.connectionCount == 0 && last.opened == 1)
    }
  }

  @Test("a call that is given up is measured, too")
  func givenUp() async throws {
    try await withLoop { thread in
      let done = Promise<[UInt64]>()
      await thread.run { loop in
        let server = Peer()
        server.received = { _, _, _ in }
        let link = Link(on: loop, to: LocalPort(on: loop) { _ in server })
        var times: [UInt64] = []
        link.onCallEnd = { times.append($0) }
        link.call(1, body: [], deadlineMilliseconds: 30) { _ in done.set(times) }
      }
      let times = await done.value
      #expect(times.count == 1 && times[0] >= 30)
    }
  }
}
