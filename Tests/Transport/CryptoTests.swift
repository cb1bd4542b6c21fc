import Testing
import Transport
import Wire

@Suite("Crypto")
struct CryptoTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("A published value of HMAC-SHA256")
  func vector() {
    // RFC 4231, test case 2.
    #expect(
      hex(
        Crypto.hmacSHA256(
          key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(Crypto.hmacSHA256(key: [], data: []).count == 32)
  }

  /// HMAC is two hashes, so that the hash of `Wire` must give what OpenSSL's gives.
  @Test("The hash that is our own is OpenSSL's", arguments: 0...200)
  func hash(_ byteCount: Int) {
    let data = (0..<byteCount).map { UInt8($0 % 251) }
    let key = [UInt8](1...64)
    let inner = SHA256.bytes(key.map { $0 ^ 0x36 } + data)
    let outer = SHA256.bytes(key.map { $0 ^ 0x5c } + inner)
    #expect(hex(outer) == hex(Crypto.hmacSHA256(key: key, data: data)))
  }

  @Test("Equality is by length and value")
  func equality() {
    let bytes = [UInt8](1...32)
    #expect(Crypto.constantTimeEquals(bytes, Array(1...32)))
    #expect(!Crypto.constantTimeEquals(bytes, Array(bytes.dropLast())))
    #expect(!Crypto.constantTimeEquals([1], [2]))
    #expect(Crypto.constantTimeEquals([], []))
  }
}

extension SHA256 {
  fileprivate static func bytes(_ data: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    for byte in data { hash.add(byte) }
    let words = hash.finish()
    var writer = Writer()
    for place in words.indices { writer.integer(words[place]) }
    return writer.bytes
  }
}
