#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Takes the parts of a log line from its front. By scalars: a mark that joins with a quote to one
/// character must not hide the quote.
struct LogScanner {
  private var rest: ArraySlice<Unicode.Scalar>

  init(_ scalars: ArraySlice<Unicode.Scalar>) { rest = scalars }

  var isAtEnd: Bool { rest.isEmpty }
  var isQuote: Bool { rest.first == "\"" }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    if rest.first != scalar { return false }
    rest.removeFirst()
    return true
  }

  /// Everything up to a space, which is taken too.
  mutating func word() -> String {
    let word = rest.prefix { $0 != " " }
    rest = rest.dropFirst(word.count + 1)
    return Self.string(word)
  }

  /// Takes a name and the `=` after it, if one is next.
  mutating func name() -> String? {
    let name = rest.prefix {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || $0 == "_"
    }
    guard !name.isEmpty, rest.dropFirst(name.count).first == "=" else { return nil }
    rest = rest.dropFirst(name.count + 1)
    return Self.string(name)
  }

  /// Everything up to a mark of two scalars, which is taken too; nil where there is none.
  mutating func text(before mark: String) -> String? {
    let mark = Array(mark.unicodeScalars)
    guard let end = rest.indices.first(where: { rest[$0...].starts(with: mark) }) else {
      return nil
    }
    defer { rest = rest[(end + mark.count)...] }
    return Self.string(rest[..<end])
  }

  /// A text in quotes, as JSON has it; nil where there is none.
  mutating func quoted() -> String? {
    guard isQuote else { return nil }
    var end = rest.startIndex + 1
    while end < rest.endIndex, rest[end] != "\"" { end += rest[end] == "\\" ? 2 : 1 }
    guard end < rest.endIndex else { return nil }
    let text = Self.string(rest[...end])
    rest = rest[(end + 1)...]
    return try? JSONDecoder().decode(String.self, from: Data(text.utf8))
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
