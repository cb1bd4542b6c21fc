/// The few values of ASN.1 that keys and signatures are made of, in their distinguished encoding.
enum DER {
  /// An integer that is not negative, from its bytes, the highest first.
  static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    // The highest bit is the sign.
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return value(0x02, digits)
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap(\.self)) }

  /// A string of bits whose number is a multiple of eight.
  static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let size: [UInt8] =
      switch count {
      case ..<0x80: [UInt8(count)]
      case ..<0x100: [0x81, UInt8(count)]
      default: [0x82, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
      }
    return [tag] + size + content
  }

  /// A `SubjectPublicKeyInfo` of an RSA key (RFC 3279, section 2.3.1).
  static func rsaKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    // rsaEncryption, without parameters
    let algorithm: [UInt8] = [
      0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    return sequence(algorithm, bits(sequence(integer(modulus[...]), integer(exponent[...]))))
  }

  /// A `SubjectPublicKeyInfo` of a point of P-256 (RFC 5480, section 2).
  static func p256Key(x: [UInt8], y: [UInt8]) -> [UInt8] {
    // id-ecPublicKey, prime256v1
    let algorithm: [UInt8] = [
      0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
      0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
    ]
    return sequence(algorithm, bits([0x04] + x + y))
  }

  /// An ECDSA signature from its two numbers of 32 bytes each, one after the other.
  static func ecdsaSignature(_ bytes: [UInt8]) -> [UInt8] {
    sequence(integer(bytes[..<32]), integer(bytes[32...]))
  }
}
