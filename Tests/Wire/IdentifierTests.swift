import Domain
import Testing
import Wire

struct IdentifierTests {
  @Test(arguments: [
    (PlayerID(), "00000000000000000000000000"),
    (PlayerID(high: 0, low: 1), "00000000000000000000000001"),
    (PlayerID(high: 0, low: 31), "0000000000000000000000000z"),
    (PlayerID(high: 1, low: 0), "0000000000000g000000000000"),
    (PlayerID(high: .max, low: .max), "7zzzzzzzzzzzzzzzzzzzzzzzzz"),
    (
      PlayerID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210),
      "014d2pf2dbsqqzxq5tk1v58cgg"
    ),
  ])
  func text(_ identifier: PlayerID, _ text: String) {
    #expect(identifier.description == text)
    #expect(PlayerID(text) == identifier)
  }

  @Test(arguments: [
    "", "0", "0000000000000000000000000", "000000000000000000000000000",
    // Above 128 bits, letters that Crockford leaves out, upper case, blanks, beyond ASCII.
    "80000000000000000000000000", "zzzzzzzzzzzzzzzzzzzzzzzzzz", "0000000000000000000000000i",
    "0000000000000000000000000l", "0000000000000000000000000o", "0000000000000000000000000u",
    "0000000000000000000000000A", " 0000000000000000000000000", "00000000000000000000000-00",
    "000000000000000000000000é",
  ])
  func badText(_ text: String) {
    #expect(PlayerID(text) == nil)
  }

  @Test func textAndBytesRoundTrip() {
    var random = RandomSource.seeded(1)
    for _ in 0..<1000 {
      let identifier = DeviceID.arbitrary(using: &random)
      #expect(DeviceID(identifier.description) == identifier)
      #expect(DeviceID(bytes: identifier.bytes) == identifier)
    }
  }

  @Test func textSortsAsTheIdentifier() {
    var random = RandomSource.seeded(2)
    let identifiers = (0..<200).map { _ in PlayerID.arbitrary(using: &random) }.sorted()
    #expect(identifiers.map(\.description) == identifiers.map(\.description).sorted())
  }

  @Test(arguments: [0, 15, 17]) func bytesOfAnotherCountAreRefused(_ count: Int) {
    #expect(PlayerID(bytes: [UInt8](repeating: 1, count: count)) == nil)
  }
}
