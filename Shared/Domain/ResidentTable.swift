/// The rows of a resident table by key. Every change goes into the transaction that makes it.
///
/// Inlinable throughout, so that a core's module has code of its own for its rows.
public struct ResidentTable<R: Row> {
  @usableFromInline var byKey: [R.Key: R] = [:]

  @inlinable public init() {}

  @inlinable public var rows: [R.Key: R] { byKey }
  @inlinable public subscript(key: R.Key) -> R? { byKey[key] }
  @inlinable public var count: Int { byKey.count }
  /// Whether there is a row, without a copy of it.
  @inlinable public func contains(_ key: R.Key) -> Bool { byKey.index(forKey: key) != nil }

  @inlinable
  public mutating func put(_ row: R, _ transaction: inout Transaction) {
    byKey[row.key] = row
    transaction.put(row)
  }

  @inlinable @discardableResult
  public mutating func remove(_ key: R.Key, _ transaction: inout Transaction) -> R? {
    guard let row = byKey.removeValue(forKey: key) else { return nil }
    transaction.remove(R.self, key)
    return row
  }

  /// Makes the row with this key forget a player: see `Erasure.rest`.
  @inlinable
  public mutating func erase(
    _ key: R.Key, _ erasure: Erasure, _ transaction: inout Transaction
  ) {
    guard let row = remove(key, &transaction), let rest = erasure.rest(of: row) else { return }
    put(rest, &transaction)
  }

  /// Takes a stored row at the start.
  @inlinable
  public mutating func load(_ row: R) { byKey[row.key] = row }
}
