/// Sorts entry numbers by their keys, in linear time and eight bytes for an entry beside the keys.
///
/// A frame over all keys makes a code of each, the code says which of up to 2^15 parts the entry goes
/// to, and each part is sorted in the same way by a frame of its own, until it is small enough to be
/// sorted by comparison within the cache. As keys are all different, a frame over two or more makes
/// at least two parts. Values that lie evenly need one round and one look at each key after it, which
/// is what memory allows; the worst need a round for every 15 bits in which keys differ.
struct KeySort: ~Copyable {
  /// Parts with no more are sorted by comparison.
  static let partMax = 2048
  private static let codeBits = 15

  private var numbers = Column<UInt32>()
  private var scratch = Column<UInt32>()

  static func numbers(of keys: borrowing Column<RankKey>) -> Column<UInt32> {
    var sort = KeySort()
    for number in 0..<keys.count { sort.numbers.append(UInt32(number)) }
    if keys.count > partMax {
      for _ in 0..<keys.count { sort.scratch.append(0) }
    }
    sort.sort(0..<keys.count, keys)
    return sort.numbers
  }

  private mutating func sort(_ range: Range<Int>, _ keys: borrowing Column<RankKey>) {
    if range.count <= Self.partMax { return sortByComparison(range, keys) }
    let ends = distribute(range, keys)
    var start = range.lowerBound
    for end in ends {
      if Int(end) - start > 1 { sort(start..<Int(end), keys) }
      start = Int(end)
    }
  }

  private mutating func sortByComparison(_ range: Range<Int>, _ keys: borrowing Column<RankKey>) {
    var keyed: [(key: RankKey, number: UInt32)] = []
    keyed.reserveCapacity(range.count)
    for place in range { keyed.append((keys[Int(numbers[place])], numbers[place])) }
    keyed.sort { $0.key < $1.key }
    for (place, one) in zip(range, keyed) { numbers[place] = one.number }
  }

  /// Brings entries of lower codes before those of higher ones; gives the end of each code's part.
  private mutating func distribute(_ range: Range<Int>, _ keys: borrowing Column<RankKey>)
    -> [UInt32]
  {
    let frame = frame(over: range, keys)
    // About 64 entries to a part, where they lie evenly.
    let bits = min(Self.codeBits, Int.bitWidth - range.count.leadingZeroBitCount - 6)
    let shift = Int16(Self.codeBits - bits)
    var places = [UInt32](repeating: 0, count: 1 << bits)
    for place in range { places[Int(frame.code(of: keys[Int(numbers[place])]) &>> shift)] += 1 }
    var start = UInt32(range.lowerBound)
    for part in places.indices { (places[part], start) = (start, start + places[part]) }
    for place in range {
      let number = numbers[place]
      let part = Int(frame.code(of: keys[Int(number)]) &>> shift)
      scratch[Int(places[part])] = number
      places[part] += 1
    }
    for place in range { numbers[place] = scratch[place] }
    return places
  }

  private func frame(over range: Range<Int>, _ keys: borrowing Column<RankKey>) -> KeyFrame {
    var (first, last) = (RankKey(bits: .max), RankKey(bits: 0))
    for place in range {
      let key = keys[Int(numbers[place])]
      first = min(first, key)
      last = max(last, key)
    }
    return KeyFrame(from: first, through: last)
  }
}
