import Foundation
import MusterKit
import Operations
import Stack
import Testing

extension Operating {
  @Suite struct FullDisk {
    static let mayMount = geteuid() == 0

    /// While the disk is full, what changes something is refused, and reads go on; with room again
    /// the same process serves again, and everything acknowledged is there.
    @Test(.enabled(if: mayMount, "mounting a small disk takes root"))
    func storageFull() async throws {
      try await Self.withSmallDisk(size: "4m") { disk in
        var options = Stack.Options()
        options.dataDirectories["leaderboard/1"] = disk + "/data"
        try await withStack(options) { try await fill($0, disk) }
      }
    }

    /// A stop while a batch waits for room is a stop like any other, and says what became of it.
    @Test(.enabled(if: mayMount, "mounting a small disk takes root"))
    func stoppedWhileFull() async throws {
      try await Self.withSmallDisk(size: "4m") { disk in
        var options = Stack.Options()
        options.dataDirectories["leaderboard/1"] = disk + "/data"
        options.flags["leaderboard/1"] = ["--grace-seconds", "1"]
        try await withStack(options) { stack in
          let page = try IncidentPage("A full disk")
          try await stack.declare("sum", .sum)
          let (anna, _) = try await stack.player("Anna")
          let service = try await stack.process("leaderboard/1")
          let fill = "dd if=/dev/zero of='\(disk)/ballast' bs=4096 2>/dev/null || true"
          _ = try await Tools.run(fill)
          var submit = SubmitScore()
          (submit.board, submit.value) = ("sum", 1)
          for _ in 0..<5_000 where !service.errors.contains("disk full") {
            _ = try? await anna.call(submit, deadline: .milliseconds(500))
          }
          #expect(try await stack.stop("leaderboard/1") == 0, "\(service.errors)")
          for text in try page.texts("log of the service, at a stop") {
            #expect(service.errors.contains(text), "\(service.errors)")
          }
          let last = service.errors.split(separator: "\n").last ?? ""
          #expect(last.hasSuffix(" info muster-leaderboard: stopped"), "\(last)")
          #expect(!service.errors.contains("store failed"), "\(service.errors)")
          _ = try await Tools.run("rm '\(disk)/ballast'")
          try await stack.start("leaderboard/1")
          await anna.close()
        }
      }
    }

    /// A store that cannot be made is made by the next attempt, which takes up what is there.
    @Test(.enabled(if: mayMount, "mounting a small disk takes root"))
    func fullAtTheStart() async throws {
      try await Self.withSmallDisk(size: "1m") { disk in
        try await withStack { stack in
          let flags = [
            "--listen", "127.0.0.1:0", "--data-directory", disk + "/data", "--create-store",
          ]
          let ballast = disk + "/ballast"
          _ = try await Tools.run("dd if=/dev/zero of='\(ballast)' bs=4096 2>/dev/null || true")
          let first = try await stack.spawn("leaderboard/1", flags)
          #expect(await first.ended() == 69)
          #expect(first.errors.contains("The disk of the store is full"), "\(first.errors)")
          #expect(first.errors.contains("start the process again"), "\(first.errors)")
          #expect(!first.errors.contains("Nothing was written"), "\(first.errors)")
          _ = try await Tools.run("rm '\(ballast)'")
          let second = try await stack.spawn("leaderboard/1", flags)
          #expect(await second.ended() == 0, "\(second.errors)")
          #expect(second.output.contains("made a store"))
        }
      }
    }

    static func withSmallDisk(
      size: String, _ body: (_ path: String) async throws -> Void
    ) async throws {
      let disk = FileManager.default.temporaryDirectory
        .appendingPathComponent("muster-disk-\(UUID().uuidString)").path
      _ = try await Tools.run("mkdir '\(disk)' && mount -t tmpfs -o size=\(size) tmpfs '\(disk)'")
      do {
        try await body(disk)
      } catch {
        _ = try await Tools.run("umount -l '\(disk)'; rmdir '\(disk)'")
        throw error
      }
      _ = try await Tools.run("umount -l '\(disk)'; rmdir '\(disk)'")
    }

    private func fill(_ stack: Stack, _ disk: String) async throws {
      try await stack.declare("sum", .sum)
      try await stack.declare("quiet")
      var configuration = stack.configuration
      configuration.retry.waitsForBudget = false
      configuration.callDeadline = .seconds(3)
      let client = MusterClient(configuration)
      try await client.signIn(try await client.signUp(displayName: "Anna"))
      _ = try await Tools.run("dd if=/dev/zero of='\(disk)/ballast' bs=4096 2>/dev/null || true")
      var (acknowledged, unknown): (Int64, Int64) = (0, 0)
      var refusal: MusterError?
      // The log's own pages take some commits yet; then one waits, and the next are refused.
      for _ in 0..<5_000 where refusal == nil {
        do {
          try await submit(client)
          acknowledged += 1
        } catch let error as MusterError where error.code == .storageFull {
          refusal = error
        } catch let error as MusterError where error.isOutcomeUnknown {
          unknown += 1
        }
      }
      #expect(refusal?.text.contains("The disk of the leaderboard service is full.") == true)
      let leaderboard = try await stack.process("leaderboard/1")
      #expect(await leaderboard.logged("disk full"))
      var top = TopScores()
      top.board = "quiet"
      #expect(try await client.call(top).total == 0, "reads go on")
      try await client.createSoloContext()

      _ = try await Tools.run("rm '\(disk)/ballast'")
      #expect(await leaderboard.logged("disk has room again"))
      try await submit(client)
      acknowledged += 1
      try await expectSum(client, acknowledged...acknowledged + unknown)
      #expect(leaderboard.status == nil, "it is the same process")
      try await stack.kill("leaderboard/1")
      try await stack.start("leaderboard/1")
      try await expectSum(client, acknowledged...acknowledged + unknown)
      await client.close()
    }

    private func submit(_ client: MusterClient) async throws {
      var submit = SubmitScore()
      submit.board = "sum"
      submit.value = 1
      _ = try await client.call(submit)
    }

    private func expectSum(_ client: MusterClient, _ range: ClosedRange<Int64>) async throws {
      var rank = RankOfPlayer()
      rank.board = "sum"
      let value = try await client.call(rank, deadline: .seconds(20)).entry?.value ?? 0
      #expect(range.contains(value), "\(value) is not within \(range)")
    }
  }
}
