/// Sorts entry numbers by their keys, in linear time and with eight bytes for each entry beside the
/// keys.
///
/// The first bits in which the keys differ decide to which of up to 2^15 parts an entry goes. Each
/// part is sorted in the same way by the bits in which its own keys differ, until it has only a few
/// entries. All keys are different, so two or more make at least two parts. Ten million evenly
/// spread values need two rounds, and the second finds its keys in the cache. The worst values need
/// a round for every few bits in which keys differ.
struct KeySort: ~Copyable {
  /// Entries up to which a part is sorted by comparison.
  static let partMax = 24
  private static let partBitsMax = 15

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

  /// Sorts a part by insertion: it has few entries, and their keys are in the cache.
  private mutating func sortByComparison(_ range: Range<Int>, _ keys: borrowing Column<RankKey>) {
    for place in range.dropFirst() {
      let number = numbers[place]
      let key = keys[Int(number)]
      var free = place
      while free > range.lowerBound && key < keys[Int(numbers[free - 1])] {
        numbers[free] = numbers[free - 1]
        free -= 1
      }
      numbers[free] = number
    }
  }

  /// Puts the entries of lower parts before those of higher ones, and returns the end of each part.
  private mutating func distribute(_ range: Range<Int>, _ keys: borrowing Column<RankKey>)
    -> [UInt32]
  {
    let (first, last) = bounds(of: range, keys)
    let width = UInt128.bitWidth - (last - first).leadingZeroBitCount
    // So that a part has a few entries if the keys are evenly spread.
    let bits = min(width, Self.partBitsMax, Int.bitWidth - range.count.leadingZeroBitCount - 2)
    let shift = UInt128(width - bits)
    func part(_ number: UInt32, _ keys: borrowing Column<RankKey>) -> Int {
      Int(truncatingIfNeeded: (keys[Int(number)].bits &- first) &>> shift)
    }
    var places = [UInt32](repeating: 0, count: 1 << bits)
    for place in range { places[part(numbers[place], keys)] += 1 }
    var start = UInt32(range.lowerBound)
    for part in places.indices { (places[part], start) = (start, start + places[part]) }
    for place in range {
      let number = numbers[place]
      let part = part(number, keys)
      scratch[Int(places[part])] = number
      places[part] += 1
    }
    for place in range { numbers[place] = scratch[place] }
    return places
  }

  private func bounds(of range: Range<Int>, _ keys: borrowing Column<RankKey>)
    -> (first: UInt128, last: UInt128)
  {
    var (first, last) = (UInt128.max, UInt128(0))
    for place in range {
      let bits = keys[Int(numbers[place])].bits
      first = min(first, bits)
      last = max(last, bits)
    }
    return (first, last)
  }
}
