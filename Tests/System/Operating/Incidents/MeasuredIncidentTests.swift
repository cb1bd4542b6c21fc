import BenchStack
import Foundation
import Operations
import Stack
import Testing
import Wire

extension Operating.Incidents {
  @Test("the metric of a service that is killed says so")
  func killedService() async throws {
    try await withStack { stack in
      let before = try await DeploymentMetrics(of: stack)
      try await stack.kill("leaderboard/1")
      try await IncidentPage("A service is killed")
        .expectMetrics("gateway", in: stack, since: before)
      try await stack.start("leaderboard/1")
    }
  }

  @Test("a certificate that ends soon is told before it has ended")
  func endingCertificate() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A certificate ends")
      let before = try await DeploymentMetrics(of: stack)
      for (days, verdict) in [(2, "red"), (10, "yellow")] {
        try await stack.kill("leaderboard/1")
        let ending = try await stack.certificate(of: "leaderboard", days: days)
        try await stack.restart("leaderboard/1", ["--certificate", ending])
        try await stack.expectServes()
        try await page.expectMetrics("service", in: stack, since: before)
        try await page.expectDoctor(verdict, "doctor, before the end", in: stack)
      }
      try await stack.kill("leaderboard/1")
      try await stack.start("leaderboard/1")
    }
  }

  @Test("the gateway's certificates are told of before they end, and so are authorities")
  func endingGatewayCertificates() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A certificate ends")
      let before = try await DeploymentMetrics(of: stack)
      for name in try page.texts("metric of each process") {
        #expect((before[name] ?? 0) > 4 * 3_000 * 86_400, "\(name)")
      }
      let metrics = try page.texts("metric of the gateway")
      #expect(metrics.count == 2)
      for (name, setting, place, metric) in [
        ("gateway", "--certificate", "doctor, before the end", metrics[0]),
        (
          "client", "--client-certificate", "doctor, before the end of the one for games",
          metrics[1]
        ),
      ] {
        let gateway = try await stack.process("gateway")
        gateway.signal(SIGTERM)
        await gateway.ended()
        let ending = try await stack.certificate(of: name, days: 2)
        try await stack.restart("gateway", [setting, ending])
        try await stack.expectServes()
        let now = try await DeploymentMetrics(of: stack)
        let lost = (before[metric] ?? 0) - min(now[metric] ?? 0, before[metric] ?? 0)
        #expect(lost / 86_400 >= 362, "\(metric)")
        try await page.expectDoctor("red", place, in: stack)
      }
      let gateway = try await stack.process("gateway")
      gateway.signal(SIGTERM)
      await gateway.ended()
      try await stack.start("gateway")
    }
  }

  #if os(Linux)
    @Test("clients do not take what is sent to them")
    func slowReader() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("muster-deaf-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try await BenchStack.Commands.run(
        "clang",
        [
          "-std=gnu11", "-O2", "-o", folder.appendingPathComponent("attack").path,
          BenchStack.Commands.source("Attack/attack.c"), "-lssl", "-lcrypto",
        ])
      var options = Stack.Options()
      options.flags["gateway"] = ["--client-idle-seconds", "5"]
      try await withStack(options) { stack in
        let page = try IncidentPage("A slow reader")
        var deaf = try #require(HostileAttack.all.first { $0.name == "deaf" })
        deaf.connections = 16
        let before = try await DeploymentMetrics(of: stack)
        let accounts = try await deaf.accounts(on: stack, programs: folder)
        let attacker = try deaf.start(folder, port: stack.gatewayPort, accounts)
        try await page.expectLog("gateway", of: try stack.process("gateway"))
        try await page.expectMetrics("gateway", in: stack, since: before)
        attacker.signal(SIGTERM)
        await attacker.ended()
      }
    }
  #endif
}
