import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  /// What the certificate of one service does for, and what it does not.
  @Suite struct Peers {
    private func effect(of service: Service, store: UInt64 = 1, sequence: UInt64 = 1)
      -> ServiceEnvelope
    {
      var envelope = ServiceEnvelope()
      envelope.principal = Principal(
        kind: .service, game: Stack.game, player: PlayerID(), device: DeviceID())
      envelope.routingKey = RoutingKey(high: 3, low: 3)
      envelope.source = EffectSource(
        service: service, slot: 7, store: StoreID(high: 1, low: store), sequence: sequence,
        after: 0)
      return envelope
    }

    @Test("a service's certificate speaks for that service, and for one store of it")
    func service() async throws {
      try await withStack { stack in
        let peer = try await stack.peer("leaderboard", to: "request/1")
        let append = AppendEvent(FriendAccepted(), to: PlayerID(high: 3, low: 3)).encoded
        func deliver(_ envelope: ServiceEnvelope) async -> FailureCode? {
          await peer.call(AppendEvent.opcode, envelope, append).code
        }
        #expect(await deliver(effect(of: .context, sequence: .max)) == .notAllowed)
        #expect(await deliver(effect(of: .leaderboard)) != .notAllowed)
        #expect(await deliver(effect(of: .leaderboard, store: 2)) == .notAllowed)
        #expect(await deliver(effect(of: .leaderboard, sequence: 2)) != .notAllowed)
        var enroll = EnrollDevice()
        enroll.player = PlayerID(high: 3, low: 3)
        var own = effect(of: .leaderboard)
        own.source = nil
        let refused = await peer.call(EnrollDevice.opcode, own, enroll.encoded).failure
        #expect(refused?.code == .notAllowed)
        #expect(refused?.text.contains("EnrollDevice is for the gateway alone") == true)
        await peer.end()
      }
    }
  }
}

extension Stack {
  /// A connection to a process of a service under the certificate of another.
  func peer(_ certificate: String, to name: String) throws -> RawClient {
    let service = name.prefix { $0 != "/" }
    return try RawClient(
      port: port(name),
      TLSClientContext(
        trust: .authority(authority), certificate: self.certificate("\(certificate).pem"),
        key: self.certificate("\(certificate).key"), serverName: "\(service).muster.internal"))
  }
}
