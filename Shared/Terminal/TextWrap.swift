/// Breaks a text into lines between its words.
package enum TextWrap {
  /// - Parameter columns: how wide a line may be. A word that is wider, such as an id on a very
  ///   narrow terminal, has a line of its own and stays whole.
  package static func lines(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if line.isEmpty || TextWidth.of(longer) <= columns {
        line = longer
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Returns a text beside or, where there is no room, below what stands before it. Its lines begin
  /// in the same column.
  ///
  /// - Parameters:
  ///   - start: what stands before it.
  ///   - column: where the text begins.
  ///   - width: the columns of the whole; nil for one line.
  package static func text(_ text: String, after start: String, column: Int, width: Int?)
    -> [String]
  {
    let left = max(1, (width ?? .max) - column)
    let lines = left >= TextWidth.of(text) ? [text] : lines(text, columns: left)
    let indent = String(repeating: " ", count: column)
    let gap = column - TextWidth.of(start)
    let rest = lines.map { indent + $0 }
    guard gap > 0, let first = lines.first else { return [start] + rest }
    return [start + String(repeating: " ", count: gap) + first] + rest.dropFirst()
  }
}
