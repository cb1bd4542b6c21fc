import Operations
import Wire

/// The messages and enumerations that fields are of.
extension ProtocolPage {
  /// Those that the page describes where they belong.
  private static let described: Set<String> = [
    ClientEnvelope.name, IdempotencyKey.name, Failure.name, "FailureCode",
  ]

  /// What a client meets, each once, by name.
  var types: String {
    "## Types\n" + sections(of: schema.types.shapes.filter { !Self.described.contains($0.key) })
  }

  /// What only Muster's own processes meet.
  var typesBetween: String {
    var found: [String: Shape] = [:]
    for entry in MessageCatalog.entries {
      guard case .message(_, let fields, _) = entry.message.shape else { continue }
      for field in fields { collect(field.shape, &found) }
    }
    let own = found.filter { schema.types.shapes[$0.key] == nil }
    return "\n### Types between processes\n" + sections(of: own)
  }

  private func collect(_ shape: Shape, _ found: inout [String: Shape]) {
    switch shape {
    case .scalar, .identifier: break
    case .optional(let inner), .list(let inner): collect(inner, &found)
    case .enumeration(let name, _): found[name] = shape
    case .message(let name, let fields, _):
      found[name] = shape
      for field in fields { collect(field.shape, &found) }
    }
  }

  private func sections(of shapes: [String: Shape]) -> String {
    shapes.sorted { $0.key < $1.key }.map { name, shape in
      switch shape {
      case .enumeration(_, let names):
        return "\n#### `\(name)`\n\n\(comment(name))\(values(name, names))\n"
      case .message(_, let fields, let isFrozen):
        let mark = isFrozen ? ", frozen" : ""
        return "\n#### `\(name)`\(mark)\n\n\(comment(name))\(table(name, fields))"
      case .scalar, .identifier, .optional, .list: return ""
      }
    }.joined()
  }

  /// The values of an enumeration: as a table where some have a comment.
  private func values(_ owner: String, _ names: [String]) -> String {
    let comments = names.map { sentence("\(owner).\($0)") }
    if comments.allSatisfy(\.isEmpty) {
      return wrapped(names.enumerated().map { "\($0) `\($1)`" }.joined(separator: ", "))
    }
    return "| | value | |\n| --- | --- | --- |\n"
      + zip(names, comments).enumerated().map { "| \($0) | `\($1.0)` | \($1.1) |" }
      .joined(separator: "\n")
  }

  private func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.count + word.count + 1 > 100 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
      }
    }
    return lines.joined(separator: "\n")
  }
}
