/// The lowest kind of node in a rank index: up to 80 entry numbers in the order of their keys, in
/// 512 bytes.
///
///     0  frame: base of 16 bytes, shift     32  codes of 2 bytes      192  numbers of 4 bytes
///    18  count
///
/// A leaf holds no keys, only their codes in the leaf's frame. So an entry takes six bytes, and not
/// the twenty of a key and a number. The keys are in the index's column. They are read when codes
/// are equal, which is rare, and when the leaf gets a new frame.
@safe
struct Leaf {
  static let capacity = 80
  static let bytes = 512
  private static var codesOffset: Int { 32 }
  private static var numbersOffset: Int { 32 + 2 * capacity }

  let node: Node

  init(_ node: Node) { self.node = node }

  /// Makes an empty leaf of a new node.
  func initialize() {
    precondition(Self.numbersOffset + 4 * Self.capacity <= Self.bytes)
    count = 0
    frame = KeyFrame(from: RankKey(bits: 0), through: RankKey(bits: 0))
    unsafe codes.update(repeating: KeyFrame.unused, count: Self.capacity)
  }

  var frame: KeyFrame {
    get { node.frame }
    nonmutating set { node.frame = newValue }
  }
  var count: Int {
    get { node.count }
    nonmutating set { node.count = newValue }
  }
  var isFull: Bool { count == Self.capacity }

  private var codes: UnsafeMutablePointer<Int16> {
    unsafe (node.memory + Self.codesOffset).assumingMemoryBound(to: Int16.self)
  }
  private var numbers: UnsafeMutablePointer<UInt32> {
    unsafe (node.memory + Self.numbersOffset).assumingMemoryBound(to: UInt32.self)
  }

  func number(_ slot: Int) -> UInt32 { unsafe numbers[slot] }
  func code(_ slot: Int) -> Int16 { unsafe codes[slot] }
  func setCode(_ slot: Int, _ code: Int16) { unsafe codes[slot] = code }

  /// Returns the first slot whose code is not below `code`; `count` when there is none.
  @inline(__always)
  func firstSlot(_ code: Int16) -> Int {
    unsafe KeyFrame.count(below: code, in: UnsafePointer(codes), capacity: Self.capacity)
  }

  /// Returns the first slot after `slot` that has another code.
  func endOfCode(from slot: Int) -> Int {
    let code = code(slot)
    var end = slot + 1
    while end < count && self.code(end) == code { end += 1 }
    return end
  }

  func insert(at slot: Int, _ code: Int16, _ number: UInt32) {
    let (count, moved) = (count, count - slot)
    unsafe (codes + slot + 1).update(from: codes + slot, count: moved)
    unsafe (numbers + slot + 1).update(from: numbers + slot, count: moved)
    unsafe codes[slot] = code
    unsafe numbers[slot] = number
    self.count = count + 1
  }

  func remove(at slot: Int) {
    let count = count - 1
    unsafe (codes + slot).update(from: codes + slot + 1, count: count - slot)
    unsafe (numbers + slot).update(from: numbers + slot + 1, count: count - slot)
    unsafe codes[count] = KeyFrame.unused
    self.count = count
  }

  /// Moves a cell; the new slot is counted without the cell.
  func move(from old: Int, to new: Int, _ code: Int16) {
    let number = unsafe numbers[old]
    if old < new {
      unsafe (codes + old).update(from: codes + old + 1, count: new - old)
      unsafe (numbers + old).update(from: numbers + old + 1, count: new - old)
    } else {
      unsafe (codes + new + 1).update(from: codes + new, count: old - new)
      unsafe (numbers + new + 1).update(from: numbers + new, count: old - new)
    }
    unsafe codes[new] = code
    unsafe numbers[new] = number
  }

  func append(_ number: UInt32) {
    unsafe numbers[count] = number
    count += 1
  }

  /// Moves cells between two neighbours until this one, which is the left, has `leftCount`. Both
  /// need new codes then.
  func share(with right: Leaf, leftCount: Int) {
    let (mine, other) = (count, right.count)
    let taken = leftCount - mine
    if taken > 0 {
      unsafe (numbers + mine).update(from: right.numbers, count: taken)
      unsafe right.numbers.update(from: right.numbers + taken, count: other - taken)
    } else {
      unsafe (right.numbers - taken).update(from: right.numbers, count: other)
      unsafe right.numbers.update(from: numbers + leftCount, count: -taken)
    }
    count = leftCount
    right.count = other - taken
  }

  /// Marks the cells after the last one as not in use.
  func clearRest() {
    for slot in count..<Self.capacity { unsafe codes[slot] = KeyFrame.unused }
  }
}
