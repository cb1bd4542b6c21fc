/// One size of a hash table of entry numbers: buckets of a cache line each, so that most lookups
/// read one line here and one player's id.
///
///     word 0: how many entries stand after this bucket although their home is in it or before it
///     words 1 to 15: 0, or an entry's number plus one; the bits left over are a tag, from the hash
///
/// An entry stands in its home bucket or, if that is full, in the first bucket after it that has
/// room. A lookup goes on to the next bucket only if word 0 says that some entry did, and compares
/// ids only where tags are equal. With ten million entries a tag has eight bits. After the last
/// home bucket come as many buckets as its overflow needs.
struct Buckets: ~Copyable {
  struct Place {
    var bucket: Int
    var word: Int
    var number: UInt32
  }

  private static let wordsPerBucket = 16
  /// How many entries a bucket has room for.
  static let room = wordsPerBucket - 1

  let homes: Int
  private let numberBits: UInt32
  private var words = Column<UInt32>()

  /// Numbers must be less than the room of all home buckets.
  init(homes: Int) {
    self.homes = homes
    let bits = Int.bitWidth - (homes * Self.room).leadingZeroBitCount
    numberBits = UInt32(min(UInt32.bitWidth, bits))
  }

  var count: Int { words.count / Self.wordsPerBucket }
  var bytes: Int { words.bytes }

  /// Returns the home bucket of a hash. Homes follow the order of hashes, so that growth can go
  /// from bucket to bucket.
  func home(of hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(homes)).high) }

  private func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) << numberBits }

  func find(_ player: UInt128, _ hash: UInt64, in players: borrowing Column<UInt128>) -> Place? {
    let (tag, numberMask) = (tag(hash), ~(UInt32.max << numberBits))
    for bucket in home(of: hash)..<max(home(of: hash), count) {
      let first = bucket * Self.wordsPerBucket
      let line = unsafe words.pointer(to: first)
      for place in 1...Self.room {
        let word = unsafe line[place]
        guard (word ^ tag) & ~numberMask == 0, word != 0 else { continue }
        let number = (word & numberMask) - 1
        if players[Int(number)] == player {
          return Place(bucket: bucket, word: first + place, number: number)
        }
      }
      if unsafe line[0] == 0 { return nil }
    }
    return nil
  }

  /// Adds an entry that is not in the table.
  mutating func insert(_ number: UInt32, _ hash: UInt64) {
    var bucket = home(of: hash)
    while true {
      while bucket >= count { addBucket() }
      let line = unsafe words.pointer(to: bucket * Self.wordsPerBucket)
      for place in 1...Self.room where unsafe line[place] == 0 {
        unsafe line[place] = tag(hash) | (number + 1)
        return
      }
      unsafe line[0] += 1
      bucket += 1
    }
  }

  mutating func remove(_ place: Place, _ hash: UInt64) {
    words[place.word] = 0
    for bucket in home(of: hash)..<place.bucket { words[bucket * Self.wordsPerBucket] -= 1 }
  }

  /// Returns the words of a bucket.
  func line(_ bucket: Int) -> SIMD16<UInt32> {
    unsafe UnsafeRawPointer(words.pointer(to: bucket * Self.wordsPerBucket))
      .load(as: SIMD16<UInt32>.self)
  }

  /// Returns the number of the entry in a word that is not 0.
  func number(_ word: UInt32) -> UInt32 { (word & ~(UInt32.max << numberBits)) - 1 }

  /// Gives back the memory of the buckets before this one, which are not read again.
  mutating func discard(before bucket: Int) {
    words.discard(before: bucket * Self.wordsPerBucket)
  }

  mutating func giveBack(_ left: inout Int) { words.giveBack(&left) }

  private mutating func addBucket() {
    for _ in 0..<Self.wordsPerBucket { words.append(0) }
  }
}
