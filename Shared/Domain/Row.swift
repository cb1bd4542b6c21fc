public import Wire

/// One row of a stored table: what the journal carries and what an operator reads with SQL.
///
/// The first field in the row's list is its key, so the encoded key is the front of the encoded
/// row. A key of several parts is a `RowKey`; its parts become columns of their own. The table's
/// registration says where its rows are while the service runs, and what takes them: see `Tables`.
public protocol Row: Message {
  associatedtype Key: FieldValue & Hashable
  /// Unique within the service and never used again for something else. Numbers below 16 belong to
  /// the engine.
  static var tableID: UInt16 { get }
  static var tableName: String { get }
  /// The table's name in stores of earlier versions; nil where it was the same.
  static var formerTableName: String? { get }
  /// Whether no row is ever put over one with the same key: it is removed before. What comes and
  /// goes between two folds then never reaches the tables.
  static var isWrittenOnce: Bool { get }
  /// Whether a player whose id the key begins with may see the row. False for what nobody tells the
  /// player, such as who blocks it.
  static var isForOwner: Bool { get }
  var key: Key { get }
}

extension Row {
  @inlinable public static var formerTableName: String? { nil }
  @inlinable public static var isWrittenOnce: Bool { false }
  @inlinable public static var isForOwner: Bool { true }
}

/// A key of several parts, whose encoded parts follow on each other: the rows that share the first
/// parts stand side by side in every store.
public protocol RowKey: Message, Hashable {}

extension RowKey {
  @inlinable public static var isFrozen: Bool { true }
}

/// Where a table's rows are while the service runs.
public enum Residence: Sendable {
  /// In memory, loaded at the start: what live play and ranking need.
  case resident
  /// In the store only, read by key or range when a command asks for it.
  case cold
}

extension FieldValue {
  /// The value alone in wire form. A row's key in this form is the front of the row's own bytes.
  @inlinable
  public var keyBytes: [UInt8] {
    var writer = Writer(capacity: 32)
    encode(to: &writer)
    return writer.bytes
  }
}
