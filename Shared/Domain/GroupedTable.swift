/// The rows of a resident table by key, in groups: all rows of a player, say.
///
/// Inlinable throughout, so that a core's module has code of its own for its rows.
public struct GroupedTable<R: Row, Group: Hashable> {
  @usableFromInline var byGroup: [Group: GroupRows<R>] = [:]
  @usableFromInline let group: (R.Key) -> Group

  /// - Parameter group: the part of a key that names the group of its row.
  @inlinable
  public init(by group: @escaping (R.Key) -> Group) { self.group = group }

  /// Groups that have rows.
  @inlinable public var groups: Dictionary<Group, GroupRows<R>>.Keys { byGroup.keys }
  @inlinable public subscript(key: R.Key) -> R? { byGroup[group(key)]?[key] }
  @inlinable public func count(of group: Group) -> Int { byGroup[group]?.count ?? 0 }

  /// The rows of a group, in no particular order.
  @inlinable
  public func rows(of group: Group) -> GroupRows<R> { byGroup[group] ?? GroupRows() }

  @inlinable
  public mutating func put(_ row: R, _ transaction: inout Transaction) {
    load(row)
    transaction.put(row)
  }

  @inlinable @discardableResult
  public mutating func remove(_ key: R.Key, _ transaction: inout Transaction) -> R? {
    let group = group(key)
    guard let row = byGroup[group]?.remove(key) else { return nil }
    if byGroup[group]?.isEmpty == true { byGroup[group] = nil }
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
  public mutating func load(_ row: R) { byGroup[group(row.key), default: GroupRows()].put(row) }
}
