/// What became of each listing in each language mode: whether it compiles, and what it did against
/// a stack.
struct ListingReport {
  /// A listing, and the program that it is part of. `number` is the document's own for listings in
  /// Objective-C, whose program has a counterpart of each.
  struct Row: Equatable {
    var program: String
    var text: String
    var number: String
    var line: Int

    var fields: String { "\(program) \(text) \(number) \(line)" }
  }

  /// A line for each listing.
  private(set) var lines: [String] = []
  private(set) var isComplete = true

  /// - Parameters:
  ///   - rows: all listings.
  ///   - results: for each mode, lines of what became of the programs: `compiled PROGRAM`,
  ///     `ran TEXT NUMBER WHAT WAS SEEN` and `failed PROGRAM REASON`.
  init(_ rows: [Row], results: [(mode: String, lines: [String])]) {
    for row in rows {
      var (words, seen): ([String], String?) = ([], nil)
      for (mode, lines) in results {
        let outcome = Self.outcome(of: row, in: lines)
        if let what = outcome.seen { seen = what } else { isComplete = false }
        words.append("\(outcome.words) in Swift \(mode)")
      }
      let what = seen.map { ": \($0)" } ?? ""
      lines.append(
        "\(row.text) \(row.number), line \(row.line): \(words.joined(separator: ", "))\(what)")
    }
  }

  private static func outcome(of row: Row, in lines: [String]) -> (words: String, seen: String?) {
    func rest(_ beginning: String) -> String? {
      lines.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
    }
    guard lines.contains("compiled \(row.program)") else { return ("does not compile", nil) }
    if let seen = rest("ran \(row.text) \(row.number) ") { return ("compiles and ran", seen) }
    let reason = rest("failed \(row.program) ") ?? "its program does not run it"
    return ("compiles and did not run (\(reason))", nil)
  }
}

extension ListingReport.Row {
  /// Reads what `fields` wrote.
  init?(_ fields: String) {
    let words = fields.split(separator: " ").map(String.init)
    guard words.count == 4, let line = Int(words[3]) else { return nil }
    (program, text, number, self.line) = (words[0], words[1], words[2], line)
  }

  /// The listings in Objective-C of a text, whose headings number them:
  /// `Listing 6-1  What it shows`.
  static func numbered(in text: String, named name: String, program: String) -> [Self] {
    let mark = "Listing "
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      guard line.hasPrefix(mark) else { return nil }
      let number = line.dropFirst(mark.count).prefix { $0.isNumber || $0 == "-" }
      // More than one space, or others than those of prose.
      let gap = line[number.endIndex...].prefix { $0.isWhitespace }
      if number.isEmpty || gap.isEmpty || gap == " " { return nil }
      return Self(program: program, text: name, number: String(number), line: index + 1)
    }
  }
}
