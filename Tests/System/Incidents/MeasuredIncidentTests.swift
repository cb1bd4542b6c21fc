import BenchStack
import Foundation
import Operations
import Stack
import Testing
import Wire

extension System.Incidents {
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
