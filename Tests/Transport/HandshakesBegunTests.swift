import TestKit
import Testing
import Wire

@testable import Transport

/// How many handshakes a loop begins while others are under way.
@Suite("Handshakes under way", .endsAtLast)
struct HandshakesBegunTests {
  /// A socket whose side answers the first message of its client, which then says nothing.
  private final class AnsweringSocket: ConnectionSocket {
    private var hasAnswered = false
    private let answered: () -> Void

    init(_ answered: @escaping () -> Void) { self.answered = answered }

    override var handshakeWaits: Bool { true }
    override var writtenCount: UInt64 { hasAnswered ? 1 : 0 }
    override func handshake() -> Handshake {
      hasAnswered = true
      answered()
      return .underWay
    }
  }

  /// Handshakes of one loop, and who was answered how often, in order.
  private final class Handshakes {
    let loop: Loop
    private(set) var connections: [Connection] = []
    private(set) var answered: [Int] = []

    convenience init(_ count: Int, on loop: Loop) {
      self.init(of: Array(repeating: .none, count: count), on: loop)
    }

    /// - Parameter hosts: a handshake of each, in order.
    init(of hosts: [PeerHost], on loop: Loop) {
      self.loop = loop
      for (number, host) in hosts.enumerated() {
        let socket = AnsweringSocket { [unowned self] in answered.append(number) }
        connections.append(
          Connection(
            on: loop, socket: socket, address: "flood", host: host, limits: SharedLimits(.client),
            owner: nil))
      }
    }

    func announce(_ numbers: Range<Int>) {
      for number in numbers { connections[number].event(readable: true, writable: false) }
    }

    /// Goes on when no step can be taken any more.
    func settle(_ then: @escaping () -> Void) {
      loop.atEndOfTurn { [self] in
        if loop.connections.handshakes.isEmpty { then() } else { settle(then) }
      }
    }

    func close() {
      for connection in connections { connection.close(.local("the test ends")) }
    }
  }

  private let most = HandshakeQueue.underWayMax

  @Test("As many begin as their peers can keep up with; one more for each that ends")
  func begun() async throws {
    let counts = Promise<[Int]>()
    try await withLoop { [most] thread in
      await thread.run { loop in
        let all = Handshakes(most + 10, on: loop)
        all.announce(0..<most + 10)
        all.settle {
          let first = all.answered.count
          for connection in all.connections[..<3] { connection.close(.local("it ends")) }
          all.settle {
            counts.set([first, all.answered.count])
            all.close()
          }
        }
      }
    }
    #expect(await counts.value == [most, most + 3])
  }

  @Test("Peers that are late keep nobody from beginning, and let as many more begin")
  func late() async throws {
    let counts = Promise<[Int]>()
    try await withLoop { [most] thread in
      await thread.run { loop in
        let all = Handshakes(most + 10, on: loop)
        let room = HandshakeRoom(on: loop, patience: 1)
        let places = ConnectionCount(max: 1_000, unfinishedMax: 1_000)
        for connection in all.connections {
          let isTaken = places.enter()
          precondition(isTaken, "a place is missing")
          room.add(connection, in: AcceptedPlace(places))
        }
        all.announce(0..<most + 10)
        all.settle {
          let first = all.answered.count
          for connection in all.connections[..<2] { connection.activeAt = 0 }
          for connection in all.connections[2...] { connection.activeAt += 1_000 }
          room.makeRoom(in: places)
          all.settle {
            counts.set([first, all.answered.count])
            all.close()
          }
        }
      }
    }
    #expect(await counts.value == [most, most + 4])
  }

  @Test("What has begun goes before what has not")
  func order() async throws {
    let answered = Promise<[Int]>()
    try await withLoop { thread in
      await thread.run { loop in
        let all = Handshakes(3, on: loop)
        all.announce(2..<3)
        all.settle {
          all.announce(0..<3)
          all.settle {
            answered.set(all.answered)
            all.close()
          }
        }
      }
    }
    #expect(await answered.value == [2, 2, 0, 1])
  }

  @Test("One host's peers begin and hang up without end: the others have their turns to begin")
  func turns() async throws {
    let answered = Promise<[Int]>()
    try await withLoop { [most] thread in
      await thread.run { loop in
        let others = [2, 2, 3].map { PeerHost(ipv4: $0) }
        let flood = Array(repeating: PeerHost(ipv4: 1), count: most + 20)
        let all = Handshakes(of: flood + others, on: loop)
        all.announce(0..<flood.count)
        all.settle {
          // All places are taken, and a line waits behind them, when others come.
          all.announce(flood.count..<flood.count + others.count)
          for connection in all.connections[..<6] { connection.close(.local("it hangs up")) }
          // One that is gone has no turn.
          all.connections[most].close(.local("it hangs up"))
          all.settle {
            answered.set(Array(all.answered.dropFirst(most)))
            all.close()
          }
        }
      }
    }
    let other = most + 20
    let wanted = [other, other + 2, most + 1, other + 1, most + 2, most + 3]
    #expect(await answered.value == wanted)
  }
}
