import Testing
import Wire

@Suite struct HexadecimalTests {
  @Test("each byte is two digits in small letters, and the digits are its bytes again")
  func everyByte() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = Hexadecimal.text(bytes)
    #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f1011") && text.hasSuffix("fdfeff"))
    #expect(text.utf8.count == 512)
    for start in stride(from: 0, to: 256, by: 128) {
      let half = Array(bytes[start..<start + 128])
      #expect(Hexadecimal.bytes(Hexadecimal.text(half)) == half)
    }
    #expect(Hexadecimal.text([]).isEmpty && Hexadecimal.bytes("") == [])
  }

  @Test(
    "nothing else is taken for digits",
    arguments: ["0", "000", "0g", "0A", " 0", "0x", "+1", "٠١", String(repeating: "0", count: 258)])
  func wrong(text: String) { #expect(Hexadecimal.bytes(text) == nil) }
}
