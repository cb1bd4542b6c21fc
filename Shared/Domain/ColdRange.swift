/// Rows of a cold table that a command wants, by the order of their encoded keys.
public struct ColdRange: Hashable, Sendable {
  public var table: UInt16
  /// Encoded keys (or their first parts), both inclusive. `through` also takes every key that
  /// begins with it.
  public var from: [UInt8]
  public var through: [UInt8]
  public var limit: Int
  public var isDescending: Bool
  /// Whether the keys are whole, and those of one row.
  public private(set) var isOneRow = false

  public init(
    table: UInt16, from: [UInt8], through: [UInt8], limit: Int, isDescending: Bool = false
  ) {
    self.table = table
    self.from = from
    self.through = through
    self.limit = limit
    self.isDescending = isDescending
  }

  /// The one row with a key.
  public init(rowOf table: UInt16, key: [UInt8]) {
    self.init(table: table, from: key, through: key, limit: 1)
    isOneRow = true
  }

  public func contains(_ key: [UInt8]) -> Bool {
    !key.lexicographicallyPrecedes(from)
      && (!through.lexicographicallyPrecedes(key) || key.starts(with: through))
  }
}

extension ColdRange {
  /// The one row with a key.
  @inlinable
  public static func row<R: Row>(_ type: R.Type, _ key: R.Key) -> ColdRange {
    let bytes = key.keyBytes
    return ColdRange(rowOf: R.tableID, key: bytes)
  }
}
