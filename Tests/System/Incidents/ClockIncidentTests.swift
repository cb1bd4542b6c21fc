import Foundation
import Stack
import Testing

extension System.Incidents {
  @Test("a machine's clock jumps a day ahead, and comes back")
  func clockJumps() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-clock-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = try await JumpingClock(in: folder)
    var options = Stack.Options()
    options.environments["request/1"] = clock.environment
    try await withStack(options) { stack in
      let page = try IncidentPage("A clock jumps")
      let service = try await stack.process("request/1")
      let before = try await DeploymentMetrics(of: stack)
      try clock.jump()
      try await page.expectLog("service", of: service)
      try await page.expectMetrics("service", in: stack, since: before)
      try await page.expectDoctor("red", in: stack)
      try clock.comeBack()
      try await page.expectLog("service, at the end", of: service)
    }
  }
}
