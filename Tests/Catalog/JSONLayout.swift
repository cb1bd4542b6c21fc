import Wire

/// A tree as JSON. What fits in a line is one line; of the rest each member has lines of its own,
/// so that a change is a small difference.
enum JSONLayout {
  private static let columns = 100

  static func text(of tree: Tree, indent: Int = 0, after prefix: Int = 0) -> String {
    let line = line(of: tree)
    let room = columns - indent - prefix
    switch tree {
    case .list(let values) where line.count > room:
      return block(
        "[", values.map { text(of: $0, indent: indent + 1) }, "]", indent)
    case .object(let members) where line.count > room:
      let parts = members.map { member in
        let name = quoted(member.name) + ": "
        return name + text(of: member.value, indent: indent + 1, after: name.count + 1)
      }
      return block("{", parts, "}", indent)
    default: return line
    }
  }

  private static func block(_ open: String, _ parts: [String], _ close: String, _ indent: Int)
    -> String
  {
    let margin = String(repeating: " ", count: indent)
    return open + "\n" + parts.map { margin + " " + $0 }.joined(separator: ",\n") + "\n" + margin
      + close
  }

  private static func line(of tree: Tree) -> String {
    switch tree {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): quoted(value)
    case .bytes(let value): quoted(Hex.text(of: value))
    case .list(let values): "[" + values.map(line).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.name) + ": " + line(of: $0.value) }.joined(separator: ", ")
        + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Bytes as hexadecimal digits.
enum Hex {
  static func text(of bytes: some Sequence<UInt8>, separator: String = "") -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined(separator: separator)
  }
}
