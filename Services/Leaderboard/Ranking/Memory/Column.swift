/// An array in pieces that do not move, so that it never copies more than an eighth of a large page
/// when it grows.
///
/// A small column is one piece that doubles. A larger one has a directory of large pages, one
/// pointer for each. A read is two loads, and the first is always in the cache. Indices are checked
/// in debug builds only: callers check an entry's number once, where it comes in.
@safe
struct Column<Value: BitwiseCopyable>: ~Copyable {
  private(set) var count = 0
  private var directory: UnsafeMutablePointer<UnsafeMutablePointer<Value>>
  private var directoryCapacity = 1
  private var pieceCount = 1
  /// How many pieces, from the first on, were given back.
  private var discardedPieces = 0
  /// The capacity of the first piece, which alone may be smaller than a large page.
  private var firstCapacity: Int

  private static var valuesPerPiece: Int { Pages.pieceBytes / MemoryLayout<Value>.stride }
  private static var shift: Int { valuesPerPiece.trailingZeroBitCount }
  private static var firstCapacityMin: Int {
    2 * Pages.lineBytes / MemoryLayout<Value>.stride
  }

  init() {
    precondition(
      MemoryLayout<Value>.stride.nonzeroBitCount == 1, "a value's size is a power of two")
    firstCapacity = Self.firstCapacityMin
    unsafe directory = .allocate(capacity: 1)
    unsafe directory[0] = Self.piece(firstCapacity)
  }

  deinit {
    discard(pieces: discardedPieces..<pieceCount)
    unsafe directory.deallocate()
  }

  private var capacity: Int { firstCapacity + (pieceCount - 1) * Self.valuesPerPiece }

  /// The bytes of memory of all pieces.
  var bytes: Int {
    let values =
      discardedPieces == 0 ? capacity : (pieceCount - discardedPieces) * Self.valuesPerPiece
    return values * MemoryLayout<Value>.stride
  }

  subscript(_ index: Int) -> Value {
    get { unsafe pointer(to: index).pointee }
    set { unsafe pointer(to: index).pointee = newValue }
  }

  /// Returns the address of a value; the following values of the same cache line stand behind it.
  @unsafe
  func pointer(to index: Int) -> UnsafeMutablePointer<Value> {
    assert(index < count && index >> Self.shift >= discardedPieces)
    return unsafe directory[index >> Self.shift] + (index & (Self.valuesPerPiece - 1))
  }

  mutating func append(_ value: Value) {
    if count == capacity { addRoom() }
    count += 1
    self[count - 1] = value
  }

  /// Gives back the memory of the values before an index, which are not read again.
  mutating func discard(before index: Int) {
    while discardedPieces < pieceCount - 1,
      index >= firstCapacity + discardedPieces * Self.valuesPerPiece
    {
      discard(pieces: discardedPieces..<discardedPieces + 1)
      discardedPieces += 1
    }
  }

  /// Gives back pieces of a column that is not read again, and counts them off `left`.
  mutating func giveBack(_ left: inout Int) {
    while left > 0 && discardedPieces < pieceCount {
      discard(pieces: discardedPieces..<discardedPieces + 1)
      discardedPieces += 1
      left -= 1
    }
  }

  private func discard(pieces: Range<Int>) {
    for piece in pieces {
      if piece == 0 {
        unsafe directory[piece].deallocate()
      } else {
        unsafe Pages.freePiece(directory[piece])
      }
    }
  }

  // MARK: Room

  private mutating func addRoom() {
    if firstCapacity < Self.valuesPerPiece { growFirst() } else { addPiece() }
  }

  /// Doubles the first piece. Past an eighth of a large page it becomes a whole page, so that no
  /// more than that is ever copied. The unused part of the page takes no memory.
  private mutating func growFirst() {
    let isLarge = firstCapacity * 8 >= Self.valuesPerPiece
    let capacity = isLarge ? Self.valuesPerPiece : firstCapacity * 2
    let piece = unsafe Self.piece(capacity)
    unsafe piece.update(from: directory[0], count: firstCapacity)
    unsafe directory[0].deallocate()
    unsafe directory[0] = piece
    firstCapacity = capacity
  }

  private mutating func addPiece() {
    if pieceCount == directoryCapacity {
      let larger = UnsafeMutablePointer<UnsafeMutablePointer<Value>>
        .allocate(capacity: directoryCapacity * 2)
      unsafe larger.update(from: directory, count: pieceCount)
      unsafe directory.deallocate()
      unsafe directory = larger
      directoryCapacity *= 2
    }
    unsafe directory[pieceCount] = Pages.allocatePiece()
      .bindMemory(to: Value.self, capacity: Self.valuesPerPiece)
    pieceCount += 1
  }

  private static func piece(_ capacity: Int) -> UnsafeMutablePointer<Value> {
    unsafe Pages.allocate(bytes: capacity * MemoryLayout<Value>.stride)
      .bindMemory(to: Value.self, capacity: capacity)
  }
}
