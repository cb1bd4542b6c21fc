/// A node above the leaves. It has 64 cells in 2 KiB, one for each child: a lower bound of the
/// child's keys, and how many entries are under it.
///
///     0  frame: base of 16 bytes, shift     32  codes of 2 bytes     448  children of 8 bytes
///    18  count                             160  sums of 4 bytes      960  bounds of 16 bytes
///                                          192  weights of 4 bytes
///
/// A search takes the first child's bound for less than every key, so that bound means nothing
/// until the cell moves. A sum is the weight of all cells before a block of eight. So neither a
/// question for the weight before a cell nor a change of one looks at more than a block and the
/// sums.
@safe
struct Inner {
  static let capacity = 64
  static let bytes = 2048
  /// How many cells share a sum.
  private static let block = 8
  /// A node with no more cells than this is searched in less time; only the root may have so few.
  private static let fewCells = 16
  private static var codesOffset: Int { 32 }
  private static var sumsOffset: Int { codesOffset + 2 * capacity }
  private static var weightsOffset: Int { sumsOffset + 4 * capacity / block }
  private static var childrenOffset: Int { weightsOffset + 4 * capacity }
  private static var boundsOffset: Int { childrenOffset + 8 * capacity }

  let node: Node

  init(_ node: Node) { self.node = node }

  func initialize() {
    precondition(Self.boundsOffset + 16 * Self.capacity <= Self.bytes)
    count = 0
    unsafe codes.update(repeating: KeyFrame.unused, count: Self.capacity)
    unsafe weights.update(repeating: 0, count: Self.capacity)
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
  private var sums: UnsafeMutablePointer<UInt32> {
    unsafe (node.memory + Self.sumsOffset).assumingMemoryBound(to: UInt32.self)
  }
  private var weights: UnsafeMutablePointer<UInt32> {
    unsafe (node.memory + Self.weightsOffset).assumingMemoryBound(to: UInt32.self)
  }
  private var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    unsafe (node.memory + Self.childrenOffset)
      .assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }
  private var bounds: UnsafeMutablePointer<RankKey> {
    unsafe (node.memory + Self.boundsOffset).assumingMemoryBound(to: RankKey.self)
  }

  func child(_ slot: Int) -> Node { unsafe Node(children[slot]) }
  func bound(_ slot: Int) -> RankKey { unsafe bounds[slot] }
  func weight(_ slot: Int) -> Int { Int(unsafe weights[slot]) }
  func setBound(_ slot: Int, _ bound: RankKey) { unsafe bounds[slot] = bound }
  func setWeight(_ slot: Int, _ weight: Int) { unsafe weights[slot] = UInt32(weight) }

  /// Returns the slot of the child that holds the key, or would hold it.
  @inline(__always)
  func childSlot(_ key: RankKey) -> Int {
    let code = frame.code(of: key)
    var slot =
      if count <= Self.fewCells {
        unsafe KeyFrame.count(below: code, in: UnsafePointer(codes), capacity: Self.fewCells)
      } else {
        unsafe KeyFrame.count(below: code, in: UnsafePointer(codes), capacity: Self.capacity)
      }
    // Where codes are equal, which is rare, the bounds decide.
    while slot < count, unsafe codes[slot] == code, unsafe bounds[slot] <= key { slot += 1 }
    return slot - 1
  }

  @inline(__always)
  func addWeight(_ slot: Int, _ difference: Int32) {
    let change = UInt32(bitPattern: difference)
    unsafe weights[slot] &+= change
    let own = Int32(truncatingIfNeeded: slot / Self.block)
    for block in 0..<Self.capacity / Self.block {
      let isAfter = UInt32(bitPattern: (own &- Int32(truncatingIfNeeded: block)) &>> 31)
      unsafe sums[block] &+= change & isAfter
    }
  }

  /// Returns how many entries are under the children before a slot.
  @inline(__always)
  func weight(before slot: Int) -> Int {
    let first = slot & ~(Self.block - 1)
    // It has a byte for each cell of the block, with all bits set for the cells before the slot.
    let areBefore = ~(UInt64.max << UInt64(8 * (slot & (Self.block - 1))))
    var sum = unsafe sums[slot / Self.block]
    for cell in 0..<Self.block {
      let isBefore = Int8(truncatingIfNeeded: areBefore >> UInt64(8 * cell))
      sum &+= unsafe weights[first + cell] & UInt32(bitPattern: Int32(isBefore))
    }
    return Int(sum)
  }

  /// How many entries are under this node.
  var weight: Int { (0..<count).reduce(0) { $0 + weight($1) } }

  /// Returns the slot of the child under which the entry at a position stands, and how many entries
  /// are under the children before it.
  func childSlot(position: Int) -> (slot: Int, before: Int) {
    var before = 0
    var slot = 0
    while before + weight(slot) <= position {
      before += weight(slot)
      slot += 1
    }
    return (slot, before)
  }
}

// MARK: Changes

extension Inner {
  /// Makes the frame, the codes and the sums fit the cells. It must be called after each change of
  /// the cells; it looks at all of them, because they are few and change rarely.
  func fit() {
    let count = count
    let isSpread = count > 1
    frame = KeyFrame(
      from: isSpread ? bound(1) : RankKey(bits: 0),
      through: isSpread ? bound(count - 1) : RankKey(bits: 0))
    // This is below every code, so that the first cell is always counted.
    unsafe codes[0] = -1
    for slot in 1..<Self.capacity {
      unsafe codes[slot] = slot < count ? frame.code(of: bounds[slot]) : KeyFrame.unused
    }
    var sum: UInt32 = 0
    for slot in 0..<Self.capacity {
      if slot % Self.block == 0 { unsafe sums[slot / Self.block] = sum }
      if slot < count { sum += unsafe weights[slot] }
    }
  }

  func insert(at slot: Int, _ bound: RankKey, _ child: Node, weight: Int) {
    let count = count
    shift(from: slot, to: slot + 1, count: count - slot)
    unsafe bounds[slot] = bound
    unsafe children[slot] = child.memory
    unsafe weights[slot] = UInt32(weight)
    self.count = count + 1
  }

  func append(_ bound: RankKey, _ child: Node, weight: Int) {
    insert(at: count, bound, child, weight: weight)
  }

  func remove(at slot: Int) {
    let count = count
    shift(from: slot + 1, to: slot, count: count - slot - 1)
    self.count = count - 1
  }

  private func shift(from source: Int, to target: Int, count: Int) {
    copy(count, from: self, source, to: target)
  }

  private func copy(_ count: Int, from other: Inner, _ source: Int, to target: Int) {
    unsafe (bounds + target).update(from: other.bounds + source, count: count)
    unsafe (children + target).update(from: other.children + source, count: count)
    unsafe (weights + target).update(from: other.weights + source, count: count)
  }

  /// Moves cells between two neighbours until this one, which is the left, has `leftCount`.
  func share(with right: Inner, leftCount: Int) {
    let (mine, other) = (count, right.count)
    let taken = leftCount - mine
    if taken > 0 {
      copy(taken, from: right, 0, to: mine)
      right.shift(from: taken, to: 0, count: other - taken)
    } else {
      right.shift(from: 0, to: -taken, count: other)
      right.copy(-taken, from: self, leftCount, to: 0)
    }
    count = leftCount
    right.count = other - taken
  }
}
