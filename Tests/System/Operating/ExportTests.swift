import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// `muster export`: one file with everything that is kept about a player.
  @Suite struct Exports {
    @Test(
      "7.3 an export has a player's records of all services and partitions, and blocks of nobody",
      arguments: [1, 2])
    func all(partitions: Int) async throws {
      let options = Stack.Options(partitions: partitions)
      try await withStack(options) { stack in
        let anna = try await Tools.muster(
          working: stack, ["signup", "Anna Marker", "--as", "anna"])
        #expect(anna.contains("Anna Marker"))
        for name in ["ben", "cleo"] {
          _ = try await Tools.muster(working: stack, ["signup", name, "--as", name])
        }
        let board = stack.directory.appendingPathComponent("board.json")
        try Data(#"{"leaderboards":[{"board":"high"}]}"#.utf8).write(to: board)
        _ = try await Tools.muster(working: stack, ["apply", board.path])
        _ = try await Tools.muster(
          working: stack, ["board", "submit", "high", "4711", "--as", "anna"])
        _ = try await Tools.muster(working: stack, ["friend", "invite", "ben", "--as", "anna"])
        _ = try await Tools.muster(working: stack, ["friend", "accept", "anna", "--as", "ben"])
        _ = try await Tools.muster(
          working: stack, ["request", "send", "Marker for Ben", "--to", "ben", "--as", "anna"])
        _ = try await Tools.muster(working: stack, ["friend", "block", "anna", "--as", "cleo"])

        let file = stack.directory.appendingPathComponent("anna.json")
        let whole = try await export(stack, ["anna", file.path], file)
        let tables = Set(whole.records.map { "\($0.service)/\($0.table)" })
        for table in ["request/player", "request/device", "leaderboard/entry"] {
          #expect(tables.contains(table), "\(tables.sorted())")
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("Anna Marker") && text.contains("Marker for Ben"))
        #expect(text.contains("4711"))
        #expect(text.contains(#""body":{"FriendAccepted":{"#), "events can be read")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let own = try await export(stack, ["anna", file.path, "--own"], file)
        #expect(own.records.allSatisfy(\.isOwn) && own.records.count < whole.records.count)
        let cleo = try await player(stack, "cleo")
        let ownText = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(cleo) && !ownText.contains(cleo), "who blocks the player is told")
        #expect(!FileManager.default.fileExists(atPath: file.path + ".part"))
      }
    }

    @Test("7.2 an export that cannot be written leaves nothing, and says why")
    func full() async throws {
      try await withStack { stack in
        _ = try await Tools.muster(working: stack, ["signup", "Anna", "--as", "anna"])
        for path in ["/dev/full", "/proc/none/export.json"] {
          let export = try Tools.muster(stack, ["export", "anna", path])
          #expect(await export.ended() == 74)
          #expect(export.errors.contains("\(path) cannot be written"), "\(export.errors)")
        }
        #expect(FileManager.default.fileExists(atPath: "/dev/full"))
      }
    }

    @Test("7.3 of an id that no service knows there is no file, so that a slip is no whole export")
    func unknown() async throws {
      try await withStack { stack in
        let file = stack.directory.appendingPathComponent("nobody.json").path
        let nobody = PlayerID(high: 0x5be1_93c7_0d42_a68f, low: 0x9a1c_e0f7_3352_4bd8)
        for flags in [[], ["--own"]] {
          let export = try Tools.muster(stack, ["export", "\(nobody)", file] + flags)
          #expect(await export.ended() == 1, "\(export.output)")
          #expect(export.errors.contains("keeps anything about \(nobody)"), "\(export.errors)")
          #expect(export.errors.contains("[notFound, argument player]"), "\(export.errors)")
          for path in [file, file + ".part"] {
            #expect(!FileManager.default.fileExists(atPath: path))
          }
        }
      }
    }

    private struct File: Decodable {
      struct Record: Decodable {
        var service: String
        var table: String
        var isOwn: Bool
      }
      var player: String
      var records: [Record]
    }

    private func export(_ stack: Stack, _ words: [String], _ file: URL) async throws -> File {
      _ = try await Tools.muster(working: stack, ["export"] + words)
      return try JSONDecoder().decode(File.self, from: Data(contentsOf: file))
    }

    private func player(_ stack: Stack, _ name: String) async throws -> String {
      let output = try await Tools.muster(working: stack, ["whoami", "--as", name])
      let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("player: ") })
      return String(line.dropFirst("player: ".count))
    }
  }
}
