import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// Each incident of `deploy/incidents.md` is made, and shows what its table says.
  @Suite struct Incidents {}
}

extension Operating.Incidents {
  @Test("a service is killed")
  func killed() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A service is killed")
      let gateway = try await stack.process("gateway")
      // Or it is not lost, but was never there.
      #expect(await gateway.logged("service reached service=leaderboard"))
      try await stack.kill("leaderboard/1")
      try await page.expectLog("gateway", of: gateway)
      let doctor = try await page.expectDoctor("red", in: stack)
      #expect(doctor.contains("muster-leaderboard 1/1: does not answer"), "\(doctor)")
      let told = gateway.errors.count
      try await stack.start("leaderboard/1")
      for text in try page.texts("log of the gateway, at the end") {
        #expect(await gateway.logged(text, after: told), "\(text)")
      }
    }
  }

  @Test("a disk takes writes and does not end them")
  func stuckDisk() async throws {
    try await withStuckDisk(of: "leaderboard/1") { stack, disk in
      let page = try IncidentPage("A stuck disk")
      try await stack.declare("sum", .sum)
      let (anna, _) = try await stack.player("Anna")
      let service = try await stack.process("leaderboard/1")
      let before = try await DeploymentMetrics(of: stack)
      #expect(!service.errors.contains("store does not answer"))
      try disk.stick()
      async let entry = anna.call(SubmitScore(board: "sum", value: 7))
      try await page.expectLog("service", of: service)
      try await page.expectMetrics("service", in: stack, since: before)
      try await page.expectDoctor("red", in: stack)
      try disk.loosen()
      try await page.expectLog("service, at the end", of: service)
      #expect(try await entry.entry.value == 7, "what waited is answered")
      await anna.close()
    }
  }

  @Test(.enabled(if: Operating.FullDisk.mayMount, "mounting a small disk takes root"))
  func fullDisk() async throws {
    try await Operating.FullDisk.withSmallDisk(size: "4m") { disk in
      var options = Stack.Options()
      options.dataDirectories["leaderboard/1"] = disk + "/data"
      try await withStack(options) { stack in
        let page = try IncidentPage("A full disk")
        try await stack.declare("sum", .sum)
        let (anna, _) = try await stack.player("Anna")
        let service = try await stack.process("leaderboard/1")
        let before = try await DeploymentMetrics(of: stack)
        _ = try await Tools.run("dd if=/dev/zero of='\(disk)/ballast' bs=4096 2>/dev/null || true")
        // The log's own pages take some commits yet.
        for _ in 0..<5_000 where !service.errors.contains("disk full") {
          _ = try? await anna.call(
            SubmitScore(board: "sum", value: 1), deadline: .milliseconds(500))
        }
        try await page.expectLog("service", of: service)
        try await page.expectMetrics("service", in: stack, since: before)
        try await page.expectDoctor("red", in: stack)
        _ = try await Tools.run("rm '\(disk)/ballast'")
        try await page.expectLog("service, at the end", of: service)
        await anna.close()
      }
    }
  }

  @Test("strangers connect and never finish")
  func flood() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A stranger's flood")
      let before = try await DeploymentMetrics(of: stack)
      // Each of them ends its connection at once. A loop tells of a hundred that it has had.
      let count = 100 * 2 * ProcessInfo.processInfo.processorCount
      _ = try await Tools.run(
        """
        for i in $(seq \(count)); do
          exec 3<>/dev/tcp/127.0.0.1/\(stack.gatewayPort) && echo GET >&3; exec 3>&-
        done
        """)
      try await page.expectLog("gateway", of: try stack.process("gateway"))
      try await page.expectMetrics("gateway", in: stack, since: before)
    }
  }

  @Test("a gateway has the addresses of a service in the wrong order")
  func wrongPartition() async throws {
    try await withStack(Stack.Options(partitions: 2)) { stack in
      let page = try IncidentPage("A wrong partition")
      let before = try await DeploymentMetrics(of: stack)
      let ports = (await stack.port("leaderboard/1"), await stack.port("leaderboard/2"))
      try await stack.kill("gateway")
      let gateway = try await stack.spawn(
        "gateway", ["--leaderboard", "127.0.0.1:\(ports.1),127.0.0.1:\(ports.0)"])
      try await page.expectLog("gateway", of: gateway)
      try await page.expectMetrics("gateway", in: stack, since: before)
      try await page.expectDoctor("red", in: stack)
      gateway.signal(SIGTERM)
      await gateway.ended()
      try await stack.start("gateway")
    }
  }

  @Test("a gateway's address of a service leads to another one")
  func otherService() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A wrong partition")
      let port = await stack.port("context/1")
      try await stack.kill("gateway")
      let gateway = try await stack.spawn("gateway", ["--leaderboard", "127.0.0.1:\(port)"])
      let place = "where it is one of another service"
      try await page.expectLog("gateway, \(place)", of: gateway)
      let doctor = try await page.expectDoctor("red", "doctor, \(place)", in: stack)
      #expect(doctor.contains("at `service refused`"), "\(doctor)")
      gateway.signal(SIGTERM)
      await gateway.ended()
      try await stack.start("gateway")
    }
  }

  /// A service is told of players whom it does not have: its store was lost, and the others' not.
  @Test("effects are refused")
  func refusedEffects() async throws {
    try await withStack { stack in
      let page = try IncidentPage("Effects are refused")
      let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
      let group = try await anna.client.createGroup(policy: .open).info.context
      _ = try await ben.client.joinContext(group)
      let before = try await DeploymentMetrics(of: stack)
      try await stack.kill("request/1")
      _ = try await ben.client.call(LeaveContext(group))
      for client in [anna.client, ben.client] { await client.close() }
      let data = stack.directory.appendingPathComponent("data/request/1")
      try FileManager.default.removeItem(at: data)
      try await stack.createStore("request/1", at: data.path)
      try await stack.start("request/1")
      try await page.expectLog("sender", of: try stack.process("context/1"))
      try await page.expectMetrics("sender", in: stack, since: before)
      try await page.expectDoctor("yellow", in: stack)
      try await stack.renewGateway()
      try await stack.declareGame(Stack.game)
    }
  }

  @Test("a service shows a certificate that has ended")
  func endedCertificate() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A certificate ends")
      try await stack.kill("leaderboard/1")
      let ended = try await stack.certificate(of: "leaderboard", days: -1)
      try await stack.restart("leaderboard/1", ["--certificate", ended])
      try await page.expectLog("gateway", of: try stack.process("gateway"))
      try await page.expectDoctor("red", in: stack)
      let metrics = try await DeploymentMetrics(of: stack)
      #expect((metrics["services.refused leaderboard"] ?? 0) > 0)
      try await stack.kill("leaderboard/1")
      try await stack.start("leaderboard/1")
    }
  }
}

extension SubmitScore {
  fileprivate init(board: String, value: Int64) {
    self.init()
    (self.board, self.value) = (board, value)
  }
}

extension LeaveContext {
  fileprivate init(_ context: ContextID) {
    self.init()
    self.context = context
  }
}
