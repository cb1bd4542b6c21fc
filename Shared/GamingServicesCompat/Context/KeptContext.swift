internal import Foundation

/// The current context, as a file of this device keeps it from one start of the app to the next.
struct KeptContext: Codable, Equatable, Sendable {
  /// Whose context it is; empty where nobody was signed in.
  var player: String
  var identifier: String
  var size: Int

  init(_ context: GamingContext, of player: String) {
    self.player = player
    identifier = context.identifier
    size = context.size
  }

  /// Reads a file; nil where there is none, or one that this library has not written.
  init?(at file: URL) {
    guard let data = try? Data(contentsOf: file),
      let kept = try? JSONDecoder().decode(Self.self, from: data)
    else { return nil }
    self = kept
  }

  var context: GamingContext? { GamingContext(token: identifier, size: size) }

  func write(to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
  }
}
