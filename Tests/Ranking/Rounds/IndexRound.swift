import Domain
import Ranking

/// An answer that differs from the model's, with the seed that repeats it.
public struct Mismatch: Error, CustomStringConvertible {
  public var description: String
}

/// Makes random changes of a rank index, and compares each answer with that of a sorted array.
///
/// The share of insertions swings, so that the tree grows and shrinks over several levels. From
/// time to time the whole tree is checked, which finds faults that no answer has shown yet.
public struct IndexRound: ~Copyable {
  private let seed: UInt64
  private let spread: Spread
  /// The number of entries about which it swings.
  private let size: Int
  private var random: RandomSource
  private var index = RankIndex()
  private var model = SortedKeys()
  /// By number; nil where it is free.
  private var keys: [RankKey?] = []
  private var live: [UInt32] = []
  private var free: [UInt32] = []
  private var tie: UInt64 = 0

  public init(seed: UInt64, spread: Spread, size: Int) {
    self.seed = seed
    self.spread = spread
    self.size = size
    random = .seeded(seed)
  }

  public mutating func run(operations: Int) throws(Mismatch) {
    for step in 0..<operations {
      let isGrowing = step / (2 * size) % 2 == 0
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<(isGrowing ? 9 : 1): try insert(step)
      case (isGrowing ? 9 : 1)..<10: try remove()
      default: try update(step)
      }
      if step % 4 == 0 { try ask() }
      if step % (4 * size) == 0 { try check() }
    }
    try check()
    while let number = live.popLast() {
      index.remove(number)
      if live.count % size == 0, let fault = index.fault() { throw mismatch(fault) }
    }
    try expect(index.numbers(from: 0, count: 5), [], "entries of an empty index")
  }

  // MARK: Changes

  private mutating func newKey(_ step: Int) -> RankKey {
    tie += .random(in: 1...3, using: &random)
    // Mostly later than all others, as on a board; sometimes among them.
    let isLater = Int.random(in: 0..<8, using: &random) > 0
    let key = RankKey(
      order: spread.value(step, &random),
      tie: isLater ? tie << 20 : .random(in: 1...tie, using: &random) << 20 | tie & 0xfffff)
    return model.contains(key) ? RankKey(order: key.order, tie: tie << 20) : key
  }

  private mutating func insert(_ step: Int) throws(Mismatch) {
    let key = newKey(step)
    let number = free.popLast() ?? UInt32(keys.count)
    if number == keys.count { keys.append(key) } else { keys[Int(number)] = key }
    live.append(number)
    try expect(index.insert(number, key), model.insert(key), "the position of a new entry")
  }

  private mutating func remove() throws(Mismatch) {
    guard !live.isEmpty else { return }
    let place = Int.random(in: 0..<live.count, using: &random)
    live.swapAt(place, live.count - 1)
    guard let number = live.popLast(), let key = keys[Int(number)] else { return }
    index.remove(number)
    model.remove(key)
    keys[Int(number)] = nil
    free.append(number)
    try expect(index.count, model.keys.count, "the count")
  }

  private mutating func update(_ step: Int) throws(Mismatch) {
    guard let number = live.randomElement(using: &random), let old = keys[Int(number)] else {
      return
    }
    let key = newKey(step)
    model.remove(old)
    keys[Int(number)] = key
    try expect(index.update(number, to: key), model.insert(key), "the position after an update")
  }

  // MARK: Questions

  private mutating func ask() throws(Mismatch) {
    guard let number = live.randomElement(using: &random), let key = keys[Int(number)] else {
      return
    }
    let position = model.countBelow(key)
    try expect(index.position(of: number), position, "the position of an entry")
    try expect(index.key(of: number), key, "the key of an entry")
    for tie in [0, key.tie, key.tie + 1, .max] {
      let probe = RankKey(order: key.order, tie: tie)
      try expect(index.countBelow(probe), model.countBelow(probe), "the count below an entry's key")
    }
    let probe = RankKey(order: .random(in: .min ... .max, using: &random), tie: 0)
    try expect(index.countBelow(probe), model.countBelow(probe), "the count below any key")
    let length = Int.random(in: 0...100, using: &random)
    let found = index.numbers(from: position, count: length).map { keys[Int($0)] }
    try expect(found, model.keys[position...].prefix(length).map { $0 }, "a range of entries")
  }

  private func check() throws(Mismatch) {
    if let fault = index.fault() { throw mismatch(fault) }
    let found = index.numbers(from: 0, count: index.count).map { keys[Int($0)] }
    try expect(found, model.keys, "all entries")
  }

  private func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String)
    throws(Mismatch)
  {
    if found != wanted { throw mismatch("\(what): \(found) instead of \(wanted)") }
  }

  private func mismatch(_ text: String) -> Mismatch {
    Mismatch(description: "seed \(seed), spread \(spread), size \(size): \(text)")
  }
}
