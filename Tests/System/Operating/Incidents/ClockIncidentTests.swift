import Foundation
import Operations
import Stack
import Testing

extension Operating.Incidents {
  @Test("a machine's clock jumps a day ahead, and comes back")
  func clockJumps() async throws {
    try await withJumpingClock(of: ["request/1"], days: 1) { stack, clock in
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

  @Test("a gateway's clock is set back")
  func gatewaySetBack() async throws {
    try await withJumpingClock(of: ["gateway"], days: -1) { stack, clock in
      let page = try IncidentPage("A clock jumps")
      let before = try await DeploymentMetrics(of: stack)
      try clock.jump()
      let gateway = try await stack.process("gateway")
      try await page.expectLog("process, set back", of: gateway)
      try await page.expectMetrics("process, set back", in: stack, since: before)
      let doctor = try await page.expectDoctor("red", "doctor, set back", in: stack)
      #expect(doctor.contains("muster-gateway 1/1: its clock is"), "\(doctor)")
      try clock.comeBack()
    }
  }

  /// All processes of a machine have one clock.
  @Test("4.2 6.5 a machine's clock jumps a year ahead: nothing expires, and no start believes it")
  func clockJumpsAYear() async throws {
    let names = ["context/1", "request/1", "leaderboard/1", "gateway"]
    try await withJumpingClock(of: names, days: 366) { stack, clock in
      let page = try IncidentPage("A clock jumps")
      let friends = try await MortalFriends(stack)
      let made = try await friends.make()
      let before = try await DeploymentMetrics(of: stack)
      try clock.jump()
      for name in stack.serviceNames {
        try await page.expectLog("service", of: try stack.process(name))
      }
      try await page.expectMetrics("service", in: stack, since: before)
      let date = try await friends.expectAlive(made)
      #expect(abs(date - Self.now) < Self.hour, "the score has the date of the jump")
      // It reads the clock when somebody signs in.
      try await page.expectLog("service", of: try stack.process("gateway"))
      try clock.comeBack()
      for name in stack.serviceNames {
        try await page.expectLog("service, at the end", of: try stack.process(name))
      }
      let late = try await friends.make()
      try await restartAhead("leaderboard/1", of: stack, clock, page)
      try await friends.expectOver(late)
      await friends.end()
    }
  }

  private static let hour: Int64 = 3_600_000
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Starts a service while the clock is ahead: not before the operator has said so.
  private func restartAhead(
    _ name: String, of stack: Stack, _ clock: JumpingClock, _ page: IncidentPage
  ) async throws {
    #expect(try await stack.stop(name) == 0)
    try clock.jump()
    let refused = try await stack.spawn(name)
    #expect(await refused.ended() == 69)
    try await page.expectLog("service, at a start", of: refused)
    let flag = "--clock-ahead-days"
    let days = refused.errors.components(separatedBy: "\(flag) ").last?.prefix { $0.isNumber } ?? ""
    #expect(Int(days) == 367, "\(refused.errors)")
    try await stack.restart(name, [flag, String(days)])
  }
}
