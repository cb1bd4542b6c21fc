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

  @Test("a board takes most of a process's time")
  func busyBoard() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-busy-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let fill = try ServerProcess(
      name: "bench-fill", executable: Binaries.url("bench-fill"),
      arguments: ["store", folder.path, Stack.game, "filled", "20000"])
    #expect(await fill.ended() == 0, "\(fill.output)\(fill.errors)")
    var options = Stack.Options()
    options.dataDirectories["leaderboard/1"] = folder.path
    try await withStack(options) { stack in
      let page = try IncidentPage("A board eats a core")
      let service = try await stack.process("leaderboard/1")
      let before = try await DeploymentMetrics(of: stack)
      let client = try stack.client()
      var signIn = SignInOperator()
      (signIn.secret, signIn.game) = (Stack.operatorSecret, Stack.game)
      _ = try await client.call(signIn).get()
      // One after the other; while one is under way, another is refused.
      let lines = try page.texts("log of the service")
      var ranking = ReRankLeaderboard()
      ranking.board = "filled"
      for count in 0... where lines.contains(where: { !service.errors.contains($0) }) {
        ranking.sortOrder = count % 2 == 0 ? .lowFirst : .highFirst
        _ = await client.call(ranking)
        if service.status != nil || Task.isCancelled { break }
      }
      try await page.expectLog("service", of: service)
      try await page.expectMetrics("service", in: stack, since: before)
      try await page.expectDoctor("yellow", in: stack)
      await client.end()
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
