public import Foundation
internal import Wire

/// The programs of one build of Muster: its servers, and the command `muster`.
public struct Programs: Sendable {
  /// Those that were built together with the running one.
  public static let own = Programs(folder: Binaries.folder, options: [:])

  public let folder: URL
  /// The options of each server; nothing of servers that take all that a stack gives them.
  private let options: [String: Set<String>]

  private init(folder: URL, options: [String: Set<String>]) {
    self.folder = folder
    self.options = options
  }

  /// Reads which options the servers of any build take.
  public static func read(_ folder: URL) async throws -> Programs {
    var options: [String: Set<String>] = [:]
    for service in Service.allCases {
      let name = "muster-\(service.name)"
      let help = try ServerProcess(
        name: name, executable: folder.appendingPathComponent(name), arguments: ["--help"])
      guard await help.ended() == 0 else {
        throw ServerProcess.Failed(description: "\(folder.path)/\(name): \(help.errors)")
      }
      let words = help.output.split(separator: "\n").compactMap { line in
        line.split(separator: " ").first.map { String($0) }
      }
      options[name] = Set(words.filter { $0.hasPrefix("--") })
    }
    return Programs(folder: folder, options: options)
  }

  public func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  func takes(_ option: String, _ server: String) -> Bool {
    options[server]?.contains(option) ?? true
  }
}
