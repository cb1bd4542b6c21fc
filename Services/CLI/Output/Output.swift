import Locking
import Terminal
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Prints results for people, or as JSON with the protocol's own field names.
struct Output: Sendable {
  var isJSON: Bool
  var paint: Paint
  /// The terminal's columns; nil where the output is no terminal.
  var width: Int?
  /// Where it is printed.
  var descriptor = STDOUT_FILENO
  private let failed = Locked<ResultFileError?>(nil)

  /// Why the output could not be written; nil while it could. After that nothing is printed.
  var failure: ResultFileError? { failed.withLock { $0 } }

  /// Prints a reply. A list has the table that its type declares (`Listed`).
  func show<M: Message>(_ message: M, _ reading: Reading = Reading()) {
    if isJSON { return print(JSONText.of(message.tree)) }
    guard let listed = message as? any Listed else {
      return show((message as? any PartlyTold)?.toldTree ?? message.tree, reading)
    }
    for line in lines(listed, reading) { print(line) }
  }

  func show(_ tree: Tree, _ reading: Reading = Reading()) {
    print(
      isJSON
        ? JSONText.of(tree)
        : RecordText(reading: reading, paint: paint, width: width).lines(tree)
          .joined(separator: "\n"))
  }

  private func lines<L: Listed>(_ listed: L, _ reading: Reading) -> [String] {
    var blocks = L.listings.map { $0.lines(listed, reading, width: width, paint: paint) }
    blocks.append(listed.notes(reading).map { paint(.dim, $0.printable) })
    return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  /// Prints a line for people; with `--json` it prints nothing.
  func note(_ text: String) {
    if !isJSON { print(text.printable) }
  }

  /// Prints a line at once, also to a pipe. What asks for more, and what tells the server that
  /// something was shown, looks at `failure` first.
  func print(_ text: String) {
    failed.withLock { failure in
      if failure != nil { return }
      do throws(ResultFileError) {
        try ResultFile.write(text + "\n", to: descriptor, "standard output")
      } catch {
        failure = error
      }
    }
  }
}
