public import Wire

/// Row changes in the order they were made, in the form in which the journal keeps them.
///
/// Each is `UInt8 kind | UInt16 table | UInt16 keyCount | UInt32 count | bytes`, where the bytes
/// are the whole row for a put and the key alone for a removal; in both the key is the first
/// `keyCount` bytes.
public struct RowChanges: Sendable, Equatable {
  /// Version of this layout; every journal row names the one it was written with.
  public static let format: UInt8 = 1

  /// Bytes that are allocated at first: what most commands change.
  private static let firstCapacity = 512

  @usableFromInline var writer = Writer()

  public init() {}
  public init(bytes: [UInt8]) { writer.bytes = bytes }

  @inlinable public var bytes: [UInt8] { writer.bytes }
  @inlinable public var isEmpty: Bool { writer.bytes.isEmpty }

  @inlinable
  public mutating func put<R: Row>(_ row: R) {
    let start = begin(.put, R.tableID)
    let bodyStart = writer.bytes.count
    var visitor = RowWriter()
    // Moved there and back, so that the bytes have one owner at any time and are never copied.
    swap(&writer, &visitor.writer)
    var copy = row
    copy.fields(&visitor)
    swap(&writer, &visitor.writer)
    finish(start, keyCount: visitor.keyEnd - bodyStart)
  }

  @inlinable
  public mutating func remove<R: Row>(_ type: R.Type, _ key: R.Key) {
    let start = begin(.remove, R.tableID)
    let bodyStart = writer.bytes.count
    key.encode(to: &writer)
    finish(start, keyCount: writer.bytes.count - bodyStart)
  }

  public mutating func append(_ other: RowChanges) {
    writer.bytes.append(contentsOf: other.writer.bytes)
  }

  public mutating func removeAll() {
    writer.bytes.removeAll(keepingCapacity: true)
  }

  @usableFromInline
  mutating func begin(_ kind: RowChange.Kind, _ table: UInt16) -> Int {
    if writer.bytes.isEmpty { writer.bytes.reserveCapacity(Self.firstCapacity) }
    writer.integer(kind.rawValue)
    writer.integer(table)
    let start = writer.bytes.count
    writer.integer(UInt16(0))
    writer.integer(UInt32(0))
    return start
  }

  @usableFromInline
  mutating func finish(_ start: Int, keyCount: Int) {
    precondition(keyCount <= UInt16.max, "the key of a row is longer than its count can say")
    let count = writer.bytes.count - start - 6
    writer.bytes[start] = UInt8(truncatingIfNeeded: keyCount >> 8)
    writer.bytes[start + 1] = UInt8(truncatingIfNeeded: keyCount)
    for place in 0..<4 {
      writer.bytes[start + 2 + place] = UInt8(truncatingIfNeeded: count >> (24 - 8 * place))
    }
  }
}

/// Writes a row, and notes where its first field ends, which is its key.
@usableFromInline
struct RowWriter: FieldVisitor {
  @usableFromInline var writer = Writer()
  @usableFromInline var keyEnd = 0

  @inlinable init() {}

  @inlinable
  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    value.encode(to: &writer)
    if keyEnd == 0 { keyEnd = writer.bytes.count }
  }
}

/// One change, as a store or a replay reads it.
public struct RowChange: Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    case put = 1
    case remove = 2
  }

  public var kind: Kind
  public var table: UInt16
  /// The whole row for a put, the key alone for a removal.
  public var bytes: [UInt8]
  public var keyCount: Int

  public var key: [UInt8] { Array(bytes[..<keyCount]) }

  /// Where a change lies among the bytes of others.
  public struct Place: Sendable {
    public var kind: Kind
    public var table: UInt16
    public var start: Int
    public var keyCount: Int
    public var count: Int
  }
}

extension RowChanges {
  /// The changes one by one, or the fault at which the bytes stop making sense.
  ///
  /// - Parameter wanted: the table whose changes alone are given; nil for all.
  public func decoded(table wanted: UInt16? = nil) throws(WireError) -> [RowChange] {
    try places(table: wanted).map(change(at:))
  }

  /// Returns the change at a place that `places` gave.
  public func change(at place: RowChange.Place) -> RowChange {
    RowChange(
      kind: place.kind, table: place.table,
      bytes: Array(writer.bytes[place.start..<place.start + place.count]), keyCount: place.keyCount)
  }

  /// Returns where the changes lie, for a caller that need not copy each of them.
  ///
  /// - Parameter wanted: the table whose changes alone are given; nil for all.
  public func places(table wanted: UInt16? = nil) throws(WireError) -> [RowChange.Place] {
    try Reader.read(writer.bytes) { reader in
      var places: [RowChange.Place] = []
      while !reader.isAtEnd && reader.error == nil {
        let rawKind: UInt8 = reader.integer()
        let table: UInt16 = reader.integer()
        let keyCount = Int(reader.integer(UInt16.self))
        let count = reader.count()
        let start = reader.position
        reader.skip(count)
        guard let kind = RowChange.Kind(rawValue: rawKind), keyCount <= count else {
          reader.reject(.invalidFlag(rawKind))
          break
        }
        if let wanted, wanted != table { continue }
        places.append(
          RowChange.Place(kind: kind, table: table, start: start, keyCount: keyCount, count: count))
      }
      return places
    }.get()
  }
}
