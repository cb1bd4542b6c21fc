/// An enumeration that newer peers may extend. A value that this process does not know keeps its
/// raw value, and is refused only where a rule needs to know it.
public protocol OpenEnum: FieldValue, Hashable, CustomStringConvertible {
  var rawValue: UInt8 { get }
  init(rawValue: UInt8)
  /// The known names; the index is the raw value.
  static var names: [String] { get }
}

extension OpenEnum {
  @inlinable public init() { self.init(rawValue: 0) }
  public var isKnown: Bool { Int(rawValue) < Self.names.count }
  public var description: String {
    isKnown ? Self.names[Int(rawValue)] : "unknown(\(rawValue))"
  }
  /// Makes the value with this name, for command lines and configuration files; nil when there is
  /// none.
  public init?(named name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: UInt8(index))
  }

  @inlinable public func encode(to writer: inout Writer) { writer.integer(rawValue) }
  @inlinable public static func decode(from reader: inout Reader) -> Self {
    Self(rawValue: reader.integer())
  }
  public static var shape: Shape { .enumeration("\(Self.self)", names: names) }
  public var tree: Tree { .text(description) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Self {
    Self(rawValue: .random(in: 0...UInt8(names.count), using: &generator))
  }
  public var cell: Cell { .integer(Int64(rawValue)) }
  public init?(cell: Cell) {
    guard case .integer(let value) = cell, let raw = UInt8(exactly: value) else { return nil }
    self.init(rawValue: raw)
  }
  public static var columnType: ColumnType { .integer }
}
