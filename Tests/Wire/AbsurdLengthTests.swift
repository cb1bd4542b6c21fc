import Foundation
import Testing
import Wire

/// Lengths and counts that the bytes cannot hold are refused before anything is sized by them.
struct AbsurdLengthTests {
  private static let huge: [UInt8] =
    [0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 16)

  private func refused<Value: FieldValue>(_ type: Value.Type, _ bytes: [UInt8]) {
    #expect(throws: WireError.lengthOverLimit(0xFFFF_FFFF), "\(type)") {
      try decoded(bytes, as: type)
    }
  }

  @Test func countsOfFourGibibytesAreRefused() {
    refused(String.self, Self.huge)
    refused(Bytes.self, Self.huge)
    refused([UInt8].self, Self.huge)
    refused([UInt64].self, Self.huge)
    refused([Inner].self, Self.huge)
    refused([Point].self, Self.huge)
    refused(Inner.self, Self.huge)
    refused([String]?.self, [1] + Self.huge)
    refused(Inner.self, [0, 0, 0, 20] + Self.huge)
  }

  @Test func oneMoreThanThereIsIsRefused() {
    #expect(throws: WireError.lengthOverLimit(3)) {
      try decoded([0, 0, 0, 3, 1, 2], as: Bytes.self)
    }
    #expect(throws: WireError.lengthOverLimit(3)) {
      try decoded([0, 0, 0, 3, 1, 2], as: [UInt8].self)
    }
    // Two elements of two bytes pass the first check and are found out at the second.
    #expect(throws: WireError.truncated) { try decoded([0, 0, 0, 2, 1, 2, 3], as: [UInt16].self) }
  }

  @Test func aNestedLengthCannotReachBeyondItsParent() {
    // An inner message of 5 bytes whose text claims 4, with plenty of bytes behind the message.
    let bytes: [UInt8] = [0, 0, 0, 5, 0, 0, 0, 4, 0x61, 0x62, 0x63, 0x64, 0x65]
    #expect(throws: WireError.lengthOverLimit(4)) { try decoded(bytes, as: Inner.self) }
  }

  /// A hundred thousand refusals, each of which claims 4 GiB, need no memory to speak of.
  @Test func refusingTakesNoMemory() {
    let before = Self.peakMemory
    for _ in 0..<100_000 {
      _ = Reader.read(Self.huge) { [UInt64].decode(from: &$0) }
      _ = Reader.read(Self.huge) { String.decode(from: &$0) }
      _ = Reader.read(Self.huge) { [Inner].decode(from: &$0) }
    }
    #expect(Self.peakMemory - before < 64 << 20)
  }

  /// Bytes: the most this process ever held.
  private static var peakMemory: Int {
    var usage = rusage()
    #if canImport(Darwin)
      _ = unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      _ = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
      return usage.ru_maxrss << 10
    #endif
  }
}
