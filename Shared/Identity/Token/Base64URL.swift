/// Base64url (RFC 4648, section 5) as tokens have it: without padding.
enum Base64URL {
  /// Returns the bytes, or nil if the text is not exactly what encoding them would give.
  ///
  /// It takes no padding, no white space, no characters of the other base64, and no bits that
  /// stand for nothing: otherwise several texts would be the same token.
  static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for character in text {
      guard let value = value(of: character) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    let rest = bits & (1 << UInt32(bitCount) - 1)
    return rest == 0 ? bytes : nil
  }

  static func bytes(_ text: String) -> [UInt8]? { bytes(Array(text.utf8)[...]) }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
