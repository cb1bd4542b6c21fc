import Testing
import Wire

struct FrameTests {
  private func parse(_ bytes: [UInt8], sizeMax: Int = WireLimits.frameSizeMax) -> FrameParse {
    unsafe bytes.withUnsafeBytes { unsafe FrameHeader.parse($0, sizeMax: sizeMax) }
  }

  private let header = FrameHeader(kind: .reply, opcode: 0x0203, correlation: 0x0A0B_0C0D)
  private let literal: [UInt8] = [0, 0, 0, 11, 1, 1, 2, 3, 0x0A, 0x0B, 0x0C, 0x0D, 7, 8, 9]

  @Test func theBytesOfAFrame() {
    #expect(header.frame(body: [7, 8, 9]) == literal)
    #expect(parse(literal) == .frame(header, bodyCount: 3))
    #expect(parse(header.frame(body: [])) == .frame(header, bodyCount: 0))
  }

  @Test(arguments: [FrameKind.request, .reply, .error, .event, .ping])
  func everyKind(_ kind: FrameKind) {
    let header = FrameHeader(kind: kind, opcode: 1, correlation: 2)
    #expect(parse(header.frame(body: [])) == .frame(header, bodyCount: 0))
  }

  @Test func everySplitIsIncomplete() {
    for count in 0..<literal.count {
      #expect(parse(Array(literal[..<count])) == .incomplete(needed: count < 4 ? 12 : 15))
    }
  }

  /// A stream of frames, dripped in by chunks of every size, comes out whole.
  @Test func dripFeed() {
    let bodies: [[UInt8]] = [[], [1], [2, 3], [UInt8](repeating: 4, count: 40), []]
    let stream = bodies.flatMap { header.frame(body: $0) }
    for chunk in 1...stream.count {
      var buffer: [UInt8] = []
      var found: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: chunk) {
        buffer += stream[start..<min(start + chunk, stream.count)]
        while case .frame(_, let bodyCount) = parse(buffer) {
          found.append(Array(buffer[12..<12 + bodyCount]))
          buffer.removeFirst(12 + bodyCount)
        }
      }
      #expect(found == bodies)
      #expect(buffer.isEmpty)
    }
  }

  @Test(arguments: [0, 1, 7] as [UInt8]) func aLengthBelowTheHeaderBreaks(_ length: UInt8) {
    #expect(parse([0, 0, 0, length]) == .broken(.lengthOverLimit(UInt64(length))))
  }

  @Test func aLengthOverTheLimitBreaksAtOnce() {
    #expect(parse([0xFF, 0xFF, 0xFF, 0xFF]) == .broken(.lengthOverLimit(0xFFFF_FFFF)))
    #expect(parse(literal, sizeMax: 15) == .frame(header, bodyCount: 3))
    #expect(parse(literal, sizeMax: 14) == .broken(.lengthOverLimit(11)))
    // Length 2^20 - 3 is a frame of 2^20 + 1 bytes.
    #expect(parse([0x00, 0x0F, 0xFF, 0xFC]) == .incomplete(needed: 1 << 20))
    #expect(parse([0x00, 0x0F, 0xFF, 0xFD]) == .broken(.lengthOverLimit(0x0F_FFFD)))
  }

  @Test func anotherVersionBreaks() {
    var bytes = literal
    bytes[4] = 2
    #expect(parse(bytes) == .broken(.unsupportedVersion(2)))
    // Found out by the header alone, whatever the body.
    #expect(parse(Array(bytes[..<12])) == .broken(.unsupportedVersion(2)))
  }

  @Test func anUnknownKindBreaks() {
    var bytes = literal
    bytes[5] = 5
    #expect(parse(bytes) == .broken(.unknownKind(5)))
  }

  @Test func opcodes() {
    #expect(Opcode(.leaderboard, 0x10).rawValue == 0x0310)
    #expect(Opcode(rawValue: 0x0310).service == .leaderboard)
    #expect(Opcode(rawValue: 0x7F00).service == nil)
    #expect(Opcode(.gateway, 5).description == "0x0005")
  }
}
