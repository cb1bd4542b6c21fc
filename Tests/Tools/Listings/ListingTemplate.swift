/// A source into which listings are put: what stands around them is all that the check adds.
///
/// A line `//#listing TEXT NUMBER` is replaced by that listing of the text whose file name begins
/// with TEXT. With `open` behind it the listing's last line is left out, so that more members can
/// follow. Imports are moved to the head of the source, under the names that they have here.
struct ListingTemplate {
  struct Use: Hashable {
    var text: String
    var number: Int
  }

  enum Fault: Error, Equatable {
    case badLine(String)
    case noSuchListing(String)
  }

  private let lines: [Substring]

  init(_ source: String) {
    lines = source.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static let mark = "//#listing "

  /// Returns the source with its listings, and which these are.
  ///
  /// - Parameters:
  ///   - texts: the listings of each text, by the beginning of its file's name.
  ///   - imports: what the modules that listings import are called here.
  func filled(from texts: [String: [Listing]], imports: [String: String]) throws(Fault)
    -> (source: String, uses: [Use])
  {
    var (heads, body, uses): ([String], [String], [Use]) = ([], [], [])
    for line in lines {
      let code = line.drop { $0 == " " }
      guard code.hasPrefix(Self.mark) else {
        body.append(String(line))
        continue
      }
      let words = code.dropFirst(Self.mark.count).split(separator: " ")
      guard words.count >= 2, let number = Int(words[1]), words.count == 2 || words[2] == "open"
      else { throw .badLine(String(code)) }
      guard let listings = texts[String(words[0])], listings.indices.contains(number - 1) else {
        throw .noSuchListing(String(code))
      }
      uses.append(Use(text: String(words[0]), number: number))
      let listing = listings[number - 1].lines.dropLast(words.count == 3 ? 1 : 0)
      for line in listing {
        if let head = Self.head(line, imports) { heads.append(head) } else { body.append(line) }
      }
    }
    return ((heads + body).joined(separator: "\n"), uses)
  }

  private static func head(_ line: String, _ imports: [String: String]) -> String? {
    guard line.hasPrefix("import ") else { return nil }
    let module = String(line.dropFirst("import ".count))
    return "import \(imports[module] ?? module)"
  }
}
