import Foundation

/// Writes the sources of `.ci/check listings`: the listings of texts, within templates.
@main
enum ListingsMain {
  private static let usage =
    """
    usage: muster-listings TEXTS TEMPLATES OUTPUT
           muster-listings --articles OUTPUT ARTICLE...
           muster-listings --report INDEX RESULTS...
    Takes the Swift listings out of the files in TEXTS, puts them into the templates in TEMPLATES,
    and writes a source for each template below OUTPUT, and OUTPUT/index, which lists them. Says
    which listings no template uses, and fails where there is one.
    With --articles, writes a source for each ARTICLE, in Markdown, that has listings.
    With --report, says of each listing of INDEX what became of it in each file of RESULTS, which is
    named like its language mode, and fails unless all have run.
    """

  private static let imports = [
    "FacebookGamingServices": "GamingServicesCompat", "GameKit": "GameKitCompat",
  ]

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--articles", arguments.count >= 2 {
      return try writeArticles(arguments.dropFirst(2), to: folder(CommandLine.arguments[2]))
    }
    if arguments.first == "--report", arguments.count >= 3 {
      return try report(on: CommandLine.arguments[2], from: arguments.dropFirst(2))
    }
    guard arguments.count == 3, !arguments.contains("--help") else { return print(usage) }
    try fill(arguments.map { folder($0) })
  }

  /// The program that has a counterpart of each listing in Objective-C.
  private static let counterparts = "Challenges"

  private static func fill(_ folders: [URL]) throws {
    let texts = try listings(in: folders[0])
    var unused: Set<ListingTemplate.Use> = []
    for (text, listings) in texts {
      for index in listings.indices {
        unused.insert(ListingTemplate.Use(text: text, number: index + 1))
      }
    }
    let count = unused.count
    var rows: [ListingReport.Row] = []
    for template in try files(in: folders[1], ending: "template") {
      let name = template.deletingPathExtension().lastPathComponent
      let source = try String(contentsOf: template, encoding: .utf8)
      let filled = try ListingTemplate(source).filled(from: texts, imports: imports)
      unused.subtract(filled.uses)
      rows += filled.uses.compactMap { use in
        texts[use.text].map { listings in
          ListingReport.Row(
            program: name, text: use.text, number: "\(use.number)",
            line: listings[use.number - 1].line)
        }
      }
      let folder = folders[2].appendingPathComponent(name, isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try filled.source.write(
        to: folder.appendingPathComponent("\(name).swift"), atomically: true, encoding: .utf8)
    }
    for file in try files(in: folders[0], ending: "txt") {
      rows += ListingReport.Row.numbered(
        in: try String(contentsOf: file, encoding: .utf8), named: beginning(of: file),
        program: counterparts)
    }
    try rows.sorted { ($0.text, $0.line) < ($1.text, $1.line) }.map(\.fields)
      .joined(separator: "\n")
      .write(to: folders[2].appendingPathComponent("index"), atomically: true, encoding: .utf8)
    for use in unused.sorted(by: { ($0.text, $0.number) < ($1.text, $1.number) }) {
      let line = texts[use.text]?[use.number - 1].line ?? 0
      print("no template uses listing \(use.number) of \(use.text), line \(line)")
    }
    print("\(count - unused.count) of \(count) listings are compiled")
    if !unused.isEmpty { exit(1) }
  }

  private static func report(on index: String, from files: ArraySlice<String>) throws {
    func lines(_ path: String) throws -> [String] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }
    let results = try files.map { (URL(fileURLWithPath: $0).lastPathComponent, try lines($0)) }
    let report = ListingReport(
      try lines(index).compactMap { ListingReport.Row($0) }, results: results)
    for line in report.lines { print(line) }
    if !report.isComplete { exit(1) }
  }

  private static func folder(_ path: String) -> URL {
    URL(fileURLWithPath: path, isDirectory: true)
  }

  private static func writeArticles(_ articles: ArraySlice<String>, to output: URL) throws {
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    var count = 0
    for path in articles {
      let article = URL(fileURLWithPath: path)
      let listings = ListingText(
        markdown: try String(contentsOf: article, encoding: .utf8)
      ).listings
      if listings.isEmpty { continue }
      count += listings.count
      // Two articles of one name may be of two libraries.
      let name = article.deletingPathExtension().pathComponents.suffix(2).joined()
        .filter { $0.isLetter || $0.isNumber }
      // An article beside a library is about that.
      let library = article.deletingLastPathComponent().lastPathComponent
      let modules = ["MusterKit"] + (library.hasSuffix("Compat") ? [library] : [])
      try ArticleSource(listings, of: name, modules: modules).source.write(
        to: output.appendingPathComponent("\(name).swift"), atomically: true, encoding: .utf8)
    }
    print("\(count) listings of articles are compiled")
  }

  /// The listings of each text, by the beginning of its file's name: up to the first `_`.
  private static func listings(in folder: URL) throws -> [String: [Listing]] {
    var texts: [String: [Listing]] = [:]
    for file in try files(in: folder, ending: "txt") {
      texts[beginning(of: file)] =
        ListingText(try String(contentsOf: file, encoding: .utf8)).listings
    }
    return texts
  }

  private static func beginning(of file: URL) -> String {
    String(file.lastPathComponent.prefix { $0 != "_" })
  }

  private static func files(in folder: URL, ending: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == ending }
      .sorted { $0.path < $1.path }
  }
}
