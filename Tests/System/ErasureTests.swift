import Foundation
import KillRounds
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// `muster erase`: nothing personal is left of a player (rule 7.3).
  @Suite struct Erasures {
    private static let marker = "Markermaid"

    @Test(
      "7.3 within a minute an erased player is in no file of any service",
      arguments: [1, 4])
    func everyFile(partitions: Int) async throws {
      try await withStack(Stack.Options(partitions: partitions)) { stack in
        try await play(stack)
        let anna = try await player(stack, "anna")
        let found = try await eventually(stack) { try !traces(of: anna, in: stack).isEmpty }
        #expect(found, "the marker is not even there before")

        _ = try await run(stack, ["erase", "anna", "--yes"])
        try await checkGone(anna, from: stack)
      }
    }

    @Test("7.3 processes that are killed meanwhile leave nothing either")
    func killed() async throws {
      try await withStack { stack in
        try await play(stack)
        let anna = try await player(stack, "anna")
        _ = try await run(stack, ["erase-myself", "--yes", "--as", "anna"])
        for name in stack.names where name != "gateway" {
          try await stack.kill(name)
          try await stack.start(name)
        }
        try await checkGone(anna, from: stack)
      }
    }

    @Test("7.3 a backup that is put back brings nobody back")
    func backup() async throws {
      try await withStack { stack in
        try await play(stack)
        let anna = try await player(stack, "anna")
        let data = stack.directory.appendingPathComponent("data").path
        for name in stack.names where name != "gateway" { try await stack.kill(name) }
        _ = try await Tools.run("cp -a \(data) \(data).backup")
        for name in stack.names where name != "gateway" { try await stack.start(name) }
        _ = try await run(stack, ["erase", "anna", "--yes"])
        try await checkGone(anna, from: stack)
        for name in stack.names where name != "gateway" {
          try await stack.kill(name)
          _ = try await Tools.run(
            "rm -r \(data)/\(name) && cp -a \(data).backup/\(name) \(data)/\(name)")
        }
        #expect(try !traces(of: anna, in: stack).isEmpty)
        for name in stack.names where name != "gateway" { try await stack.start(name) }
        try await checkGone(anna, from: stack)
      }
    }

    @Test("7.3 nobody is erased by a slip")
    func confirmed() async throws {
      try await withStack { stack in
        _ = try await run(stack, ["signup", "Anna", "--as", "anna"])
        for words in [["erase", "anna"], ["erase-myself", "--as", "anna"]] {
          let erase = try Tools.muster(stack, words)
          #expect(await erase.ended() == 64)
          #expect(erase.errors.contains("--yes"), "\(erase.errors)")
        }
        _ = try await run(stack, ["whoami", "--as", "anna"])
      }
    }

    // MARK: Play

    /// Anna leaves the marker wherever a player can.
    private func play(_ stack: Stack) async throws {
      let marker = Self.marker
      _ = try await run(stack, ["signup", marker, "--as", "anna"])
      for name in ["ben", "cleo"] { _ = try await run(stack, ["signup", name, "--as", name]) }
      let board = stack.directory.appendingPathComponent("board.json")
      try Data(#"{"leaderboards":[{"board":"high"}]}"#.utf8).write(to: board)
      _ = try await run(stack, ["apply", board.path])
      for (name, score) in [("anna", "4711"), ("ben", "11"), ("cleo", "7")] {
        _ = try await run(stack, ["board", "submit", "high", score, "--as", name])
      }
      _ = try await run(stack, ["friend", "invite", "ben", "--as", "anna"])
      _ = try await run(stack, ["friend", "invite", "anna", "--as", "ben"])
      _ = try await run(
        stack, ["request", "send", "From \(marker)", "--to", "ben", "--as", "anna"])
      _ = try await run(stack, ["context", "with", "ben", "--as", "anna"])
      _ = try await run(stack, ["friend", "block", "anna", "--as", "cleo"])
    }

    // MARK: Looking

    /// The files of services that have the player's id or what the player wrote.
    private func traces(of player: PlayerID, in stack: Stack) throws -> [String] {
      let data = stack.directory.appendingPathComponent("data")
      let wanted = [Data(player.bytes), Data("\(player)".utf8), Data(Self.marker.utf8)]
      let files = FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil)
      var found: [String] = []
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension != "erased", let bytes = try? Data(contentsOf: file) else {
          continue
        }
        if wanted.contains(where: { bytes.range(of: $0) != nil }) { found.append(file.path) }
      }
      return found
    }

    /// Rule 7.3 allows a minute.
    private func eventually(_ stack: Stack, _ condition: () throws -> Bool) async throws -> Bool {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if try condition() { return true }
        try await Moments.pause(.milliseconds(100))
      }
      return try condition()
    }

    private func checkGone(_ anna: PlayerID, from stack: Stack) async throws {
      let isGone = try await eventually(stack) { try traces(of: anna, in: stack).isEmpty }
      let left = try traces(of: anna, in: stack)
      #expect(isGone, "\(left)")
      let top = try await run(stack, ["board", "top", "high", "--as", "ben"])
      #expect(!top.contains("4711") && top.contains("11") && top.contains("7"))
      let friends = try await run(stack, ["friend", "list", "--as", "ben"])
      #expect(!friends.contains("\(anna)"))
      let inbox = try await run(stack, ["request", "inbox", "--as", "ben"])
      #expect(!inbox.contains("\(anna)") && !inbox.contains(Self.marker))
      let refused = try Tools.muster(stack, ["whoami", "--as", "anna"])
      #expect(await refused.ended() != 0)
    }

    private func player(_ stack: Stack, _ name: String) async throws -> PlayerID {
      let output = try await run(stack, ["whoami", "--as", name])
      let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("player: ") })
      return try #require(PlayerID(String(line.dropFirst("player: ".count))))
    }

    private func run(_ stack: Stack, _ words: [String]) async throws -> String {
      let command = try Tools.muster(stack, words)
      let code = await command.ended()
      #expect(code == 0, "\(words): \(command.errors)")
      return command.output
    }
  }
}
