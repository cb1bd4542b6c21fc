import COpenSSL
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
    private var written: UInt64

    init(_ number: Int, _ record: Record, waits: Bool = true, answers: Bool = false) {
      (self.number, self.record, self.waits, written) = (number, record, waits, answers ? 1 : 0)
    }

    func answer() { written += 1 }

    override var handshakeWaits: Bool { waits }
    override var writtenCount: UInt64 { written }
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

  /// What the peers of handshakes that never end have sent.
  private static func beginnings() throws -> [[UInt8]] {
    [[], [UInt8(SSL3_RT_HANDSHAKE)], try TLSAttacker.hello()]
  }

  /// Has slow peers take all places for handshakes, and expects that one more peer is served.
  private func expectServed(
    _ limits: ConnectionLimits, slowCount: Int, unfinishedMax: Int, sending bytes: [UInt8]
  ) async throws {
    let certificates = Certificates.shared
    let tls = try certificates.server()
    try await withLoop { thread in
      let (most, reason) = (Promise<Int>(), Promise<CloseReason>())
      let port = try await thread.run { loop in
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
      var slow: [Int32] = []
      for _ in 0..<slowCount {
        slow.append(try RawSocket.connected(to: port))
        let descriptor = slow[slow.count - 1]
        unsafe bytes.withUnsafeBytes { _ = unsafe write(descriptor, $0.baseAddress, $0.count) }
      }
      let (result, _) = await thread.callOnce(port, try certificates.client())
      #expect(result == .success([1, 2, 3]))
      #expect(await most.value == unfinishedMax)
      #expect(await reason.value == .handshakeTimeout)
      for descriptor in slow { close(descriptor) }
    }
  }

  @Test(
    "Where as many handshakes are under way as may be, who comes waits; slow peers go first",
    arguments: 0..<3)
  func slowPeers(_ beginning: Int) async throws {
    var limits = shortLimits
    limits.silentMilliseconds = 300
    try await expectServed(
      limits, slowCount: 12, unfinishedMax: 4, sending: Self.beginnings()[beginning])
  }

  @Test("Almost where as many are, those make room that wait for their peers", arguments: 0..<3)
  func room(_ beginning: Int) async throws {
    var limits = shortLimits
    limits.silentMilliseconds = limits.handshakeMilliseconds
    limits.patienceMilliseconds = 100
    try await expectServed(
      limits, slowCount: 20, unfinishedMax: 8, sending: Self.beginnings()[beginning])
  }

  @Test("Room is made by the host that has most, and there by the oldest")
  func whoMakesRoom() {
    let hosts = [UInt32(1), 2, 3].map { PeerHost(ipv4: $0) }
    var waiting: [HandshakeRoom.Waiting] = []
    for (host, times) in zip(hosts, [[10, 20, 30, 40, 50], [5, 15], [1]] as [[UInt64]]) {
      waiting += times.map {
        HandshakeRoom.Waiting(number: $0, host: host, since: $0)
      }
    }
    func numbers(_ countMax: Int, before: UInt64 = 100) -> [UInt64] {
      HandshakeRoom.choose(from: waiting, before: before, countMax: countMax)
    }
    #expect(numbers(3) == [10, 20, 30])
    #expect(numbers(8) == [10, 20, 30, 5, 40, 1, 15, 50])
    #expect(numbers(8, before: 15) == [10, 5, 1, 15])
    #expect(numbers(8, before: 0).isEmpty)
  }

  @Test("However many loops make room, no more handshakes end than are too many")
  func roomOfLoops() async throws {
    let counts = Promise<[Int]>()
    try await withLoop { thread in
      await thread.run { loop in
        // Of 16 places 12 may be taken.
        let places = ConnectionCount(max: 100, unfinishedMax: 16)
        let rooms = (0..<2).map { _ in HandshakeRoom(on: loop, patience: 0) }
        let connections = (0..<16).map { number in
          let connection = Connection(
            on: loop, socket: EndlessSocket(number, Record()), address: "flood",
            limits: SharedLimits(shortLimits), owner: nil)
          let isTaken = places.enter()
          precondition(isTaken, "a place is missing")
          rooms[number % 2].add(connection, in: AcceptedPlace(places))
          return connection
        }
        // In one turn, so that none has ended when the other one looks.
        for room in rooms { room.makeRoom(in: places) }
        counts.set([connections.count { $0.state == .closed }, places.unfinished])
        for connection in connections { connection.close(.local("the test ends")) }
      }
    }
    #expect(await counts.value == [4, 12])
  }

  @Test("Who comes one after the other where slow peers are many wakes nobody for each")
  func pauses() async throws {
    let limits = shortLimits
    let tls = try Certificates.shared.server()
    try await withLoop { thread in
      let (four, six) = (Promise<Int>(), Promise<Int>())
      let port = try await thread.run { loop in
        let acceptor = try Acceptor(
          on: loop, host: "127.0.0.1", port: 0, connectionCountMax: 100, unfinishedMax: 8)
        let server = ConnectionServer(on: loop, tls: tls, limits: limits) { _ in Peer() }
        var count = 0
        acceptor.start { socket in
          server.serve(socket)
          // After the acceptor has found that nobody waits any more.
          loop.atEndOfTurn {
            count += 1
            if count == 4 { four.set(acceptor.pauseCount) }
            if count == 6 { six.set(acceptor.pauseCount) }
          }
        }
        return acceptor.port
      }
      var silent: [Int32] = []
      for _ in 0..<4 { silent.append(try RawSocket.connected(to: port)) }
      #expect(await four.value == 0, "half of the places are no crowd")
      for _ in 0..<2 { silent.append(try RawSocket.connected(to: port)) }
      #expect(await six.value > 0)
      for descriptor in silent { close(descriptor) }
    }
  }

  private final class Owner: ConnectionOwner {
    var isCrowded = false
    func handshakesAreHeldUp() {}
    func connectionOpened(_ connection: Connection) {}
    func connectionClosed(_ connection: Connection, reason: CloseReason) {}
  }

  /// How far the peer of a handshake has come.
  private enum Progress {
    case nothing, oneByte, hello
    /// It was not this side's turn yet.
    case waits
  }

  /// Returns whether a handshake goes on so long after its peer has come so far.
  private func goesOn(after milliseconds: UInt64, isCrowded: Bool, _ progress: Progress) async
    -> Bool
  {
    await withOneLoop { loop in
      let owner = Owner()
      let connection = Connection(
        on: loop,
        socket: EndlessSocket(
          0, Record(), waits: progress == .waits, answers: progress == .hello), address: "flood",
        limits: SharedLimits(.client), owner: owner)
      if progress != .nothing { connection.event(readable: true, writable: false) }
      owner.isCrowded = isCrowded
      connection.checkTime(connection.activeAt + milliseconds)
      return connection.state == .handshaking
    }
  }

  @Test("A slow peer is closed early, and only where many handshakes are under way")
  func patience() async throws {
    let (early, late) = (ConnectionLimits.client.silentMilliseconds, UInt64(10_000))
    for progress in [.nothing, .oneByte, .hello] as [Progress] {
      let most = progress == .hello ? 2 * early : early
      #expect(await goesOn(after: most, isCrowded: false, progress))
      #expect(await goesOn(after: most - 1, isCrowded: true, progress))
      #expect(await !goesOn(after: most, isCrowded: true, progress))
      #expect(await !goesOn(after: late, isCrowded: false, progress))
    }
    #expect(await goesOn(after: late - 1, isCrowded: true, .waits))
    #expect(await !goesOn(after: late, isCrowded: true, .waits))
  }

  @Test("A peer that was asked for its first message again has time anew, once it was answered")
  func secondAnswer() async throws {
    let goesOn = await withOneLoop { loop in
      let owner = Owner()
      owner.isCrowded = true
      let socket = EndlessSocket(0, Record(), waits: false, answers: true)
      let connection = Connection(
        on: loop, socket: socket, address: "flood", limits: SharedLimits(.client), owner: owner)
      connection.event(readable: true, writable: false)
      let most = 2 * ConnectionLimits.client.silentMilliseconds
      connection.activeAt -= most / 2
      let first = connection.activeAt
      connection.event(readable: true, writable: false)
      let isLeft = connection.activeAt == first
      socket.answer()
      connection.event(readable: true, writable: false)
      connection.checkTime(first + most)
      return isLeft && connection.state == .handshaking
    }
    #expect(goesOn)
  }

  @Test("A peer that sends one byte after the other is closed by the step that comes too late")
  func drip() async throws {
    let isClosed = await withOneLoop { loop in
      let owner = Owner()
      owner.isCrowded = true
      let connection = Connection(
        on: loop, socket: EndlessSocket(0, Record(), waits: false), address: "flood",
        limits: SharedLimits(.client), owner: owner)
      connection.event(readable: true, writable: false)
      let goesOn = connection.state == .handshaking
      connection.activeAt -= ConnectionLimits.client.silentMilliseconds
      connection.event(readable: true, writable: false)
      return goesOn && connection.state == .closed
    }
    #expect(isClosed)
  }

  @Test("The time that a step waits for its turn is not the peer's")
  func ownWait() async throws {
    let goesOn = await withOneLoop { loop in
      let owner = Owner()
      owner.isCrowded = true
      let connection = Connection(
        on: loop, socket: EndlessSocket(0, Record()), address: "flood",
        limits: SharedLimits(.client), owner: owner)
      connection.event(readable: true, writable: false)
      let most = ConnectionLimits.client.silentMilliseconds
      connection.activeAt -= most
      connection.queuedAt -= most
      _ = loop.connections.endTurn()
      return !connection.isInHandshakeQueue && connection.state == .handshaking
    }
    #expect(goesOn)
  }
}

/// Runs `body` on a loop of its own.
private func withOneLoop(_ body: @escaping @Sendable (Loop) -> Bool) async -> Bool {
  let result = Promise<Bool>()
  try? await withLoop { thread in await thread.run { loop in result.set(body(loop)) } }
  return await result.value
}
