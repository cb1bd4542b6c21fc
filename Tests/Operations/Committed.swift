import Catalog
import Foundation
import Testing

/// A committed file that must equal what the sources say, and that `MUSTER_UPDATE_GOLDEN=1`
/// rewrites.
struct Committed {
  let path: String

  private var file: URL { Sources.root.appending(path: path) }
  static var isUpdating: Bool {
    ProcessInfo.processInfo.environment["MUSTER_UPDATE_GOLDEN"] == "1"
  }

  /// The text as committed; nil when there is no such file.
  var text: String? { try? String(contentsOf: file, encoding: .utf8) }

  /// - Parameter isCompiled: whether what other files must say depends on this one after a build.
  func expect(_ wanted: String, isCompiled: Bool = false) throws {
    if Self.isUpdating {
      if isCompiled && text != wanted {
        Issue.record("\(path) is written anew. Run the same command again: it compiles this.")
      }
      try wanted.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let found = text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let lines = wanted.split(separator: "\n", omittingEmptySubsequences: false)
    if found == lines { return }
    let place = zip(found, lines).prefix { $0 == $1 }.count
    Issue.record(
      """
      \(path), line \(place + 1), differs from the sources.
      committed: \(place < found.count ? found[place].prefix(200) : "(end)")
      sources:   \(place < lines.count ? lines[place].prefix(200) : "(end)")
      If the change is meant: MUSTER_UPDATE_GOLDEN=1 swift test --filter OperationsTests
      """)
  }
}
