import Testing
import Wire

/// `CryptoTests` compares it with OpenSSL's; these are the examples that its standard was published
/// with.
struct SHA256Tests {
  @Test(
    arguments: [
      (
        "abc",
        [
          0xBA78_16BF, 0x8F01_CFEA, 0x4141_40DE, 0x5DAE_2223, 0xB003_61A3, 0x9617_7A9C,
          0xB410_FF61, 0xF200_15AD,
        ]
      ),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        [
          0x248D_6A61, 0xD206_38B8, 0xE5C0_2693, 0x0C3E_6039, 0xA33C_E459, 0x64FF_2167,
          0xF6EC_EDD4, 0x19DB_06C1,
        ]
      ),
    ] as [(String, [UInt32])])
  func publishedHashes(_ text: String, _ words: [UInt32]) {
    var hash = SHA256()
    for byte in text.utf8 { hash.add(byte) }
    #expect(hash.finish() == SIMD8(words))
  }
}
