import GatewayCore
import Operations
import ServiceKit
import TestKit
import Testing
import Transport
import Wire

@testable import muster_gateway

/// What a gateway tells the processes of services of clients that are gone.
@Suite("Closed channels", .endsAtLast)
struct ClosedChannelTests {
  private struct Told: Equatable, Sendable {
    var session: UInt64
    var endedInstance: UInt64
    /// How a call was refused at the moment at which the client was gone.
    var refusal: BackpressureCause?
  }

  @Test("3.7 a process that takes nothing when a client goes is told of it once it takes again")
  func fullLink() async throws {
    var limits = ConnectionLimits.server
    limits.outgoingBytesMax = 4 << 10
    let sizeMax = limits.outgoingBytesMax / 2
    let told: Told? = try await withGateway([.context], linkLimits: limits) { gateway, tell in
      var refusal: BackpressureCause?
      gateway.onChannelClosed = { envelope, end in
        tell(
          Told(session: envelope.session, endedInstance: end.endedInstance, refusal: refusal))
      }
      gateway.node.onReady = { [unowned gateway] in
        guard let address = gateway.node.peers.address(.context, slot: 0),
          let link = gateway.node.peers.link(address)
        else { return }
        // What is sent leaves at the end of the turn: so long the link is full. The first call that
        // fits leaves no room for the shortest one.
        for size in (0...sizeMax).reversed() {
          link.call(
            Opcode(.context, 0xE9).rawValue, body: [UInt8](repeating: 0, count: size),
            deadlineMilliseconds: 10_000
          ) { result in
            if size == 0, case .failure(let failure) = result {
              refusal = failure.backpressureCause
            }
          }
        }
        gateway.node.closeChannels(
          SessionNumber(rawValue: 9), ChannelEnd(endedInstance: 7), at: [address])
      }
    }
    #expect(told == Told(session: 9, endedInstance: 7, refusal: .linkBytes))
  }
}
