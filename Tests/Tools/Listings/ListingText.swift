/// A listing in a text: lines of Swift between lines of prose.
struct Listing: Equatable {
  /// The line of the text that it begins at, from 1.
  var line: Int
  var lines: [String]
}

/// Finds the listings in a text that has lost its markup: nothing but the words tells a line of
/// Swift from one of prose.
///
/// A listing begins with a line that only Swift can begin with. It goes on while brackets are open,
/// and over blank lines where Swift follows them.
struct ListingText {
  private(set) var listings: [Listing] = []

  /// The listings of a text in Markdown, which says itself where they are. Within a list they are
  /// indented.
  init(markdown text: String) {
    var open: (listing: Listing, indent: Int)?
    for (index, line) in Self.lines(of: text).enumerated() {
      let code = line.drop { $0 == " " }
      if let (listing, indent) = open {
        if code.hasPrefix("```") {
          listings.append(listing)
          open = nil
        } else {
          open?.listing.lines.append(String(line.dropFirst(min(indent, line.count - code.count))))
        }
      } else if code == "```swift" {
        open = (Listing(line: index + 2, lines: []), line.count - code.count)
      }
    }
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  init(_ text: String) {
    let lines = Self.lines(of: text)
    var place = 0
    while place < lines.count {
      guard Self.beginsSwift(lines[place]) else {
        place += 1
        continue
      }
      let end = Self.end(of: place, in: lines)
      listings.append(Listing(line: place + 1, lines: Array(lines[place..<end])))
      place = end
    }
  }

  /// Returns the line behind the listing that begins at `start`.
  private static func end(of start: Int, in lines: [String]) -> Int {
    var (depth, end) = (0, start)
    for place in start..<lines.count {
      let line = lines[place]
      if depth == 0 && !line.isBlank && !beginsSwift(line) { break }
      depth += depthChange(line)
      if !line.isBlank { end = place + 1 }
    }
    return end
  }

  private static let keywords: Set = [
    "import", "let", "var", "class", "struct", "extension", "func",
  ]

  private static func beginsSwift(_ line: String) -> Bool {
    if line.hasPrefix("//") { return true }
    let word = line.prefix { $0.isLetter || $0.isNumber }
    let rest = line.dropFirst(word.count)
    if keywords.contains(String(word)) { return rest.first == " " }
    if word == "if" { return rest.first == " " && line.last == "{" }
    // A call or an assignment through a member; or a modifier of a view, which opens a block.
    guard rest.first == "." else { return false }
    let member = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "." }
    let behind = rest.dropFirst(1 + member.count)
    if word.isEmpty { return !member.isEmpty && depthChange(line) > 0 }
    return behind.first == "(" || behind.hasPrefix(" = ")
  }

  private static func depthChange(_ line: String) -> Int {
    line.reduce(0) { depth, character in
      switch character {
      case "{", "(", "[": depth + 1
      case "}", ")", "]": depth - 1
      default: depth
      }
    }
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy { $0 == " " || $0 == "\t" } }
}
