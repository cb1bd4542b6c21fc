import Wire

/// Finds the note of the linker in a program: a file in the ELF format, of 64 bits, whose numbers
/// begin with the lowest byte (elf(5)).
struct BuildNote {
  /// Returns so many bytes at an offset of the file; nil where it has fewer.
  let read: (_ offset: Int, _ count: Int) -> [UInt8]?

  /// How much of a build is shown: two of a million have the same in one of 500 cases.
  private static let shownBytes = 6

  private static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1]
  private static let headerSize = 64
  private static let segmentSize = 56
  private static let typeOfNotes = 4
  /// A segment of notes has some hundred bytes.
  private static let notesSizeMax = 1 << 16
  private static let noteHeaderSize = 12
  private static let typeOfBuild = 3
  private static let owner: [UInt8] = [0x47, 0x4e, 0x55, 0]

  /// What the note says; nil in a file without one.
  func find() -> [UInt8]? {
    guard let header = read(0, Self.headerSize), header.starts(with: Self.magic),
      let first = Self.number(header, at: 32, bytes: 8)
    else { return nil }
    let size = Self.number(header, at: 54, bytes: 2) ?? 0
    let count = Self.number(header, at: 56, bytes: 2) ?? 0
    for index in 0..<count {
      guard let segment = read(first + index * size, Self.segmentSize) else { return nil }
      if let build = build(in: segment) { return build }
    }
    return nil
  }

  private func build(in segment: [UInt8]) -> [UInt8]? {
    guard Self.number(segment, at: 0, bytes: 4) == Self.typeOfNotes,
      let offset = Self.number(segment, at: 8, bytes: 8),
      let size = Self.number(segment, at: 32, bytes: 8), size <= Self.notesSizeMax,
      let notes = read(offset, size)
    else { return nil }
    let isWide = Self.number(segment, at: 48, bytes: 8) == 8
    return Self.build(in: notes, alignment: isWide ? 8 : 4)
  }

  /// Each note is the sizes of its owner's name and of what it says, its type, and these two; each
  /// begins at a multiple of the alignment.
  private static func build(in notes: [UInt8], alignment: Int) -> [UInt8]? {
    var start = 0
    while start + noteHeaderSize <= notes.count,
      let nameSize = number(notes, at: start, bytes: 4),
      let size = number(notes, at: start + 4, bytes: 4),
      let type = number(notes, at: start + 8, bytes: 4)
    {
      let name = start + noteHeaderSize
      let text = aligned(name + nameSize, alignment)
      guard text + size <= notes.count else { return nil }
      if type == typeOfBuild, notes[name..<name + nameSize].elementsEqual(owner) {
        return Array(notes[text..<text + size])
      }
      start = aligned(text + size, alignment)
    }
    return nil
  }

  private static func aligned(_ offset: Int, _ alignment: Int) -> Int {
    (offset + alignment - 1) / alignment * alignment
  }

  /// Nil for what no file is large enough for.
  private static func number(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> Int? {
    let value = bytes[offset..<offset + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value < 1 << 48 ? Int(value) : nil
  }

  /// Empty for nil.
  static func hexadecimal(_ build: [UInt8]?) -> String {
    Hexadecimal.text(Array((build ?? []).prefix(shownBytes)))
  }
}
