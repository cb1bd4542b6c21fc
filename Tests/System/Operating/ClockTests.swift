import Domain
import Foundation
import LeaderboardCore
import Stack
import Storage
import Testing

extension Operating {
  @Suite struct Clocks {
    @Test("a store whose last change is a year away is not opened without the operator's word")
    func aYearAway() async throws {
      let year: Int64 = 366 * 24 * 3_600_000
      try await withStack { stack in
        for (offset, word) in [(-year, "clock-ahead-days 367"), (year, "clock-behind-hours 8784")] {
          let data = stack.directory.appendingPathComponent("clock\(offset)").path
          try await stack.createStore("leaderboard/1", at: data)
          let now = Int64(Date().timeIntervalSince1970 * 1000)
          try change(data, at: now + offset)
          let flags = ["--listen", "127.0.0.1:0", "--data-directory", data]
          let refused = try await stack.spawn("leaderboard/1", flags)
          #expect(await refused.ended() == 69)
          #expect(refused.errors.contains("Put the clock right"), "\(refused.errors)")
          #expect(refused.errors.contains("--\(word)"), "\(refused.errors)")
          let words = word.split(separator: " ").map(String.init)
          let started = try await stack.spawn(
            "leaderboard/1", flags + ["--\(words[0])", words[1]])
          try await started.ready()
          started.signal(SIGTERM)
          #expect(await started.ended() == 0)
        }
      }
    }

    /// The machine was off for twelve hours, and its clock came back a day late.
    @Test("a service that starts with its clock behind follows the jump that puts it right")
    func behind() async throws {
      try await withJumpingClock(of: ["leaderboard/1"], days: -1) { stack, clock in
        let page = try IncidentPage("A clock jumps")
        #expect(try await stack.stop("leaderboard/1") == 0)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let data = stack.directory.appendingPathComponent("data/leaderboard/1").path
        try change(data, at: now - 12 * 3_600_000)
        try clock.jump()
        try await stack.restart("leaderboard/1", [])
        let before = try await DeploymentMetrics(of: stack)
        try clock.comeBack()
        let place = "process, put right after a start"
        try await page.expectLog(place, of: try stack.process("leaderboard/1"))
        try await page.expectMetrics(place, in: stack, since: before)
      }
    }

    /// Writes an empty batch, as of another time, into a store without rows.
    private func change(_ data: String, at time: Int64) throws {
      let store = try SQLiteStore(
        directory: data, name: "leaderboard", tables: Engine.tables(of: LeaderboardCore.self))
      try store.commit(Batch(number: store.lastBatch + 1, changes: RowChanges()), time: time)
      store.close()
    }
  }
}
