/// The rows of one group of a `GroupedTable`, in no particular order.
///
/// Most groups have one row, such as the one device of a player, for which a dictionary takes twice
/// the memory: its keys are in the rows already, and it always has places that are free. So a few
/// rows are in an array, which is searched, and many are found by their keys.
public struct GroupRows<R: Row> {
  @usableFromInline
  enum Storage {
    case few([R])
    case many([R.Key: R])
  }

  /// The most rows that are searched one by one.
  @inlinable static var fewMax: Int { 8 }

  @usableFromInline var storage = Storage.few([])

  @inlinable init() {}

  @inlinable
  public var count: Int {
    switch storage {
    case .few(let rows): rows.count
    case .many(let rows): rows.count
    }
  }

  @inlinable public var underestimatedCount: Int { count }
  @inlinable public var isEmpty: Bool { count == 0 }

  @inlinable
  public subscript(key: R.Key) -> R? {
    switch storage {
    case .few(let rows): rows.first { $0.key == key }
    case .many(let rows): rows[key]
    }
  }

  /// Adds a row, or puts it in the place of the one with its key.
  @inlinable
  mutating func put(_ row: R) {
    switch take() {
    case .many(var rows):
      rows[row.key] = row
      storage = .many(rows)
    case .few(var rows):
      if let place = rows.firstIndex(where: { $0.key == row.key }) {
        rows[place] = row
      } else if rows.isEmpty {
        // Not by `append`, which would make room for more.
        rows = [row]
      } else {
        rows.append(row)
      }
      storage =
        rows.count <= Self.fewMax
        ? .few(rows) : .many(Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0) }))
    }
  }

  @inlinable
  mutating func remove(_ key: R.Key) -> R? {
    switch take() {
    case .many(var rows):
      defer { storage = .many(rows) }
      return rows.removeValue(forKey: key)
    case .few(var rows):
      defer { storage = .few(rows) }
      return rows.firstIndex { $0.key == key }.map { rows.remove(at: $0) }
    }
  }

  /// Takes the rows out, so that whoever changes them is their only owner and copies nothing.
  @inlinable
  mutating func take() -> Storage {
    defer { storage = .few([]) }
    return storage
  }
}

extension GroupRows: Sequence {
  public struct Iterator: IteratorProtocol {
    @usableFromInline
    enum Rest {
      case few(IndexingIterator<[R]>)
      case many(Dictionary<R.Key, R>.Values.Iterator)
    }

    @usableFromInline var rest: Rest

    @inlinable init(_ rest: Rest) { self.rest = rest }

    @inlinable
    public mutating func next() -> R? {
      switch rest {
      case .few(var rows):
        defer { rest = .few(rows) }
        return rows.next()
      case .many(var rows):
        defer { rest = .many(rows) }
        return rows.next()
      }
    }
  }

  @inlinable
  public func makeIterator() -> Iterator {
    switch storage {
    case .few(let rows): Iterator(.few(rows.makeIterator()))
    case .many(let rows): Iterator(.many(rows.values.makeIterator()))
    }
  }
}
