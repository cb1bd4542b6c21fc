import Foundation
import MusterKit
import Testing

@testable import collab_counter

@Suite struct CredentialFileTests {
  private struct Refused: Error {}

  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("muster-credential-\(UUID().uuidString)").path
  private let credential = Credential(
    player: PlayerID(), device: DeviceID(), secret: Array(0..<32))

  private func withFile(_ body: (CredentialFile) async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(CredentialFile(path: path))
  }

  @Test("7.2 a new player's credential is kept for its owner alone, and read again")
  func keeps() async throws {
    try await withFile { file in
      #expect(try file.read() == nil)
      let made = try await file.fill { credential }
      #expect(try file.read()?.text == made.text)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("7.2 a file that holds something else stays as it is", arguments: ["notes", "\n"])
  func others(text: String) async throws {
    try await withFile { file in
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(throws: CredentialFile.Unusable.self) { _ = try file.read() }
      // Nobody signs up for a file that is there.
      await #expect(throws: CredentialFile.Unusable.self) {
        try await file.fill {
          Issue.record("a player was made")
          return credential
        }
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test(
    "an app that was ended while it signed up is no bar to the next", arguments: [true, false])
  func interrupted(_ isEmpty: Bool) async throws {
    try await withFile { file in
      let part = URL(fileURLWithPath: path).deletingLastPathComponent()
        .appendingPathComponent(".\(URL(fileURLWithPath: path).lastPathComponent).part").path
      try Data(repeating: 10, count: isEmpty ? 0 : 512).write(
        to: URL(fileURLWithPath: isEmpty ? path : part))
      #expect(try file.read() == nil)
      _ = try await file.fill { credential }
      #expect(try file.read() == credential)
      #expect(!FileManager.default.fileExists(atPath: part))
    }
  }

  @Test("of two apps that start at once one signs up")
  func together() async throws {
    try await withFile { file in
      _ = try await file.fill {
        await #expect(throws: CredentialFile.Unusable.self) {
          _ = try await file.fill {
            Issue.record("another player was made")
            return credential
          }
        }
        return credential
      }
      #expect(try file.read() == credential)
    }
  }

  @Test("7.2 where nobody can sign up, no file remains")
  func refused() async throws {
    try await withFile { file in
      await #expect(throws: Refused.self) {
        _ = try await file.fill { () throws -> Credential in throw Refused() }
      }
      let kept = try file.read()
      #expect(kept == nil)
    }
  }
}
