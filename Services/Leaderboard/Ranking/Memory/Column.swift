/// Values by index, in pieces that do not move: an array that never copies more than an eighth of a
/// large page when it grows.
///
/// A small column is one piece that doubles; from then on there is a directory of large pages, one
/// pointer for each. Reading is two loads, the first of which is always in the cache. Indices are
/// checked in debug builds only: callers check an entry's number once, where it comes in.
@safe
struct Column<Value: BitwiseCopyable>: ~Copyable {
  private(set) var count = 0
  private var directory: UnsafeMutablePointer<UnsafeMutablePointer<Value>>
  private var directoryCapacity = 1
  private var pieceCount = 1
  /// Pieces from the first on that were given back.
  private var discardedPieces = 0
  /// Of the first piece, which alone may be smaller than a large page.
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

  /// The bytes of all pieces.
  var bytes: Int {
    let values =
      discardedPieces == 0 ? capacity : (pieceCount - discardedPieces) * Self.valuesPerPiece
    return values * MemoryLayout<Value>.stride
  }

  subscript(_ index: Int) -> Value {
    get { unsafe pointer(to: index).pointee }
    set { unsafe pointer(to: index).pointee = newValue }
  }

  /// Where a value is, and after it in order all values of the same line of the cache.
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

  /// Gives the memory of values before an index back; they must not be read again.
  mutating func discard(before index: Int) {
    while discardedPieces < pieceCount - 1,
      index >= firstCapacity + discardedPieces * Self.valuesPerPiece
    {
      discard(pieces: discardedPieces..<discardedPieces + 1)
      discardedPieces += 1
    }
  }

  /// Gives pieces back, at most so many; no value must be read again.
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

  /// Doubles the first piece; past an eighth of a large page it becomes a whole one, so that no more
  /// than that is ever copied. What is not yet used of it takes no memory.
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
