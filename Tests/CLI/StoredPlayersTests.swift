import Foundation
import MusterKit
import Testing

@testable import muster

@Suite struct StoredPlayersTests {
  private struct Refused: Error {}

  private let credential = Credential(
    player: PlayerID(high: 1, low: 2), device: DeviceID(), secret: Array(0..<32))

  private func withFolder(_ body: (StoredPlayers) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-players-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(StoredPlayers(directory: folder))
  }

  private func files(_ players: StoredPlayers) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: players.directory.path)
  }

  @Test("a credential is stored for its owner alone, and nothing is beside it")
  func store() async throws {
    try await withFolder { players in
      _ = try await players.store({ $0 }, as: "ada") {
        // Who looks meanwhile finds nobody.
        let found = try players.load("ada")
        #expect(found == nil)
        return credential
      }
      #expect(try players.load("ada")?.text == credential.text)
      #expect(try files(players) == ["ada"])
      let path = players.directory.appendingPathComponent("ada").path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("7.2 where nobody can sign up, nothing remains")
  func refused() async throws {
    try await withFolder { players in
      await #expect(throws: Refused.self) {
        _ = try await players.store({ $0 }, as: "ada") { () throws -> Credential in
          throw Refused()
        }
      }
      let left = try files(players)
      #expect(left.isEmpty)
    }
  }

  @Test("7.2 no player is made where there is no room for a credential")
  func noRoom() async throws {
    try await withFolder { players in
      try Data().write(to: players.directory)
      await #expect(throws: ResultFileError.self) {
        _ = try await players.store({ $0 }, as: "ada") {
          Issue.record("a player was made")
          return credential
        }
      }
    }
  }

  @Test("7.2 when a player was made and cannot be stored after all, it is told who")
  func lost() async throws {
    try await withFolder { players in
      do {
        _ = try await players.store({ $0 }, as: "ada") {
          try FileManager.default.removeItem(at: players.directory)
          return credential
        }
        Issue.record("the player is stored nowhere")
      } catch let error as ResultFileError {
        #expect(error.text.contains("Player \(credential.player) is made"), "\(error.text)")
      }
    }
  }

  @Test("of two commands that make a player of one name, only one does; a killed one is no bar")
  func together() async throws {
    try await withFolder { players in
      _ = try await players.store({ $0 }, as: "ada") {
        await #expect(throws: ResultFileError.self) {
          _ = try await players.store({ $0 }, as: "ada") {
            Issue.record("another player was made")
            return credential
          }
        }
        return credential
      }
      let part = players.directory.appendingPathComponent(".ben.part")
      try Data(repeating: 10, count: 512).write(to: part)
      // An empty file, as an earlier version could leave, is nobody's.
      try Data().write(to: players.directory.appendingPathComponent("ben"))
      #expect(try players.load("ben") == nil)
      _ = try await players.store({ $0 }, as: "ben") { credential }
      #expect(try players.load("ben") == credential)
      #expect(try files(players).sorted() == ["ada", "ben"])
    }
  }
}
