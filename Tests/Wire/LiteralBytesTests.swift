import Testing
import Wire

/// The bytes of every kind of value, written out by hand.
struct LiteralBytesTests {
  private func expect<Value: FieldValue>(
    _ value: Value, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(encoded(value) == bytes, sourceLocation: sourceLocation)
    #expect(try decoded(bytes) == value, sourceLocation: sourceLocation)
  }

  @Test func integersAreBigEndian() throws {
    try expect(UInt8(0xAB), [0xAB])
    try expect(UInt16(0x0102), [1, 2])
    try expect(UInt32(0x0102_0304), [1, 2, 3, 4])
    try expect(UInt64(0x0102_0304_0506_0708), [1, 2, 3, 4, 5, 6, 7, 8])
    try expect(Int32(-2), [0xFF, 0xFF, 0xFF, 0xFE])
    try expect(Int64.min, [0x80, 0, 0, 0, 0, 0, 0, 0])
    try expect(UInt64.max, [UInt8](repeating: 0xFF, count: 8))
  }

  @Test func realsAreTheirBitPattern() throws {
    try expect(1.0, [0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
    try expect(-0.0, [0x80, 0, 0, 0, 0, 0, 0, 0])
    #expect(try decoded([0x7F, 0xF8, 0, 0, 0, 0, 0, 0], as: Double.self).isNaN)
  }

  @Test func flagsAreZeroOrOne() throws {
    try expect(false, [0])
    try expect(true, [1])
    #expect(throws: WireError.invalidFlag(2)) { try decoded([2], as: Bool.self) }
  }

  @Test func textHasACountOfBytes() throws {
    try expect("", [0, 0, 0, 0])
    try expect("é!", [0, 0, 0, 3, 0xC3, 0xA9, 0x21])
    try expect("\0", [0, 0, 0, 1, 0])
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ] as [[UInt8]])
  func textThatIsNotUTF8IsRefused(_ bytes: [UInt8]) {
    #expect(throws: WireError.invalidUTF8) {
      try decoded([0, 0, 0, UInt8(bytes.count)] + bytes, as: String.self)
    }
  }

  @Test func bytesHaveACount() throws {
    try expect(Bytes(), [0, 0, 0, 0])
    try expect(Bytes([0xDE, 0xAD]), [0, 0, 0, 2, 0xDE, 0xAD])
  }

  @Test func optionalsHaveAFlag() throws {
    try expect(UInt16?.none, [0])
    try expect(UInt16?.some(5), [1, 0, 5])
    try expect(String?.some("a"), [1, 0, 0, 0, 1, 0x61])
    #expect(throws: WireError.invalidFlag(9)) { try decoded([9, 0, 5], as: UInt16?.self) }
  }

  @Test func listsHaveACountOfElements() throws {
    try expect([UInt16](), [0, 0, 0, 0])
    try expect([1, 2] as [UInt16], [0, 0, 0, 2, 0, 1, 0, 2])
    try expect([nil, 3] as [UInt8?], [0, 0, 0, 2, 0, 1, 3])
  }

  @Test func identifiersAreSixteenBytes() throws {
    let bytes = (1...16).map { UInt8($0) }
    try expect(PlayerID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10), bytes)
  }

  @Test func openEnumerationsAreOneByte() throws {
    try expect(Colour.red, [1])
    try expect(Colour(rawValue: 0xFE), [0xFE])
  }

  @Test func frozenMessagesAreTheirFields() throws {
    try expect(Point(x: -1, y: 2), [0xFF, 0xFF, 0xFF, 0xFF, 0, 2])
  }

  @Test func nestedMessagesHaveALength() throws {
    var inner = Inner()
    inner.name = "a"
    inner.points = [Point(x: 1, y: 2)]
    inner.isOpen = true
    let body: [UInt8] = [0, 0, 0, 1, 0x61, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 1]
    try expect(inner, [0, 0, 0, 16] + body)
    #expect(inner.encoded == body)
    #expect(try Inner(decoding: body) == inner)
    let borrowed = try unsafe Inner(decoding: body.span.bytes)
    #expect(borrowed == inner)
  }

  @Test func anEnvelopeStandsBeforeTheOperation() throws {
    let body = Enveloped.join(PushEnvelope(session: 3), [0xAA, 0xBB])
    #expect(body == [0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0xAA, 0xBB])
    let (envelope, operation) = try split(PushEnvelope.self, body)
    #expect(envelope.session == 3)
    #expect(operation == [0xAA, 0xBB])
    #expect(throws: WireError.lengthOverLimit(14)) {
      try split(PushEnvelope.self, Array(body[..<9]))
    }
  }

  @Test func namesIncludeTheOuterType() {
    #expect(Point.name == "Point")
    #expect(New.Leaf.name == "New.Leaf")
  }
}
