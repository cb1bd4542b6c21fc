import TestKit
import Testing
import Transport
import Wire

/// A server that stops answers what it has read, and reads nothing more.
@Suite("Drain", .endsAtLast)
struct DrainTests {
  private let certificates = Certificates.shared

  /// A listener whose delegate keeps every request until it is told to answer.
  private final class Desk {
    let listener: Listener
    let peer = Peer()
    private var waiting: [(connection: Connection, header: FrameHeader)] = []

    init(on loop: Loop, _ tls: TLSServerContext) throws {
      let peer = peer
      listener = try Listener(
        on: loop, host: "127.0.0.1", port: 0, tls: tls, limits: .server, connectionCountMax: 5
      ) { _ in peer }
    }

    var waitingCount: Int { waiting.count }

    /// Calls `then` once so many requests have come.
    func await(_ count: Int, then: @escaping () -> Void) {
      peer.owesAnswers = true
      peer.received = { [unowned self] connection, header, _ in
        waiting.append((connection, header))
        if waiting.count == count { then() }
      }
    }

    func answerAll() {
      peer.owesAnswers = false
      for (connection, header) in waiting {
        connection.send(
          FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
          body: [UInt8](repeating: 5, count: 100_000))
      }
    }
  }

  /// Calls so many times at once; returns how each ended, in order.
  private func call(_ count: Int, _ desk: Desk, on loop: Loop) throws -> Promise<[FailureCode?]> {
    let link = Link(
      on: loop, host: "127.0.0.1", port: desk.listener.port, tls: try certificates.client(),
      waitsForConnection: true)
    let ends = Promise<[FailureCode?]>()
    var ended = [FailureCode??](repeating: nil, count: count)
    for index in 0..<count {
      link.call(1, body: [], deadlineMilliseconds: 60_000) { result in
        if case .failure(let failure) = result {
          ended[index] = .some(failure.code)
        } else {
          ended[index] = .some(nil)
        }
        let all = ended.compactMap { $0 }
        if all.count == count { ends.set(all) }
      }
    }
    return ends
  }

  @Test("Draining answers the calls that were read, and takes none of those behind them")
  func answersWhatIsOpen() async throws {
    try await withLoop { thread in
      let drained = Promise<Int>()
      let ends = try await thread.run { loop in
        let desk = try Desk(on: loop, certificates.server())
        loop.keep(desk)
        desk.await(3) { [unowned desk] in
          desk.listener.drain(within: 60_000) { drained.set(desk.waitingCount) }
          // Longer than it takes to look whether something is owed.
          loop.after(30) { desk.answerAll() }
        }
        return try call(5, desk, on: loop)
      }
      #expect(await ends.value == [nil, nil, nil, .disconnected, .disconnected])
      #expect(await drained.value == 3)
    }
  }

  @Test("Draining waits for answers that never come until its time is over, and no longer")
  func endsInTime() async throws {
    try await withLoop { thread in
      let drained = Promise<UInt64>()
      let ends = try await thread.run { loop in
        let desk = try Desk(on: loop, certificates.server())
        loop.keep(desk)
        desk.await(2) { [unowned desk] in
          let began = loop.monotonicMilliseconds
          desk.listener.drain(within: 100) { drained.set(loop.monotonicMilliseconds - began) }
        }
        return try call(2, desk, on: loop)
      }
      #expect(await ends.value == [.disconnected, .disconnected])
      #expect(await drained.value >= 100)
    }
  }
}
