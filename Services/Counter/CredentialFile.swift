import Foundation
import MusterKit

/// The file that keeps who the player is. Whoever has it can act as the player.
struct CredentialFile {
  struct Unusable: Error, CustomStringConvertible {
    var description: String
  }

  let path: String

  /// What is kept; nil where there is no file. One that holds something else is somebody's, and
  /// stays as it is.
  func read() throws -> Credential? {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch {
      throw Unusable(description: "\(path) cannot be read.")
    }
    guard let kept = Credential(text: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Unusable(description: "\(path) holds no credential.")
    }
    return kept
  }

  /// Makes the file, then the player: a player whom no file keeps would be on the server for ever,
  /// and of two programs that start at once only one makes a player.
  func fill(_ make: () async throws -> Credential) async throws -> Credential {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Unusable(description: "\(path) cannot be made.") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let credential = try await make()
      try file.write(contentsOf: Data(credential.text.utf8))
      try file.synchronize()
      return credential
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }
}
