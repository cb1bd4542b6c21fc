import Foundation
import Operations
import ServiceKit
import Stack
import Testing
import Transport
import Wire

extension Operating {
  /// Who may talk to whom: wrong certificates, no certificates, no TLS, old TLS.
  @Suite struct CertificateChecks {
    @Test func clientThatTrustsAnotherAuthority() async throws {
      try await withStack { stack in
        let other = stack.directory.appendingPathComponent("other")
        try Certificates.make(in: other)
        let client = try Tools.muster(
          stack,
          ["signup", "Anna", "--deadline", "5", "--authority", "\(other.path)/authority.pem"])
        #expect(await client.ended() == 69)
        #expect(client.errors.contains("certificate verify failed"), "\(client.errors)")
      }
    }

    @Test func serviceWithTheCertificateOfAnother() async throws {
      try await withStack { stack in
        try await stack.kill("leaderboard/1")
        try await stack.restart(
          "leaderboard/1",
          [
            "--certificate", stack.certificate("context.pem"),
            "--key", stack.certificate("context.key"),
          ])
        try await expectRefusal(of: "leaderboard/1", in: stack, because: "ostname mismatch")
      }
    }

    @Test func serviceWithTheCertificateOfAnotherAuthority() async throws {
      try await withStack { stack in
        let other = stack.directory.appendingPathComponent("other").path
        try Certificates.make(in: URL(fileURLWithPath: other))
        try await stack.kill("request/1")
        try await stack.restart(
          "request/1",
          ["--certificate", "\(other)/request.pem", "--key", "\(other)/request.key"])
        try await expectRefusal(of: "request/1", in: stack, because: "certificate verify failed")
      }
    }

    /// The gateway says why it does not use the process, callers get `unavailable`, and with the
    /// right certificate all is well again.
    private func expectRefusal(of name: String, in stack: Stack, because reason: String)
      async throws
    {
      let gateway = try await stack.process("gateway")
      let service = name.prefix { $0 != "/" }
      #expect(await gateway.logged("service refused service=\(service) partition=1/1"))
      #expect(await gateway.logged(reason), "\(gateway.errors)")
      let client = try RawClient(
        port: stack.gatewayPort, TLSClientContext(trust: .authority(stack.authority)))
      var echo = Echo()
      echo.payload = Bytes([1, 2, 3])
      #expect(try await client.call(echo).get().payload == echo.payload)
      await client.end()
      try await stack.kill(name)
      try await stack.start(name)
    }

    @Test func plainBytesOnTheTLSPort() async throws {
      try await withStack { stack in
        let script = """
          exec 3<>/dev/tcp/127.0.0.1/\(stack.gatewayPort)
          printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3
          cat <&3 | wc -c
          """
        // The connection ends, and what comes back is at most a TLS alert.
        let answer = try await Tools.run(script).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect((Int(answer) ?? .max) <= 7)
        let gateway = try await stack.process("gateway")
        #expect(await gateway.logged("client refused"))
        #expect(await gateway.logged("handshake failed"))
      }
    }

    @Test func oldTLS() async throws {
      try await withStack { stack in
        let client = try Tools.shell(
          "openssl s_client -tls1_2 -connect 127.0.0.1:\(stack.gatewayPort) </dev/null")
        #expect(await client.ended() != 0)
        #expect(client.errors.contains("protocol version"), "\(client.errors)")
        #expect(await (try stack.process("gateway")).logged("unsupported protocol"))
      }
    }

    @Test func anotherApplicationProtocol() async throws {
      try await withStack { stack in
        let client = try Tools.shell(
          "openssl s_client -alpn h2 -connect 127.0.0.1:\(stack.gatewayPort) </dev/null")
        #expect(await client.ended() != 0)
        #expect(client.errors.contains("no application protocol"), "\(client.errors)")
      }
    }

    @Test func peerWithoutACertificate() async throws {
      try await withStack { stack in
        let peer = try await peer(of: "request", in: stack, certificate: nil)
        let answer = await peer.call(
          Opcode(.request, Control.status), ServiceEnvelope(), deadlineMilliseconds: 60_000)
        #expect(answer.code == .disconnected)
        let service = try await stack.process("request/1")
        #expect(await service.logged("peer did not return a certificate"))
        await peer.end()
      }
    }

    @Test func peerWithACertificateOfNoService() async throws {
      try await withStack { stack in
        let folder = stack.directory.appendingPathComponent("certificates").path
        _ = try await Tools.run(
          """
          cd '\(folder)'
          openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout billing.key \\
            -out billing.csr -subj /CN=billing
          openssl x509 -req -in billing.csr -CA authority.pem -CAkey authority.key -days 30 \\
            -set_serial 7 -out billing.pem \\
            -extfile <(echo subjectAltName=DNS:billing.muster.internal)
          """)
        let peer = try await peer(of: "request", in: stack, certificate: "billing")
        let answer = await peer.call(
          Opcode(.request, Control.status), ServiceEnvelope(), deadlineMilliseconds: 60_000)
        #expect(answer.code == .disconnected)
        let service = try await stack.process("request/1")
        #expect(await service.logged("not accepted"))
        await peer.end()
      }
    }

    @Test func serviceThatSpeaksForAPlayer() async throws {
      try await withStack { stack in
        let peer = try await peer(of: "leaderboard", in: stack, certificate: "context")
        var envelope = ServiceEnvelope()
        envelope.principal.kind = .player
        envelope.principal.player = PlayerID(high: 1, low: 1)
        envelope.principal.game = Stack.game
        let answer = await peer.call(IssuedChallenges.opcode, envelope, IssuedChallenges().encoded)
        #expect(answer.code == .notAllowed)
        #expect(answer.failure?.text.contains("context.muster.internal") == true)
        envelope.principal.kind = .deploymentOperator
        let asOperator = await peer.call(
          RemoveScore.opcode, envelope, RemoveScore().encoded)
        #expect(asOperator.code == .notAllowed)
        await peer.end()
      }
    }

    private func peer(of service: String, in stack: Stack, certificate: String?) async throws
      -> RawClient
    {
      try RawClient(
        port: await stack.port("\(service)/1"),
        TLSClientContext(
          trust: .authority(stack.authority),
          certificate: certificate.map { stack.certificate("\($0).pem") },
          key: certificate.map { stack.certificate("\($0).key") },
          serverName: "\(service).muster.internal"))
    }
  }
}
