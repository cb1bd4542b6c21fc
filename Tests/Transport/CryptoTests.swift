import Testing
import Transport

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

  @Test("Equality is by length and value")
  func equality() {
    let bytes = [UInt8](1...32)
    #expect(Crypto.constantTimeEquals(bytes, Array(1...32)))
    #expect(!Crypto.constantTimeEquals(bytes, Array(bytes.dropLast())))
    #expect(!Crypto.constantTimeEquals([1], [2]))
    #expect(Crypto.constantTimeEquals([], []))
  }
}
