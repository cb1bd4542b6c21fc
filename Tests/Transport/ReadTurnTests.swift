import TestKit
import Testing
import Wire

@testable import Transport

/// Peers that send as much as they can take turns to be read.
@Suite("Read turns", .endsAtLast)
struct ReadTurnTests {
  /// The system's socket of a peer that never ends.
  private final class EndlessSocket: ConnectionSocket {
    var readCount = 0
    var isPolled = false
    private var left = 0

    override func beginReading(bytesMax: Int) {
      left = bytesMax
      readCount += 1
    }
    override var hasSpentReading: Bool { left == 0 }
    override func want(read: Bool, write: Bool) { isPolled = read }

    /// One frame of almost the largest size after the other.
    private static let whole = frame(of: [UInt8](repeating: 0, count: 60_000))
    private var place = 0

    override func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
      let count = min(left, 1024, Self.whole.count - place)
      if count == 0 { return .wouldBlock }
      unsafe buffer.copyBytes(from: Self.whole[place..<place + count])
      place = (place + count) % Self.whole.count
      left -= count
      return .bytes(count)
    }
    override var hasHiddenBytes: Bool { left > 0 }
  }

  @Test("A turn reads a few of those that send without an end, each as often as any other")
  func turns() async throws {
    let (peerCount, turnCount) = (100, 500)
    try await withLoop { thread in
      let done = Promise<(most: Int, each: [Int], polled: Int)>()
      await thread.run { loop in
        let sockets = (0..<peerCount).map { _ in EndlessSocket() }
        let connections = sockets.map {
          Connection(
            on: loop, socket: $0, address: "", limits: SharedLimits(.client), owner: nil)
        }
        for connection in connections {
          let peer = Peer()
          peer.received = { _, _, _ in }
          connection.delegate = peer
          connection.open()
        }
        let atStart = sockets.map(\.readCount)
        var (turn, before, most) = (0, atStart.reduce(0, +), 0)
        func look() {
          let now = sockets.reduce(0) { $0 + $1.readCount }
          (most, before, turn) = (max(most, now - before), now, turn + 1)
          if turn <= turnCount { return loop.atEndOfTurn { look() } }
          let each = zip(sockets, atStart).map { $0.readCount - $1 }
          done.set((most, each, sockets.count(where: \.isPolled)))
          for connection in connections { connection.close(.local("the test is over")) }
        }
        loop.atEndOfTurn { look() }
      }
      let seen = await done.value
      #expect(seen.most == ConnectionTable.readsPerTurnMax)
      let fair = turnCount * ConnectionTable.readsPerTurnMax / peerCount
      #expect(seen.each.allSatisfy { $0 == fair })
      #expect(seen.polled == 0, "polling would announce them in every turn")
    }
  }
}
