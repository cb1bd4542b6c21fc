import Locking
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension Operating {
  /// A gateway behind a balancer that passes TCP on, and says by a header of the PROXY protocol
  /// whose each connection is.
  @Suite struct Balancers {
    private static let gateway = "gateway/2"
    private static let perHost = 2

    /// The first gateway knows of no balancer, the second one of this machine's.
    private func withBalancer(_ body: (Stack) async throws -> Void) async throws {
      var options = Stack.Options()
      options.gateways = 2
      options.flags[Self.gateway] = [
        "--trusted-proxies", "127.0.0.1", "--connections-per-host", "\(Self.perHost)",
      ]
      try await withStack(options) { try await body($0) }
    }

    /// The header for a connection of 192.0.2.`host`.
    private static func header(_ host: UInt8) -> [UInt8] {
      [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a, 0x21, 0x11, 0, 12]
        + [192, 0, 2, host, 127, 0, 0, 1, 0x12, 0x34, 0x1d, 0x00]
    }

    private func client(_ stack: Stack, port: UInt16) throws -> RawClient {
      try RawClient(port: port, TLSClientContext(trust: .authority(stack.authority)))
    }

    /// Whether a call is answered; a client that is not served goes on trying until then.
    private func isServed(_ client: RawClient) async -> Bool {
      let answer = await client.call(
        Echo.opcode, ClientEnvelope(), Echo().encoded, deadlineMilliseconds: 3_000)
      return answer.code == nil
    }

    @Test("2.10 players behind a balancer are held to what their own host may")
    func hosts() async throws {
      try await withBalancer { stack in
        let host = Locked<UInt8>(1)
        let relay = try CuttingRelay(balancing: [await stack.port(Self.gateway)]) {
          Self.header(host.withLock { $0 })
        }
        defer { relay.stop() }
        var clients: [RawClient] = []
        for number in [1, 2] as [UInt8] {
          host.withLock { $0 = number }
          for _ in 0..<Self.perHost {
            let client = try client(stack, port: relay.port)
            #expect(await isServed(client))
            clients.append(client)
          }
        }
        let oneMore = try client(stack, port: relay.port)
        #expect(await !isServed(oneMore))
        await oneMore.end()
        // Those who were there before do not notice.
        for client in clients { #expect(await isServed(client)) }
        host.withLock { $0 = 3 }
        let status = try await status(stack, port: relay.port)
        #expect(status["clients.over_host_limit"] ?? 0 > 0)
        for client in clients { await client.end() }
      }
    }

    @Test("2.10 nobody but the balancer says whose a connection is, and the balancer has to")
    func strangers() async throws {
      try await withBalancer { stack in
        let trusting = await stack.port(Self.gateway)
        let liar = try CuttingRelay(balancing: [stack.gatewayPort]) { Self.header(1) }
        defer { liar.stop() }
        for port in [liar.port, trusting] {
          let client = try client(stack, port: port)
          #expect(await !isServed(client))
          await client.end()
        }
        let relay = try CuttingRelay(balancing: [trusting]) { Self.header(1) }
        defer { relay.stop() }
        #expect(try await status(stack, port: relay.port)["clients.refused"] ?? 0 > 0)
        #expect(try await status(stack, port: stack.gatewayPort)["clients.refused"] ?? 0 > 0)
      }
    }

    /// What the gateway at a port says of itself.
    private func status(_ stack: Stack, port: UInt16) async throws -> ServiceStatus {
      let client = try client(stack, port: port)
      var signIn = SignInOperator()
      signIn.secret = Stack.operatorSecret
      _ = try await client.call(signIn).get()
      let reply = try await client.call(DeploymentStatus()).get()
      await client.end()
      return try #require(reply.processes.first)
    }
  }
}
