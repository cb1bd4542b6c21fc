/// Bytes as text of lowercase hexadecimal digits.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for anything that `text` does not return.
  package static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 2), text.utf8.count <= 256 else { return nil }
    var halves: [UInt8] = []
    for character in text.utf8 {
      guard let digit = digits.firstIndex(of: character) else { return nil }
      halves.append(UInt8(digit))
    }
    return stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
  }
}
