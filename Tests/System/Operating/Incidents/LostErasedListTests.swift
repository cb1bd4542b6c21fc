import Foundation
import MusterKit
import Stack
import Testing

extension Operating.Incidents {
  @Test("a service's list of erased players is lost, and another service's is added to it")
  func lostErasedList() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A list of erased players is lost")
      let (anna, credential) = try await stack.player("Anna")
      await anna.close()
      let before = try await DeploymentMetrics(of: stack)
      _ = try await Tools.muster(working: stack, ["erase", "\(credential.player)", "--yes"])
      let service = try await stack.process("leaderboard/1")
      #expect(await service.logged("files cleaned"))
      #expect(try await stack.stop("leaderboard/1") == 0)

      let data = stack.directory.appendingPathComponent("data").path
      let list = "\(data)/leaderboard/1.erased"
      try FileManager.default.removeItem(atPath: list)
      let check = try await stack.spawn("leaderboard/1", ["--check"])
      #expect(await check.ended() == 0, "\(check.errors)")
      #expect(check.output.contains("\(list) is not there"), "\(check.output)")
      #expect(!FileManager.default.fileExists(atPath: list))

      try await stack.start("leaderboard/1")
      try await page.expectLog("service", of: try stack.process("leaderboard/1"))
      try await page.expectMetrics("service", in: stack, since: before)
      let doctor = try await page.expectDoctor("red", in: stack)
      #expect(doctor.contains("muster-leaderboard 1/1: its list of erased players lacks 1 player "))

      #expect(try await stack.stop("leaderboard/1") == 0)
      _ = try await Tools.run("cat '\(data)/request/1.erased' >>'\(list)'")
      try await stack.start("leaderboard/1")
      #expect(try await doctorWell(stack).contains("green    erasures"))
    }
  }

  /// What the doctor says once the gateway has reached all services again.
  private func doctorWell(_ stack: Stack) async throws -> String {
    let began = ContinuousClock.now
    while true {
      let doctor = try Tools.muster(stack, ["doctor"])
      if await doctor.ended() == 0 || ContinuousClock.now - began > .seconds(20) {
        return doctor.output
      }
    }
  }
}
