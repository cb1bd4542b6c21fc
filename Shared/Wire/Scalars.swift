// The field types that are not messages. Integers are big-endian and of fixed width; text and
// bytes carry a 32-bit count.

extension FieldValue where Self: FixedWidthInteger & Sendable {
  @inlinable public func encode(to writer: inout Writer) { writer.integer(self) }
  @inlinable public static func decode(from reader: inout Reader) -> Self { reader.integer() }
  public static var shape: Shape { .scalar("\(Self.self)") }
  public var tree: Tree {
    Self.isSigned ? .integer(Int64(self)) : .unsigned(UInt64(self))
  }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Self {
    .random(in: .min ... .max, using: &generator)
  }
  /// A column holds an unsigned value above `Int64.max` as the negative number with the same bits.
  public var cell: Cell { .integer(Int64(truncatingIfNeeded: self)) }
  public init?(cell: Cell) {
    guard case .integer(let value) = cell else { return nil }
    if let exact = Self(exactly: value) {
      self = exact
    } else if Self.bitWidth == Int64.bitWidth {
      self = Self(truncatingIfNeeded: value)
    } else {
      return nil
    }
  }
  public static var columnType: ColumnType { .integer }
  public static var columnForm: ColumnForm { bitWidth == Int64.bitWidth ? .integer : .other }
}

extension UInt8: FieldValue {}
extension UInt16: FieldValue {}
extension UInt32: FieldValue {}
extension UInt64: FieldValue {}
extension Int32: FieldValue {}
extension Int64: FieldValue {}

extension Bool: FieldValue {
  @inlinable public func encode(to writer: inout Writer) { writer.integer(UInt8(self ? 1 : 0)) }
  @inlinable public static func decode(from reader: inout Reader) -> Bool { reader.flag() }
  public static var shape: Shape { .scalar("Bool") }
  public var tree: Tree { .bool(self) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Bool {
    .random(using: &generator)
  }
  public var cell: Cell { .integer(self ? 1 : 0) }
  public init?(cell: Cell) {
    guard case .integer(let value) = cell else { return nil }
    self = value != 0
  }
  public static var columnType: ColumnType { .integer }
}

extension Double: FieldValue {
  @inlinable public func encode(to writer: inout Writer) { writer.integer(bitPattern) }
  @inlinable public static func decode(from reader: inout Reader) -> Double {
    Double(bitPattern: reader.integer())
  }
  public static var shape: Shape { .scalar("Double") }
  public var tree: Tree { .real(self) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Double {
    .random(in: -1e9...1e9, using: &generator)
  }
  public var cell: Cell { .real(self) }
  public init?(cell: Cell) {
    switch cell {
    case .real(let value): self = value
    // SQLite keeps a NaN as NULL.
    case .null: self = .nan
    default: return nil
    }
  }
  public static var columnType: ColumnType { .real }
}

extension String: FieldValue {
  @inlinable
  public func encode(to writer: inout Writer) {
    writer.count(utf8.count)
    // From where the bytes lie: the view of a text hands them over one by one.
    var text = self
    text.withUTF8 { unsafe writer.bytes.append(contentsOf: UnsafeRawBufferPointer($0)) }
  }
  @inlinable
  public static func decode(from reader: inout Reader) -> String {
    let count = reader.count()
    return reader.text(count)
  }
  public static var shape: Shape { .scalar("String") }
  public var tree: Tree { .text(self) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> String {
    let alphabet = Array("abcXYZ09 _-éß漢字🎲🏁\u{0301}")
    return String(
      (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      })
  }
  public var cell: Cell { .text(self) }
  public init?(cell: Cell) {
    guard case .text(let value) = cell else { return nil }
    self = value
  }
  public static var columnType: ColumnType { .text }
  public static var columnForm: ColumnForm { .text }
}

/// Opaque bytes, such as a match payload.
public struct Bytes: FieldValue, Hashable {
  public var array: [UInt8]

  @inlinable public init() { array = [] }
  @inlinable public init(_ array: [UInt8]) { self.array = array }
  @inlinable
  public func encode(to writer: inout Writer) {
    writer.count(array.count)
    writer.raw(array)
  }
  @inlinable
  public static func decode(from reader: inout Reader) -> Bytes {
    let count = reader.count()
    return Bytes(reader.raw(count))
  }
  public static var shape: Shape { .scalar("Bytes") }
  public var tree: Tree { .bytes(array) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Bytes {
    Bytes(
      (0..<Int.random(in: 0...16, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      })
  }
  public var cell: Cell { .blob(array) }
  public init?(cell: Cell) {
    guard case .blob(let value) = cell else { return nil }
    array = value
  }
  public static var columnForm: ColumnForm { .countedBlob }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  @inlinable public init() { self = nil }
  @inlinable
  public func encode(to writer: inout Writer) {
    writer.integer(UInt8(self == nil ? 0 : 1))
    self?.encode(to: &writer)
  }
  @inlinable
  public static func decode(from reader: inout Reader) -> Wrapped? {
    reader.flag() ? Wrapped.decode(from: &reader) : nil
  }
  public static var shape: Shape { .optional(Wrapped.shape) }
  public var tree: Tree { self?.tree ?? .null }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Wrapped? {
    Bool.random(using: &generator) ? Wrapped.arbitrary(using: &generator) : nil
  }
  public var cell: Cell { self?.cell ?? .null }
  public init?(cell: Cell) {
    if cell == .null {
      self = .none
      return
    }
    guard let value = Wrapped(cell: cell) else { return nil }
    self = .some(value)
  }
  public static var columnType: ColumnType { Wrapped.columnType }
}

extension Array: FieldValue where Element: FieldValue {
  @inlinable
  public func encode(to writer: inout Writer) {
    writer.count(count)
    for element in self { element.encode(to: &writer) }
  }
  /// Each element takes at least one byte, so `Reader.count` refuses a count beyond the bytes that
  /// are left before anything is allocated.
  @inlinable
  public static func decode(from reader: inout Reader) -> [Element] {
    let count = reader.count()
    var elements: [Element] = []
    for _ in 0..<count {
      if reader.error != nil { break }
      elements.append(Element.decode(from: &reader))
    }
    return elements
  }
  public static var shape: Shape { .list(Element.shape) }
  public var tree: Tree { .list(map(\.tree)) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> [Element] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in Element.arbitrary(using: &generator) }
  }
}
