import Foundation
import Stack
import Testing

extension Operating {
  /// `muster doctor` against real processes, and against gateways that cannot be asked.
  @Suite struct Doctor {
    private struct Report: Decodable {
      struct Finding: Decodable {
        var check, verdict, process, text, advice, page, heading: String
      }
      var findings: [Finding]
    }

    private func run(_ stack: Stack, _ arguments: [String] = [], expecting code: Int32)
      async throws -> [Report.Finding]
    {
      let doctor = try Tools.muster(stack, ["doctor", "--json", "--deadline", "5"] + arguments)
      #expect(await doctor.ended() == code, "\(doctor.output)\(doctor.errors)")
      return try JSONDecoder().decode(Report.self, from: Data(doctor.output.utf8)).findings
    }

    @Test("all is well: nothing is red, and the code is 0; a service is gone: it is, and named")
    func killed() async throws {
      try await withStack { stack in
        let well = try await run(stack, expecting: 0)
        #expect(well.allSatisfy { $0.verdict != "red" }, "\(well)")
        // How much room this machine has is not up to the test.
        for check in ["gateway", "processes", "versions", "clocks", "effects", "builds"] {
          #expect(well.filter { $0.check == check }.map(\.verdict) == ["green"], "\(well)")
        }
        #expect(well.contains { $0.check == "disks" && $0.verdict != "unknown" })
        try await stack.kill("request/1")
        let ill = try await run(stack, expecting: 1)
        #expect(ill.filter { $0.verdict == "red" }.map(\.process) == ["muster-request 1/1"])
        let plain = try Tools.muster(stack, ["doctor"])
        #expect(await plain.ended() == 1 && plain.errors == "muster: 1 red\n", "\(plain.errors)")
        #expect(plain.output.contains("muster-request 1/1: does not answer"), "\(plain.output)")
        #expect(plain.output.contains("deploy/incidents.md: A service is killed"))
        #expect(!plain.output.contains("\u{1b}"), "colours are for terminals")
        let painted = try Tools.muster(stack, ["doctor", "--color", "always"])
        #expect(await painted.ended() == 1 && painted.output.contains("\u{1b}[31mred"))
        try await stack.start("request/1")
        try await stack.declareGame(Stack.game)
      }
    }

    @Test("each gateway that is named is asked, also where one cannot be reached")
    func gateways() async throws {
      try await withStack { stack in
        let here = "127.0.0.1:\(stack.gatewayPort)"
        let two = try await run(stack, [here, "localhost:\(stack.gatewayPort)"], expecting: 0)
        let asked = two.filter { $0.check == "gateway" }
        #expect(asked.map(\.process) == [here, "localhost:\(stack.gatewayPort)"])
        let nobody = "127.0.0.1:\(try FreePorts.take(1)[0])"
        let one = try await run(stack, [nobody, here], expecting: 1)
        #expect(one.filter { $0.verdict == "red" }.map(\.process) == [nobody])
        #expect(one.contains { $0.check == "processes" && $0.verdict == "green" })
        let wrong = try Tools.muster(stack, ["doctor", ":7400"])
        #expect(await wrong.ended() == 64 && wrong.errors.contains("host:port"))
      }
    }

    @Test("which step failed is told where a gateway cannot be asked")
    func steps() async throws {
      try await withStack { stack in
        let here = "127.0.0.1:\(stack.gatewayPort)"
        let nobody = "127.0.0.1:\(try FreePorts.take(1)[0])"
        let other = stack.directory.appendingPathComponent("other")
        try Certificates.make(in: other)
        for (arguments, environment, text, heading) in [
          (["no-such-host.invalid:7400"], [:], "look-up of its name failed", "A service is killed"),
          ([nobody], [:], "connection failed", "A service is killed"),
          (
            [here, "--authority", "\(other.path)/authority.pem"], [:], "certificate failed",
            "A certificate ends"
          ),
          ([here, "--server-name", "elsewhere"], [:], "certificate failed", "A certificate ends"),
          ([here], ["MUSTER_OPERATOR_SECRET": "wrong"], "sign-in failed", "Secrets"),
        ] as [([String], [String: String], String, String)] {
          let doctor = try Tools.muster(
            stack, ["doctor", "--deadline", "3"] + arguments, environment)
          #expect(await doctor.ended() == 1, "\(doctor.output)\(doctor.errors)")
          #expect(doctor.output.contains("red") && doctor.output.contains(text), "\(doctor.output)")
          #expect(doctor.output.contains(heading), "\(doctor.output)")
        }
      }
    }

    @Test("a gateway whose certificate has ended is told of by the step and the heading")
    func endedCertificate() async throws {
      try await withStack { stack in
        let gateway = try await stack.process("gateway")
        gateway.signal(SIGTERM)
        await gateway.ended()
        let ended = try await stack.certificate(of: "client", days: -1)
        try await stack.restart("gateway", ["--client-certificate", ended])
        let doctor = try Tools.muster(stack, ["doctor", "--deadline", "3"])
        #expect(await doctor.ended() == 1)
        #expect(doctor.output.contains("certificate failed"), "\(doctor.output)")
        #expect(doctor.output.contains("certificate has expired"), "\(doctor.output)")
        #expect(doctor.output.contains("deploy/incidents.md: A certificate ends"))
        let last = try await stack.process("gateway")
        last.signal(SIGTERM)
        await last.ended()
        try await stack.start("gateway")
      }
    }
  }
}
