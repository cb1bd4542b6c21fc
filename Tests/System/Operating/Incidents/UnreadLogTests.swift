import MusterKit
import Operations
import Stack
import Testing

extension Operating.Incidents {
  /// Its standard error is a pipe whose reader is away, as of a stuck journal or of `| less`.
  @Test("nobody reads the log of a service")
  func unreadLog() async throws {
    try await withStack(.underLoad) { stack in
      let page = try IncidentPage("A log that nobody reads")
      try await stack.declare("sum", .sum)
      let (anna, _) = try await stack.player("Anna")
      #expect(try await stack.stop("leaderboard/1") == 0)
      try await stack.restart("leaderboard/1", ["--log-level", "debug"], readsErrors: false)
      let service = try await stack.process("leaderboard/1")
      let before = try await DeploymentMetrics(of: stack)
      var top = TopScores()
      top.board = "sum"
      // Each call is a line. So many more than the pipe and the process's room take are a few
      // rounds.
      var lost: UInt64 = 0
      for _ in 0..<50 where lost == 0 {
        try await withThrowingTaskGroup { [top] group in
          for _ in 0..<32 {
            group.addTask { for _ in 0..<16 { _ = try await anna.call(top) } }
          }
          try await group.waitForAll()
        }
        lost = try await DeploymentMetrics(of: stack)["log.lost"] ?? 0
      }
      try await page.expectMetrics("service", in: stack, since: before)
      var submit = SubmitScore()
      (submit.board, submit.value) = ("sum", 7)
      let entry = try await anna.call(submit).entry
      #expect(entry.value == 7, "changes are taken, too")
      service.readErrors()
      try await page.expectLog("service, at the end", of: service)
      let lines = service.errors.split(separator: "\n", omittingEmptySubsequences: false)
      let wrong = lines.dropLast().first {
        !$0.hasPrefix("20") || !$0.contains(" muster-leaderboard")
      }
      #expect(wrong == nil && lines.count > 500, "\(wrong ?? "")")
      await anna.close()
    }
  }
}
