import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Prints results for people, or as JSON with the protocol's own field names.
struct Output {
  var isJSON: Bool

  func show(_ message: some Message) { show(message.tree) }

  func show(_ tree: Tree) {
    print(isJSON ? JSONText.of(tree) : HumanText.of(tree))
  }

  /// Prints a line for people; with `--json` it prints nothing.
  func note(_ text: String) {
    if !isJSON { print(text) }
  }

  func print(_ text: String) {
    Swift.print(text)
    // At once, also to a pipe.
    fflush(nil)
  }
}

enum HumanText {
  /// The names of fields whose number is a time in milliseconds since 1970.
  private static let times: Set<String> = [
    "time", "date", "sent", "createdAt", "lastActiveAt", "issueDate", "completionDate",
    "expiresAt", "dueAt", "startedAt", "turnStartedAt", "endedAt",
  ]

  static func of(_ tree: Tree) -> String { lines(tree, indent: "").joined(separator: "\n") }

  private static func lines(_ tree: Tree, indent: String) -> [String] {
    switch tree {
    case .object(let members):
      if members.isEmpty { return [indent + "done"] }
      return members.flatMap { member -> [String] in
        guard let text = plain(member) else {
          return ["\(indent)\(member.name):"] + lines(member.value, indent: indent + "  ")
        }
        return ["\(indent)\(member.name): \(text)"]
      }
    case .list(let values):
      return values.flatMap { value -> [String] in
        if let line = row(value) { return [indent + "- " + line] }
        return [indent + "-"] + lines(value, indent: indent + "  ")
      }
    default: return [indent + (plain(tree) ?? "")]
    }
  }

  /// Returns an object of plain values as one line; nil for anything else.
  private static func row(_ tree: Tree) -> String? {
    guard case .object(let members) = tree else { return plain(tree) }
    var parts: [String] = []
    for member in members {
      guard let text = plain(member) else { return nil }
      parts.append("\(member.name)=\(text)")
    }
    return parts.joined(separator: "  ")
  }

  private static func plain(_ member: Tree.Member) -> String? {
    guard case .integer(let value) = member.value, value > 0, times.contains(member.name) else {
      return plain(member.value)
    }
    return Date(timeIntervalSince1970: Double(value) / 1000)
      .formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon))
  }

  private static func plain(_ tree: Tree) -> String? {
    switch tree {
    case .null: "none"
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value.isEmpty ? "\"\"" : printable(value)
    case .bytes(let value): value.isEmpty ? "empty" : Data(value).base64EncodedString()
    case .list(let values): values.isEmpty ? "none" : nil
    case .object: nil
    }
  }

  /// Returns a text without control characters, because texts of other players must not control the
  /// terminal.
  static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control ? "\u{fffd}" : Character(scalar)
      })
  }
}
