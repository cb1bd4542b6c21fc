import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  @Suite struct Streams {
    /// A read that comes right behind an event, before that is durable, must hold it: a client that
    /// was told "everything up to 7" asks for 8 next.
    @Test func readRightBehindAnAppend() async throws {
      try await withStack { stack in
        let (player, credential) = try await stack.player("Anna")
        await player.close()
        let gateway = try RawClient(
          port: await stack.port("request/1"),
          TLSClientContext(
            trust: .authority(stack.authority), certificate: stack.certificate("gateway.pem"),
            key: stack.certificate("gateway.key"), serverName: "request.muster.internal"))
        let key = RoutingKey(reinterpreting: credential.player)
        var append = ServiceEnvelope()
        append.principal = Principal(
          kind: .service, game: Stack.game, player: PlayerID(), device: DeviceID())
        append.routingKey = key
        var read = append
        read.principal.kind = .player
        read.principal.player = credential.player
        for sequence in 1...UInt64(50) {
          append.source = EffectSource(
            service: .context, slot: 7, store: StoreID(high: 1, low: 1), sequence: sequence,
            after: sequence - 1)
          var event = AppendEvent(FriendAccepted(), to: credential.player)
          event.body = Bytes([UInt8(sequence)])
          var page = ReadEvents()
          page.after = sequence - 1
          let answer = await gateway.callBoth(
            (AppendEvent.opcode, append, event.encoded), (ReadEvents.opcode, read, page.encoded))
          let reply = try ReadEvents.Reply(decoding: answer.get())
          #expect(reply.through == sequence && reply.events.map(\.sequence) == [sequence])
        }
        await gateway.end()
      }
    }
  }
}
