import TestKit
import Testing
import Wire

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Handshakes of strangers, beside what else a loop has to do.
@Suite("Handshake floods", .endsAtLast)
struct HandshakeFloodTests {
  /// What sockets were asked to do, in order.
  private final class Record {
    enum Entry: Equatable {
      case step(Int)
      case stopPolling(Int)
      case turnEnd
    }
    var entries: [Entry] = []
  }

  /// A socket whose handshake never ends.
  private final class EndlessSocket: ConnectionSocket {
    private let number: Int
    private let record: Record
    private let waits: Bool

    init(_ number: Int, _ record: Record, waits: Bool = true) {
      (self.number, self.record, self.waits) = (number, record, waits)
    }

    override var handshakeWaits: Bool { waits }
    override func handshake() -> Handshake {
      record.entries.append(.step(number))
      return .underWay
    }
    override func want(read: Bool, write: Bool) {
      if !read && !write { record.entries.append(.stopPolling(number)) }
    }
  }

  /// Has sockets announce all at once that they can be read, and returns what they were asked until
  /// the last one had its step.
  private func announce(_ count: Int, waits: Bool = true, closing: Int? = nil) async throws
    -> [Record.Entry]
  {
    let entries = Promise<[Record.Entry]>()
    try await withLoop { thread in
      await thread.run { loop in
        let record = Record()
        let connections = (0..<count).map { number in
          Connection(
            on: loop, socket: EndlessSocket(number, record, waits: waits), address: "flood",
            limits: SharedLimits(shortLimits), owner: nil)
        }
        for connection in connections { connection.event(readable: true, writable: false) }
        if let closing { connections[closing].close(.local("not needed")) }
        func watch() {
          record.entries.append(.turnEnd)
          if !record.entries.contains(.step(count - 1)) { return loop.atEndOfTurn(watch) }
          entries.set(record.entries)
          for connection in connections { connection.close(.local("the test ends")) }
        }
        watch()
      }
      _ = await entries.value
    }
    return await entries.value
  }

  @Test("Who waits for a step is not polled; steps come in order, and a few in a turn")
  func order() async throws {
    let count = 40
    let entries = try await announce(count)
    let stops = (0..<count).map(Record.Entry.stopPolling)
    #expect(Array(entries.prefix(count)) == stops)
    let steps = entries.dropFirst(count).filter { $0 != .turnEnd }
    #expect(Array(steps) == (0..<count).map(Record.Entry.step))
    let turns = entries.split(separator: .turnEnd, omittingEmptySubsequences: false).dropFirst()
    #expect(turns.allSatisfy { $0.count <= HandshakePace.stepsPerTurnMax })
  }

  @Test("A connection that closes while it waits gets no step, and holds up nobody")
  func closedMeanwhile() async throws {
    let steps = try await announce(9, closing: 4).compactMap { entry in
      if case .step(let number) = entry { number } else { nil }
    }
    #expect(steps == [0, 1, 2, 3, 5, 6, 7, 8])
  }

  @Test("The handshakes of links wait behind no stranger's")
  func ownHandshakes() async throws {
    let entries = try await announce(9, waits: false)
    #expect(Array(entries.prefix(9)) == (0..<9).map(Record.Entry.step))
  }

  @Test("Where as many handshakes are under way as may be, who comes waits; silent peers go first")
  func silentPeers() async throws {
    let certificates = Certificates.shared
    let (silentCount, unfinishedMax) = (20, 4)
    var limits = shortLimits
    limits.silentMilliseconds = 20
    let tls = try certificates.server()
    try await withLoop { thread in
      let (most, reason) = (Promise<Int>(), Promise<CloseReason>())
      let port = try await thread.run { [limits] loop in
        let acceptor = try Acceptor(
          on: loop, host: "127.0.0.1", port: 0, connectionCountMax: 100,
          unfinishedMax: unfinishedMax)
        var mostUnfinished = 0
        let server = ConnectionServer(on: loop, tls: tls, limits: limits) { _ in
          most.set(mostUnfinished)
          return Peer()
        }
        server.onHandshakeFailure = { _, why in reason.set(why) }
        acceptor.start { socket in
          mostUnfinished = max(mostUnfinished, acceptor.unfinishedCount)
          server.serve(socket)
        }
        return acceptor.port
      }
      var silent: [Int32] = []
      for _ in 0..<silentCount { silent.append(try RawSocket.connected(to: port)) }
      let (result, _) = await thread.callOnce(port, try certificates.client())
      #expect(result == .success([1, 2, 3]))
      #expect(await most.value == unfinishedMax)
      #expect(await reason.value == .handshakeTimeout)
      for descriptor in silent { close(descriptor) }
    }
  }

  private final class Owner: ConnectionOwner {
    var isCrowded = false
    func connectionOpened(_ connection: Connection) {}
    func connectionClosed(_ connection: Connection, reason: CloseReason) {}
  }

  /// Returns whether a handshake goes on that was begun so long ago.
  private func goesOn(after milliseconds: UInt64, isCrowded: Bool, isHeard: Bool) async -> Bool {
    await withOneLoop { loop in
      let owner = Owner()
      let connection = Connection(
        on: loop, socket: EndlessSocket(0, Record()), address: "flood",
        limits: SharedLimits(.client), owner: owner)
      if isHeard { connection.event(readable: true, writable: false) }
      owner.isCrowded = isCrowded
      connection.checkTime(connection.startedAt + milliseconds)
      return connection.state == .handshaking
    }
  }

  @Test("A peer that says nothing is closed early, and only where many handshakes are under way")
  func patience() async throws {
    let (early, late) = (ConnectionLimits.client.silentMilliseconds, UInt64(10_000))
    #expect(await goesOn(after: early, isCrowded: false, isHeard: false))
    #expect(await goesOn(after: early - 1, isCrowded: true, isHeard: false))
    #expect(await !goesOn(after: early, isCrowded: true, isHeard: false))
    #expect(await goesOn(after: late - 1, isCrowded: true, isHeard: true))
    #expect(await !goesOn(after: late, isCrowded: true, isHeard: true))
    #expect(await !goesOn(after: late, isCrowded: false, isHeard: false))
  }
}

/// Runs `body` on a loop of its own.
private func withOneLoop(_ body: @escaping @Sendable (Loop) -> Bool) async -> Bool {
  let result = Promise<Bool>()
  try? await withLoop { thread in await thread.run { loop in result.set(body(loop)) } }
  return await result.value
}
