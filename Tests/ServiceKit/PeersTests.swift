import Domain
import Testing
import Transport
import Wire

@testable import ServiceKit

@Suite struct PeersTests {
  /// Hears what other processes send.
  private final class Process: ConnectionDelegate {
    private(set) var deadlines: [UInt32] = []
    var heard: () -> Void = {}

    func connectionReady(_ connection: Connection) {}
    func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
      guard header.kind == .request,
        let envelope = try? Enveloped.envelope(ServiceEnvelope.self, of: body).envelope
      else { return }
      deadlines.append(envelope.deadlineMilliseconds)
      heard()
    }
    func connectionClosed(_ connection: Connection, reason: CloseReason) {}
  }

  /// What a call had left when it came, and how long it had waited by then.
  private struct Heard {
    var deadlines: [UInt32]
    var waited: UInt64
  }

  @Test("a call that has waited for its process leaves with the time that it has left")
  func waited() async throws {
    let thread = LoopThread(name: "peers")
    let heard = await withCheckedContinuation { (done: CheckedContinuation<Heard, Never>) in
      Task {
        await thread.run { loop in
          let process = Process()
          let port = LocalPort(on: loop) { _ in process }
          port.isListening = false
          let address = Peers.Address(service: .request, partition: 0)
          let peers = Peers(links: [.request: [Link(on: loop, to: port)]], here: nil)
          loop.keep(peers)
          func call(_ deadline: UInt32) {
            var envelope = ServiceEnvelope()
            envelope.deadlineMilliseconds = deadline
            let request = Request(opcode: Opcode(.request, 1), envelope: envelope, body: [1])
            peers.call(address, request, deadlineMilliseconds: 60_000) { _ in }
          }
          let began = loop.monotonicMilliseconds
          // The second one has no deadline, and the third one less than its link gives it.
          for deadline in [60_000, 0, 5] as [UInt32] { call(deadline) }
          var waited: UInt64 = 0
          peers.link(address)?.onStateChange = { isUp in
            waited = loop.monotonicMilliseconds - began
            if isUp { call(60_000) }
          }
          process.heard = { [unowned process] in
            guard process.deadlines.count == 4 else { return }
            done.resume(returning: Heard(deadlines: process.deadlines, waited: waited))
          }
          loop.after(30) { port.isListening = true }
        }
      }
    }
    thread.stop()
    await thread.stopped()
    #expect(heard.waited >= 30)
    #expect(heard.deadlines == [60_000 - UInt32(heard.waited), 0, 5, 60_000])
  }
}
