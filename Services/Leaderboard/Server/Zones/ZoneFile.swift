/// A zone as the system's tz database has it (`tzfile(5)`, RFC 9636): the moments at which its
/// clocks were put to another offset, and a rule for those after the last one.
struct ZoneFile: Sendable {
  /// Seconds since 1970, rising.
  private var moments: [Int64] = []
  /// The offset in seconds east of UTC that holds from the moment at the same place on.
  private var offsets: [Int64] = []
  /// The offset before the first moment.
  private var first: Int64 = 0
  /// Holds after the last moment, where the file says it.
  private var rule: ZoneRule?

  /// Nil when the bytes are not a zone, or one that counts leap seconds, which dates here do not.
  init?(_ bytes: [UInt8]) {
    var reader = ZoneReader(bytes)
    // The first block has times of four bytes, for programs older than 2005; the second one
    // follows.
    guard let old = reader.header() else { return nil }
    reader.skip(old.length(timeSize: 4))
    guard let header = reader.header(), header.typeCount > 0, header.leapCount == 0 else {
      return nil
    }
    for _ in 0..<header.timeCount { moments.append(reader.integer(8)) }
    let types = (0..<header.timeCount).map { _ in Int(reader.integer(1)) & 0xff }
    var typeOffsets: [Int64] = []
    for _ in 0..<header.typeCount {
      typeOffsets.append(reader.integer(4))
      reader.skip(2)
    }
    guard types.allSatisfy({ $0 < typeOffsets.count }) else { return nil }
    offsets = types.map { typeOffsets[$0] }
    first = typeOffsets[0]
    reader.skip(header.nameLength + header.flagCount)
    guard let text = reader.line() else { return nil }
    rule = ZoneRule(text)
  }

  /// Seconds east of UTC at a time in seconds since 1970.
  func offset(at time: Int64) -> Int64 {
    if let last = moments.last, time < last || rule == nil {
      // The last moment that is not later.
      var (low, high) = (0, moments.count)
      while low < high {
        let middle = (low + high) / 2
        if moments[middle] <= time { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? first : offsets[low - 1]
    }
    return rule?.offset(at: time) ?? first
  }

  /// When clocks in the zone show what clocks in UTC show at `local`: the earlier time where they
  /// show it twice; where they leave it out, as long after the gap began as it was meant to be.
  func time(local: Int64) -> Int64 {
    // Offsets are within a day, and no zone changes twice within two.
    let before = offset(at: local - 86400)
    let after = offset(at: local + 86400)
    if offset(at: local - before) == before { return local - before }
    if offset(at: local - after) == after { return local - after }
    return local - before
  }
}

/// Reads the fields of a zone's file; beyond its end everything is zero.
private struct ZoneReader {
  struct Header {
    var flagCount, leapCount, timeCount, typeCount, nameLength: Int

    func length(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + nameLength + leapCount * (timeSize + 4)
        + flagCount
    }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

  /// A signed number, the most significant byte first.
  mutating func integer(_ size: Int) -> Int64 {
    let bytes = rest.prefix(size)
    skip(size)
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: bits << (64 - 8 * size)) >> (64 - 8 * size)
  }

  /// Nil where no block of version 2 or later begins, or one that counts more than there is.
  mutating func header() -> Header? {
    guard rest.starts(with: Array("TZif".utf8)), let version = rest.dropFirst(4).first,
      version >= UInt8(ascii: "2")
    else { return nil }
    skip(20)
    let flags = integer(4) + integer(4)
    let counts = (0..<4).map { _ in integer(4) }
    guard flags >= 0, counts.allSatisfy({ $0 >= 0 && $0 <= rest.count }), flags <= rest.count else {
      return nil
    }
    return Header(
      flagCount: Int(flags), leapCount: Int(counts[0]), timeCount: Int(counts[1]),
      typeCount: Int(counts[2]), nameLength: Int(counts[3]))
  }

  /// The last line, between two line ends.
  mutating func line() -> String? {
    guard rest.popFirst() == UInt8(ascii: "\n"), let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    return String(validating: rest[..<end], as: UTF8.self)
  }
}
