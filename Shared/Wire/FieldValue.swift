/// A type of field: what the wire, the store, the generated description, golden files and random
/// messages need to know of it.
public protocol FieldValue: Sendable, Equatable {
  /// Makes the default, which a field has when an older peer did not send it.
  init()
  func encode(to writer: inout Writer)
  static func decode(from reader: inout Reader) -> Self
  /// How the type is described in `protocol.md`.
  static var shape: Shape { get }
  /// The value for people and for JSON.
  var tree: Tree { get }
  static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Self
  /// The value as a column of a store's table holds it.
  var cell: Cell { get }
  init?(cell: Cell)
  static var columnType: ColumnType { get }
  /// How a store goes between the column's content and its wire form without making a value of the
  /// type.
  static var columnForm: ColumnForm { get }
}

/// Visits the fields of a message in order: to encode them, to decode them, to describe them, ...
public protocol FieldVisitor {
  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value)
}

/// One value in a column of an embedded store.
public enum Cell: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

public enum ColumnType: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}

/// How the content of a column and its wire bytes follow from each other. The start of a service
/// reads millions of rows, and a busy one writes tens of thousands a second, so that the common
/// forms are copied without making values of their types.
public enum ColumnForm: Equatable, Sendable {
  /// An integer, whose eight bytes the wire has in big-endian order.
  case integer
  /// A blob of exactly `byteCount` bytes, which the wire has as they are.
  case blob(byteCount: Int)
  /// A text, which the wire has behind a count of its bytes.
  case text
  /// A blob of any length, which the wire has behind a count of its bytes.
  case countedBlob
  /// Anything else: the type itself must convert it.
  case other
}

/// A value with its field names, for people and for JSON.
public indirect enum Tree: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
  case list([Tree])
  case object([Member])

  public struct Member: Equatable, Sendable {
    public var name: String
    public var value: Tree

    public init(name: String, value: Tree) {
      self.name = name
      self.value = value
    }
  }
}

/// The type of a field, for the generated description of the protocol.
public indirect enum Shape: Equatable, Sendable {
  case scalar(String)
  case identifier(String)
  case enumeration(String, names: [String])
  case message(String, fields: [Field], frozen: Bool)
  case optional(Shape)
  case list(Shape)

  public struct Field: Equatable, Sendable {
    public var name: String
    public var shape: Shape
    /// The default of a missing field; nil when it is 0, false, empty or absent.
    public var defaultText: String?

    public init(name: String, shape: Shape, defaultText: String? = nil) {
      self.name = name
      self.shape = shape
      self.defaultText = defaultText
    }
  }
}

extension Tree {
  /// The scalar as text; nil for 0, false and an empty text, and for anything but a scalar.
  var textUnlessZero: String? {
    switch self {
    case .bool(let value): value ? "true" : nil
    case .integer(let value): value == 0 ? nil : "\(value)"
    case .unsigned(let value): value == 0 ? nil : "\(value)"
    case .real(let value): value == 0 ? nil : "\(value)"
    case .text(let value): value.isEmpty ? nil : value
    case .null, .bytes, .list, .object: nil
    }
  }
}

// By default a column holds the wire bytes of the value.
extension FieldValue {
  public var cell: Cell {
    var writer = Writer()
    encode(to: &writer)
    return .blob(writer.bytes)
  }

  public init?(cell: Cell) {
    guard case .blob(let bytes) = cell else { return nil }
    let decoded = Reader.read(bytes) { reader in Self.decode(from: &reader) }
    guard case .success(let value) = decoded else { return nil }
    self = value
  }

  public static var columnType: ColumnType { .blob }
  public static var columnForm: ColumnForm { .other }
}
