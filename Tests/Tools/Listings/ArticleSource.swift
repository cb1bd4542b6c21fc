/// The listings of an article as one source: each is the body of a function that has a client.
struct ArticleSource {
  let source: String

  /// - Parameters:
  ///   - name: the article's, for the functions' names.
  ///   - modules: what is imported besides what the listings import.
  init(_ listings: [Listing], of name: String, modules: [String]) {
    var (heads, body): (Set<String>, [String]) = (Set(modules.map { "import \($0)" }), [])
    for listing in listings {
      let (imports, lines) = Self.parted(listing.lines)
      heads.formUnion(imports)
      // An extension stands nowhere but in a file's scope.
      let isLocal = !lines.contains { $0.hasPrefix("extension ") }
      body.append("// Line \(listing.line).")
      if isLocal {
        body.append(
          "@MainActor private func \(name)\(listing.line)(_ client: MusterClient) async throws {")
      }
      body += lines
      if isLocal { body.append("}") }
    }
    source = (heads.sorted() + body).joined(separator: "\n") + "\n"
  }

  private static func parted(_ lines: [String]) -> (imports: [String], rest: [String]) {
    (lines.filter { $0.hasPrefix("import ") }, lines.filter { !$0.hasPrefix("import ") })
  }
}
