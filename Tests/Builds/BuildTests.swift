import Testing

@testable import Builds

/// A program's file: the head, a segment of code, segments of notes, and the notes.
private struct File {
  var notes: [(alignment: Int, bytes: [UInt8])]
  var bytes: [UInt8] {
    let count = notes.count + 1
    var head: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + Array(repeating: 0, count: 25)
    head += number(64, 8) + number(0, 8) + number(0, 4) + number(64, 2)
    head += number(56, 2) + number(count, 2) + number(0, 6)
    var offset = 64 + 56 * count
    var segments = segment(type: 1, offset: 0, size: 4096, alignment: 4096)
    for note in notes {
      segments += segment(
        type: 4, offset: offset, size: note.bytes.count, alignment: note.alignment)
      offset += note.bytes.count
    }
    return head + segments + notes.flatMap(\.bytes)
  }

  private func segment(type: Int, offset: Int, size: Int, alignment: Int) -> [UInt8] {
    let wide = [offset, 0, 0, size, size, alignment]
    return number(type, 4) + number(4, 4) + wide.flatMap { number($0, 8) }
  }
}

private func number(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private func note(
  _ type: Int, _ text: [UInt8], owner: String = "GNU", alignment: Int = 4
) -> [UInt8] {
  var bytes = number(owner.utf8.count + 1, 4) + number(text.count, 4) + number(type, 4)
  for part in [Array(owner.utf8) + [0], text] {
    bytes += part
    while bytes.count % alignment != 0 { bytes.append(0) }
  }
  return bytes
}

@Suite struct BuildTests {
  private static let build = (1...20).map { UInt8($0) }
  private static let file = File(notes: [
    (8, note(5, Array(repeating: 9, count: 13), alignment: 8)),
    (4, note(3, [7], owner: "Go") + note(1, [1, 2, 3]) + note(3, build)),
  ]).bytes

  private func find(in file: [UInt8]) -> [UInt8]? {
    BuildNote { offset, count in
      offset + count <= file.count ? Array(file[offset..<offset + count]) : nil
    }.find()
  }

  @Test func theLinkersNoteIsFoundBehindOthers() {
    #expect(find(in: Self.file) == Self.build)
    let wide = File(notes: [
      (8, note(5, [1], alignment: 8) + note(3, Self.build, alignment: 8))
    ])
    #expect(find(in: wide.bytes) == Self.build)
  }

  @Test func aFileWithoutOneHasNone() {
    #expect(find(in: File(notes: []).bytes) == nil)
    #expect(find(in: File(notes: [(4, note(1, Self.build))]).bytes) == nil)
    #expect(find(in: File(notes: [(4, note(3, Self.build, owner: "Go"))]).bytes) == nil)
    #expect(find(in: Array("#!/bin/sh\n".utf8) + Self.file) == nil)
  }

  /// The note is the end of the file.
  @Test func aFileThatIsCutShortHasNone() {
    for count in 0..<Self.file.count {
      #expect(find(in: Array(Self.file.prefix(count))) == nil, "\(count) bytes")
    }
  }

  @Test func sizesThatLeadNowhereAreNoFault() {
    for index in Self.file.indices {
      for byte in [0, 0x7f, 0x80, 0xff] as [UInt8] {
        var file = Self.file
        file[index] = byte
        _ = find(in: file)
      }
    }
  }

  @Test func itsFirstBytesAreShown() {
    #expect(BuildNote.hexadecimal(Self.build) == "010203040506")
    #expect(BuildNote.hexadecimal([0xab, 0x0c]) == "ab0c")
    #expect(BuildNote.hexadecimal(nil).isEmpty)
  }

  #if os(Linux)
    @Test func thisProgramHasOne() {
      #expect(Build.own.count == 12 && Build.own.allSatisfy(\.isHexDigit))
      #expect(Build.shown == Build.own)
    }
  #endif
}
