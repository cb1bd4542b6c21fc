#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Values in memory, ordered by the encoded keys of their rows.
///
/// They lie in a list of short sorted chunks: a look-up is two binary searches, an insertion moves
/// at most one chunk, and a range is read by walking. The chunks are flat arrays, because a tree of
/// nodes costs more than it saves at the sizes that the journal's bound allows.
struct SortedRows<Value> {
  typealias Entry = (key: [UInt8], value: Value)

  /// The most entries of a chunk; a longer one is split in two.
  private static var chunkCountMax: Int { 256 }

  private var chunks: [[Entry]] = []
  private(set) var count = 0

  /// The value of a key; nil removes it.
  subscript(key: [UInt8]) -> Value? {
    get {
      guard let chunk = chunkIndex(of: key) else { return nil }
      let place = Self.firstIndex(in: chunks[chunk], notBefore: key)
      guard place < chunks[chunk].count, chunks[chunk][place].key == key else { return nil }
      return chunks[chunk][place].value
    }
    set {
      if let newValue { insert(key, newValue) } else { remove(key) }
    }
  }

  private mutating func insert(_ key: [UInt8], _ value: Value) {
    guard let chunk = chunkIndex(of: key) else {
      chunks = [[(key, value)]]
      count = 1
      return
    }
    let place = Self.firstIndex(in: chunks[chunk], notBefore: key)
    if place < chunks[chunk].count && chunks[chunk][place].key == key {
      chunks[chunk][place].value = value
      return
    }
    chunks[chunk].insert((key, value), at: place)
    count += 1
    if chunks[chunk].count > Self.chunkCountMax {
      let half = chunks[chunk].count / 2
      chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
      chunks[chunk].removeLast(chunks[chunk].count - half)
    }
  }

  private mutating func remove(_ key: [UInt8]) {
    guard let chunk = chunkIndex(of: key) else { return }
    let place = Self.firstIndex(in: chunks[chunk], notBefore: key)
    guard place < chunks[chunk].count, chunks[chunk][place].key == key else { return }
    chunks[chunk].remove(at: place)
    count -= 1
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// Calls `body` for the entries from `first` up to, not including, `end` (nil: to the last),
  /// until `body` returns false.
  /// - Parameter descending: begins at the end and goes back to `first`.
  func forEach(
    from first: [UInt8], until end: [UInt8]?, descending: Bool = false, _ body: (Entry) -> Bool
  ) {
    let position = descending ? end.map(lowerBound) ?? endPosition : lowerBound(first)
    if descending {
      walkBack(from: position) { !precedes($0.key, first) && body($0) }
    } else {
      walk(from: position) { entry in
        if let end, !precedes(entry.key, end) { return false }
        return body(entry)
      }
    }
  }

  private func walk(from position: (chunk: Int, place: Int), _ body: (Entry) -> Bool) {
    var (chunk, place) = position
    while chunk < chunks.count {
      while place < chunks[chunk].count {
        guard body(chunks[chunk][place]) else { return }
        place += 1
      }
      (chunk, place) = (chunk + 1, 0)
    }
  }

  private func walkBack(from position: (chunk: Int, place: Int), _ body: (Entry) -> Bool) {
    var (chunk, place) = position
    while true {
      while place > 0 {
        place -= 1
        guard body(chunks[chunk][place]) else { return }
      }
      guard chunk > 0 else { return }
      chunk -= 1
      place = chunks[chunk].count
    }
  }

  private var endPosition: (chunk: Int, place: Int) { (chunks.count, 0) }

  private func lowerBound(_ key: [UInt8]) -> (chunk: Int, place: Int) {
    guard let chunk = chunkIndex(of: key) else { return endPosition }
    return (chunk, Self.firstIndex(in: chunks[chunk], notBefore: key))
  }

  /// Returns the last chunk that begins at or before the key, or the first chunk when none does;
  /// nil when there are no chunks.
  private func chunkIndex(of key: [UInt8]) -> Int? {
    if chunks.isEmpty { return nil }
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(key, chunks[middle][0].key) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return max(0, low - 1)
  }

  private static func firstIndex(in chunk: [Entry], notBefore key: [UInt8]) -> Int {
    var (low, high) = (0, chunk.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(chunk[middle].key, key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension SortedRows: Sendable where Value: Sendable {}

/// Whether a key comes before another one. Each change of a cold row asks this some fifteen times,
/// and comparing element by element takes several times as long.
private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      guard let first = left.baseAddress, let second = right.baseAddress else {
        return left.count < right.count
      }
      let order = unsafe memcmp(first, second, min(left.count, right.count))
      return order == 0 ? left.count < right.count : order < 0
    }
  }
}
