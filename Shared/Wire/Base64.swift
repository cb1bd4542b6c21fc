/// Base 64 with padding (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
        text.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for what `text` does not return for any bytes.
  package static func bytes(_ encoded: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, bitCount) = (UInt32(0), 0)
    for character in encoded.utf8 {
      if character == UInt8(ascii: "=") { continue }
      guard let digit = alphabet.firstIndex(of: character) else { return nil }
      bits = (bits << 6 | UInt32(digit)) & 0xffff
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    // Padding at a wrong place and bits beyond the last byte show here.
    return text(bytes) == String(encoded) ? bytes : nil
  }
}
