/// JSON and base64url as the tests write them: by hand, so that they may be wrong.
func base64URL(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  var text = ""
  var (bits, bitCount) = (0, 0)
  for byte in bytes {
    (bits, bitCount) = ((bits << 8 | Int(byte)) & 0xffff, bitCount + 8)
    while bitCount >= 6 {
      bitCount -= 6
      text.append(digits[bits >> bitCount & 63])
    }
  }
  if bitCount > 0 { text.append(digits[bits << (6 - bitCount) & 63]) }
  return text
}

func quoted(_ text: String) -> String { "\"\(text)\"" }

/// An object of these names and values, which are JSON already.
func object(_ fields: [(String, String)]) -> String {
  "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension [(String, String)] {
  /// The same fields with another value for one, or without it.
  func with(_ name: String, _ value: String?) -> Self {
    let others = filter { $0.0 != name }
    return value.map { others + [(name, $0)] } ?? others
  }
}
