import Testing
import Wire

@Suite("FNV hash")
struct FNVHashTests {
  /// The vectors that its authors publish.
  @Test(
    "7.7 the hash is that of its authors",
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func vectors(text: String, hash: UInt64) {
    #expect(unsafe FNVHash(Array(text.utf8).span.bytes).value == hash)
    var inParts = FNVHash()
    for byte in text.utf8 { inParts.add(byte) }
    #expect(inParts.value == hash)
  }
}
