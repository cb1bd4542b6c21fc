/// A tree as JSON with the protocol's own field names.
package enum JSONText {
  package static func of(_ tree: Tree) -> String {
    switch tree {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    // JSON has no infinities and no NaN.
    case .real(let value): value.isFinite ? "\(value)" : "null"
    case .text(let value): quoted(value)
    case .bytes(let value): quoted(Base64.text(value))
    case .list(let values): "[" + values.map(of).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.name) + ":" + of($0.value) }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // JSON allows some of these, but texts of other players must not control a terminal.
      case _ where scalar.controlsTerminal:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Unicode.Scalar {
  /// Whether it would control a terminal, or change the direction of the text that follows.
  package var controlsTerminal: Bool {
    if properties.generalCategory == .control { return true }
    switch value {
    // A separator of lines or paragraphs; the marks that turn, embed and isolate directions.
    case 0x200E...0x200F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069, 0x61C: return true
    default: return false
    }
  }
}
