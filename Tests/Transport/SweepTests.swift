import TestKit
import Testing
import Wire

@testable import Transport

/// The time limits of very many connections, which may all pass at once.
@Suite("Time limits of many connections", .endsAtLast)
struct SweepTests {
  /// A socket whose handshake never ends.
  private final class SilentSocket: ConnectionSocket {
    override var handshakeWaits: Bool { true }
    override func handshake() -> Handshake { .underWay }
    override func want(read: Bool, write: Bool) {}
  }

  /// Counts the connections that end in each turn, until all have.
  private final class Owner: ConnectionOwner {
    let isCrowded = false
    func handshakesAreHeldUp() {}
    private let loop: Loop
    private var left: Int
    private var counts: [Int] = []
    private var isInTurn = false
    private let then: ([Int]) -> Void

    init(_ loop: Loop, count: Int, then: @escaping ([Int]) -> Void) {
      (self.loop, left, self.then) = (loop, count, then)
    }

    func connectionOpened(_ connection: Connection) {}
    func connectionClosed(_ connection: Connection, reason: CloseReason) {
      if !isInTurn {
        counts.append(0)
        isInTurn = true
        loop.atEndOfTurn { self.isInTurn = false }
      }
      counts[counts.count - 1] += 1
      left -= 1
      if left == 0 { then(counts) }
    }
  }

  @Test("Where thousands pass their limit at once, a turn closes some, and others have their turns")
  func manyAtOnce() async throws {
    let count = 20 * ConnectionTable.closesPerTurnMax
    let closed = Promise<[Int]>()
    try await withLoop { thread in
      await thread.run { loop in
        var limits = shortLimits
        limits.handshakeMilliseconds = 40
        let owner = Owner(loop, count: count) { closed.set($0) }
        loop.keep(owner)
        for _ in 0..<count {
          _ = Connection(
            on: loop, socket: SilentSocket(), address: "sweep", limits: SharedLimits(limits),
            owner: owner)
        }
      }
      let counts = await closed.value
      #expect(counts.reduce(0, +) == count)
      // The end of one sweep and the beginning of the next may fall into one turn.
      #expect(counts.allSatisfy { $0 <= 2 * ConnectionTable.closesPerTurnMax })
    }
  }
}
