import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension Operating {
  /// Certificates, keys and authorities are replaced while all processes run.
  @Suite struct Renewals {
    @Test("after SIGHUP new connections see new certificates, and those that are there live on")
    func renewed() async throws {
      var options = Stack.Options()
      options.certificateDays = 5
      options.flags["gateway"] = ["--loops", "2"]
      try await withStack(options) { stack in
        let gateway = try await stack.process("gateway")
        #expect(await gateway.logged("certificate ends soon setting=client-certificate"))
        let (player, credential) = try await stack.player("Ada")
        await player.close()
        let client = try stack.client()
        _ = try await client.call(SignIn(credential)).get()
        let old = try await stack.serialsShown(by: ["gateway", "context/1"])
        #expect(try await stack.serials(of: ["client", "context"]) == old)
        let ticket = stack.directory.appendingPathComponent("ticket").path
        #expect(try await stack.connect(["-sess_out", ticket]).contains("New, TLSv1.3"))

        try Certificates.renew(in: stack.certificates, days: 90)
        try await stack.renewCertificates()
        #expect(
          gateway.errors.contains(
            "good=\"certificate 89 days, authority 3649 days, client-certificate 89 days\""),
          "\(gateway.errors)")
        let new = try await stack.serialsShown(by: ["gateway", "context/1"])
        #expect(Set(new).isDisjoint(with: old))
        #expect(try await stack.serials(of: ["client", "context"]) == new)
        // The session is one of a connection that was there before.
        #expect(await client.call(ListSessions()).code == nil)
        await client.end()
        for _ in 1...2 {
          #expect(try await stack.connect(["-sess_in", ticket]).contains("Reused, TLSv1.3"))
        }
      }
    }

    @Test("where one file is wrong it is named, and nothing of the others is used")
    func wrong() async throws {
      try await withStack { stack in
        let service = try await stack.process("request/1")
        let gateway = try await stack.process("gateway")
        let old = try await stack.serialsShown(by: ["gateway", "request/1"])
        let folder = stack.certificates.path
        let other = stack.directory.appendingPathComponent("other")
        try Certificates.make(in: other)
        let faults = [
          ("cp context.key request.key", "request.key: key values mismatch"),
          ("rm request.key", "request.key: No such file"),
          ("cp '\(other.path)'/request.* .", "request.pem: unable to get local issuer certificate"),
          (Self.makeEnded, "request.pem: certificate has expired"),
          ("cp '\(other.path)'/request.key request.pem", "certificate \(folder)/request.pem: "),
        ]
        for (index, (script, reason)) in faults.enumerated() {
          _ = try await Tools.run("set -e; cd '\(folder)'; \(script)")
          service.signal(SIGHUP)
          #expect(await service.logged("certificates are not renewed", times: index + 1))
          let line = service.errors.split(separator: "\n").last { $0.contains("are not renewed") }
          #expect(line?.contains(" error ") == true, "\(line ?? "")")
          #expect(line?.contains(reason) == true, "\(line ?? "")")
        }
        // Its certificate for the services is new and right, and the key for games is not.
        try Certificates.renew(in: stack.certificates)
        _ = try await Tools.run(
          "cd '\(folder)' && cp client.key right && cp gateway.key client.key")
        gateway.signal(SIGHUP)
        #expect(await gateway.logged("certificates are not renewed"))
        #expect(gateway.errors.contains("client.key: key values mismatch"), "\(gateway.errors)")
        #expect(try await stack.serialsShown(by: ["gateway", "request/1"]) == old)

        _ = try await Tools.run("cd '\(folder)' && mv right client.key")
        try await stack.renewCertificates()
        let new = try await stack.serialsShown(by: ["gateway", "request/1"])
        #expect(try await stack.serials(of: ["client", "request"]) == new)
      }
    }

    /// A certificate of the right authority for a key of its own, which ended a day ago.
    private static let makeEnded = """
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout request.key \
        -out request.csr -subj /CN=request 2>openssl.log
      openssl x509 -req -in request.csr -CA authority.pem -CAkey authority.key -days -1 \
        -set_serial 7 -out request.pem -extfile <(echo subjectAltName=DNS:request.muster.internal) \
        2>openssl.log
      """

    @Test("the authority is changed by SIGHUP alone, in three steps, and the former counts no more")
    func authority() async throws {
      try await withStack { stack in
        let (player, credential) = try await stack.player("Ada")
        await player.close()
        let client = try stack.client()
        _ = try await client.call(SignIn(credential)).get()
        let (folder, next) = (stack.certificates.path, stack.directory.path + "/next")
        try Certificates.make(in: URL(fileURLWithPath: next))
        _ = try await Tools.run("cp -r '\(folder)' '\(folder)-old'")

        let steps = [
          "cat '\(next)/authority.pem' >>authority.pem",
          "find '\(next)' -type f ! -name 'authority.*' -exec cp {} . ';'",
          "cp '\(next)'/authority.* .",
        ]
        for (index, step) in steps.enumerated() {
          _ = try await Tools.run("set -e; cd '\(folder)'; \(step)")
          try await stack.renewCertificates(times: index + 1)
          // Links that come anew between the steps find each other too.
          try await stack.kill("leaderboard/1")
          try await stack.start("leaderboard/1")
          try await stack.expectServes()
          #expect(await client.call(ListSessions()).code == nil)
        }
        await client.end()

        let former = try RawClient(
          port: await stack.port("context/1"),
          TLSClientContext(
            trust: .authority(stack.authority), certificate: "\(folder)-old/gateway.pem",
            key: "\(folder)-old/gateway.key", serverName: "context.muster.internal"))
        let answer = await former.call(
          Opcode(.context, Control.status), ServiceEnvelope(), deadlineMilliseconds: 60_000)
        #expect(answer.code == .disconnected)
        #expect(await (try stack.process("context/1")).logged("unable to get local issuer"))
        await former.end()
      }
    }
  }
}

extension Stack {
  nonisolated var certificates: URL {
    directory.appendingPathComponent("certificates")
  }

  /// Has all processes read their certificates anew, and waits until they have.
  /// - Parameter times: how often each process that was not started anew has done so by then.
  fileprivate nonisolated func renewCertificates(times: Int = 1) async throws {
    for name in names { try await process(name).signal(SIGHUP) }
    for name in names {
      let process = try await process(name)
      let isNew = name == "leaderboard/1"
      #expect(
        await process.logged("certificates renewed", times: isNew ? 1 : times), "\(process.errors)")
    }
  }

  /// The serial numbers of certificates' files.
  fileprivate nonisolated func serials(of names: [String]) async throws -> [String] {
    var serials: [String] = []
    for name in names {
      serials.append(
        try await Tools.run("openssl x509 -in '\(certificate("\(name).pem"))' -noout -serial"))
    }
    return serials
  }

  /// The serial numbers of the certificates that processes show to new connections.
  nonisolated func serialsShown(by names: [String]) async throws -> [String] {
    var serials: [String] = []
    for name in names {
      let port = await port(name)
      serials.append(
        try await Tools.run(
          """
          openssl s_client -connect 127.0.0.1:\(port) -alpn muster/1 -CAfile '\(authority)' \
            </dev/null 2>/dev/null | openssl x509 -noout -serial
          """))
    }
    return serials
  }

  /// Connects to the gateway with openssl until the ticket has come; gives what openssl says.
  nonisolated func connect(_ options: [String]) async throws -> String {
    let input = Pipe()
    let client = try Tools.openTLS(self, input, options)
    input.fileHandleForWriting.write(Data([0, 0, 0, 0]))
    await client.ended()
    return client.output
  }
}
