import Foundation
import KillRounds
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// `muster erase`: nothing personal is left of a player (rule 7.3).
  @Suite struct Erasures {
    @Test(
      "7.3 within a minute an erased player is in no file of any service, and nobody reads of her",
      arguments: [1, 4])
    func everywhere(partitions: Int) async throws {
      try await withMarkedLife(partitions) { stack, life in
        #expect(try await !life.readings().isEmpty, "nobody has read of her before")
        _ = try await Tools.muster(working: stack, ["erase", "\(life.player)", "--yes"])
        try await checkGone(life, partitions)
      }
    }

    @Test("7.3 processes that are killed in the middle leave nothing either", arguments: [1, 4])
    func killed(partitions: Int) async throws {
      try await withMarkedLife(partitions) { stack, life in
        try await life.anna.eraseMyself()
        for name in stack.names where name != "gateway" {
          try await stack.kill(name)
          try await stack.start(name)
        }
        try await checkGone(life, partitions)
      }
    }

    @Test("7.3 a backup that is put back brings nobody back")
    func backup() async throws {
      try await withMarkedLife(1) { stack, life in
        let data = stack.directory.appendingPathComponent("data").path
        let services = stack.names.filter { $0 != "gateway" }
        for name in services { try await stack.kill(name) }
        _ = try await Tools.run("cp -a \(data) \(data).backup")
        for name in services { try await stack.start(name) }
        _ = try await Tools.muster(working: stack, ["erase", "\(life.player)", "--yes"])
        try await checkGone(life, 1)
        for name in services {
          try await stack.kill(name)
          _ = try await Tools.run(
            "rm -r \(data)/\(name) && cp -a \(data).backup/\(name) \(data)/\(name)")
        }
        #expect(try life.files().count >= services.count)
        try await stack.markRestored(services)
        for name in services { try await stack.start(name) }
        try await checkGone(life, 1)
      }
    }

    @Test("7.3 nobody is erased by a slip")
    func confirmed() async throws {
      try await withStack { stack in
        _ = try await Tools.muster(working: stack, ["signup", "Anna", "--as", "anna"])
        for words in [["erase", "anna"], ["erase-myself", "--as", "anna"]] {
          let erase = try Tools.muster(stack, words)
          #expect(await erase.ended() == 64)
          #expect(erase.errors.contains("--yes"), "\(erase.errors)")
        }
        let stranger = PlayerID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
        let words = ["erase", "\(stranger)", "--yes"]
        let unknown = try Tools.muster(stack, words)
        #expect(await unknown.ended() == 1)
        #expect(unknown.errors.contains("--unknown"), "\(unknown.errors)")
        _ = try await Tools.muster(working: stack, words + ["--unknown"])
        _ = try await Tools.muster(working: stack, ["whoami", "--as", "anna"])
        _ = try await Tools.muster(working: stack, ["erase-myself", "--yes", "--as", "anna"])
        let refused = try Tools.muster(stack, ["whoami", "--as", "anna"])
        #expect(await refused.ended() != 0)
      }
    }

    // MARK: Steps

    private func withMarkedLife(
      _ partitions: Int, _ body: (Stack, MarkedLife) async throws -> Void
    ) async throws {
      try await withIssuer(partitions: partitions) { stack, issuer in
        let game = stack.directory.appendingPathComponent("game.json")
        let declared =
          #"{"leaderboards":[{"board":"high"}],"achievements":[{"achievement":"first"}]}"#
        try Data(declared.utf8).write(to: game)
        _ = try await Tools.muster(working: stack, ["apply", game.path])
        let life = try await MarkedLife(in: stack, issuer)
        #expect(try await eventually { try life.files().count >= 2 }, "nothing to be found")
        try await body(stack, life)
        await life.close()
      }
    }

    /// Rule 7.3 allows a minute.
    private func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if try await condition() { return true }
        try await Moments.pause(.milliseconds(100))
      }
      return try await condition()
    }

    private func checkGone(_ life: MarkedLife, _ partitions: Int) async throws {
      let began = ContinuousClock.now
      let isGone = try await eventually { try life.files().isEmpty }
      let left = try life.files()
      #expect(isGone, "\(left)")
      print("erased from all files of \(partitions) partitions in \(ContinuousClock.now - began)")
      #expect(try await life.readings() == [])
      try await checkOthers(life)
      let device = MusterClient(life.stack.configuration)
      do throws(MusterError) {
        try await device.signIn(life.credential)
        Issue.record("an erased player signs in")
      } catch {
        #expect(error.code == .notAuthenticated && error.text.contains("erased"), "\(error)")
      }
      await device.close()
    }

    /// What others own is as it was.
    private func checkOthers(_ life: MarkedLife) async throws {
      var top = TopScores()
      top.board = MarkedLife.board
      let other = life.others[0].client
      let entries = try await other.call(top).entries
      #expect(entries.map(\.value) == [4_710, 4_709, 4_708, 4_707, 4_706])
      #expect(entries.map(\.rank) == [1, 2, 3, 4, 5])
      let info = try await other.call(getting(life.group))
      #expect(info.size == 9, "six who were invited, and three who came")
      let moves = try await other.turns(in: life.group).moves()
      #expect(moves.map(\.payload.array) == [Array("e4".utf8)], "the game goes on")
      for (client, _) in life.others {
        let sequences = try await client.call(ReadEvents()).events.map(\.sequence)
        if let first = sequences.first {
          #expect(sequences == Array(first..<first + UInt64(sequences.count)), "without a gap")
        }
      }
    }
  }
}
