public import Wire

/// The rows of a resident table by key. Every change goes into the transaction that makes it.
public struct ResidentTable<R: Row> {
  public private(set) var rows: [R.Key: R] = [:]

  public init() {}

  public subscript(key: R.Key) -> R? { rows[key] }
  public var count: Int { rows.count }

  public mutating func put(_ row: R, _ transaction: inout Transaction) {
    rows[row.key] = row
    transaction.put(row)
  }

  @discardableResult
  public mutating func remove(_ key: R.Key, _ transaction: inout Transaction) -> R? {
    guard let row = rows.removeValue(forKey: key) else { return nil }
    transaction.remove(R.self, key)
    return row
  }

  /// Takes a stored row at the start.
  @discardableResult
  public mutating func load(_ bytes: RawSpan) throws(WireError) -> R {
    let row = try R(decoding: bytes)
    rows[row.key] = row
    return row
  }
}
