import Testing
import Transport

@Suite("Crypto")
struct CryptoTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("Published values of SHA-256 and HMAC-SHA256")
  func vectors() {
    #expect(
      hex(Crypto.sha256(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    // RFC 4231, test case 2.
    #expect(
      hex(
        Crypto.hmacSHA256(
          key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(Crypto.hmacSHA256(key: [], data: []).count == 32)
  }

  @Test("Random bytes differ, and equality is by length and value")
  func random() {
    let bytes = Crypto.randomBytes(32)
    #expect(bytes.count == 32 && bytes != Crypto.randomBytes(32))
    #expect(Crypto.constantTimeEquals(bytes, bytes))
    #expect(!Crypto.constantTimeEquals(bytes, Array(bytes.dropLast())))
    #expect(!Crypto.constantTimeEquals([1], [2]))
    #expect(Crypto.constantTimeEquals([], []))
  }
}
