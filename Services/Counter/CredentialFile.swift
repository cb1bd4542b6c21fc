import Foundation
import MusterKit

/// The file that keeps who the player is. Whoever has it can act as the player.
struct CredentialFile {
  struct Unusable: Error, CustomStringConvertible {
    var description: String
  }

  let path: String

  /// What is kept; nil where there is no file, or an empty one, as of a program that was ended
  /// while it signed up. One that holds something else is somebody's, and stays as it is.
  func read() throws -> Credential? {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch {
      throw Unusable(description: "\(path) cannot be read.")
    }
    if text.isEmpty { return nil }
    guard let kept = Credential(text: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Unusable(description: "\(path) holds no credential.")
    }
    return kept
  }

  /// Takes the file's room, then makes the player: a player whom no file keeps would be on the
  /// server for ever, and of two programs that start at once only one makes a player.
  func fill(_ make: () async throws -> Credential) async throws -> Credential {
    let file: ReservedFile
    do throws(ReservedFile.Fault) {
      file = try ReservedFile(path)
    } catch {
      throw Unusable(description: "\(path) cannot be made: \(error).")
    }
    let credential: Credential
    do {
      credential = try await make()
    } catch {
      file.giveUp()
      throw error
    }
    do throws(ReservedFile.Fault) {
      try file.keep(credential.text)
    } catch {
      throw Unusable(
        description: "Player \(credential.player) is made, and \(path) cannot be made: \(error).")
    }
    return credential
  }
}
