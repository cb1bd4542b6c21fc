import BenchPlayers
import Foundation
import Operations
import Stack
import Testing
import Wire

extension Operating.Incidents {
  private static let busyBoard = "filled"

  /// A ranking of five hundred players among themselves takes their process a multiple of what it
  /// takes to bring a call there and back, on a slow machine as on a fast one.
  @Test("a board takes most of a process's time")
  func busyBoard() async throws {
    let count = LeaderboardLimits.scopePlayerCountMax
    try await withFilledBoard(Self.busyBoard, players: count) { stack in
      let page = try IncidentPage("A board eats a core")
      let service = try await stack.process("leaderboard/1")
      let before = try await DeploymentMetrics(of: stack)
      let client = try stack.client()
      var signIn = SignInOperator()
      (signIn.secret, signIn.game) = (Stack.operatorSecret, Stack.game)
      _ = try await client.call(signIn).get()
      var ranking = TopScores()
      (ranking.board, ranking.count, ranking.scope) = (Self.busyBoard, 1, .players)
      ranking.players = (0..<count).map { FilledBoard.player($0) }
      // It ends when its connection does, so also where something throws.
      let load = Task { [ranking] in await client.pump(ranking, window: 16) { _ in } }
      // A minute that is whole has to pass.
      try await page.expectLog("service", of: service)
      let words = try page.texts("log of the service")
      let line = service.errors.split(separator: "\n").first { $0.contains(words[0]) }
      let key = RoutingKey(game: Stack.game, name: Self.busyBoard).bytes
        .map { String(format: "%02x", $0) }.joined()
      for field in ["key=\(key)", "operation=TopScores"] {
        #expect(line?.contains(field) == true, "\(field): \(line ?? "")")
      }
      try await page.expectMetrics("service", in: stack, since: before)
      try await page.expectDoctor("yellow", in: stack)
      await client.end()
      #expect(await load.value > 0)
    }
  }

  /// Runs a test against a stack whose leaderboard service has a board of so many players.
  private func withFilledBoard(
    _ board: String, players: Int, _ body: (Stack) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-busy-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let fill = try ServerProcess(
      name: "bench-fill", executable: Binaries.url("bench-fill"),
      arguments: ["store", folder.path, Stack.game, board, "\(players)"])
    #expect(await fill.ended() == 0, "\(fill.output)\(fill.errors)")
    var options = Stack.Options.underLoad
    options.dataDirectories["leaderboard/1"] = folder.path
    try await withStack(options) { try await body($0) }
  }
}
