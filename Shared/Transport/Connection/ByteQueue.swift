/// Bytes in the order they came, in one block that grows as needed and is given back when empty.
///
/// So an idle connection holds no memory for bytes. A busy one takes its block from the loop's
/// pool, so that no message allocates. This is a class, because for a struct inside the connection
/// each change would be checked for exclusive access at run time.
@safe
final class ByteQueue {
  private var base: UnsafeMutableRawPointer?
  /// Bytes of the block.
  private(set) var capacity = 0
  private var start = 0
  private var end = 0
  private let pool: BufferPool
  private let bound: QueueBound?

  init(_ pool: BufferPool, _ bound: QueueBound? = nil) {
    unsafe base = nil
    self.pool = pool
    self.bound = bound
  }

  deinit {
    if let block = unsafe base { unsafe pool.give(block, capacity) }
    if capacity > 0 { bound?.count(-capacity) }
  }

  var count: Int { end - start }
  var isEmpty: Bool { end == start }

  /// The bytes in the queue; valid until the queue is changed.
  @unsafe var readable: UnsafeRawBufferPointer {
    guard let base = unsafe base else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeRawBufferPointer(start: base + start, count: count)
  }

  /// Makes room for `size` more bytes, counts them as queued and returns the room. The caller fills
  /// it at once.
  @unsafe
  func extend(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if capacity - end < size { grow(size) }
    guard let base = unsafe base else {
      return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
    let room = unsafe UnsafeMutableRawBufferPointer(start: base + end, count: size)
    end += size
    return unsafe room
  }

  @unsafe
  func append(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count == 0 { return }
    unsafe extend(bytes.count).copyMemory(from: bytes)
  }

  func consume(_ size: Int) {
    precondition(size <= count, "more bytes are taken than are in the queue")
    start += size
  }

  /// Drops all bytes and gives the block back.
  func clear() {
    start = end
    trim()
  }

  /// Gives the block back if the queue is empty.
  func trim() {
    if !isEmpty { return }
    start = 0
    end = 0
    if let block = unsafe base {
      unsafe pool.give(block, capacity)
      unsafe base = nil
      bound?.count(-capacity)
      capacity = 0
    }
  }

  private func grow(_ size: Int) {
    let used = count
    // Moving the bytes to the front is enough when that frees at least half of the block.
    if let base = unsafe base, capacity - used >= size, start >= capacity / 2 {
      unsafe base.copyMemory(from: base + start, byteCount: used)
    } else {
      let (block, blockCapacity) = unsafe pool.take(max(used + size, capacity * 2))
      if let old = unsafe base {
        unsafe block.copyMemory(from: old + start, byteCount: used)
        unsafe pool.give(old, capacity)
      }
      unsafe base = block
      bound?.count(blockCapacity - capacity)
      capacity = blockCapacity
    }
    start = 0
    end = used
  }
}

/// The blocks that the connections of one loop take while they have bytes to hold, and the one
/// buffer that all of them read into.
@safe
final class BufferPool {
  /// Bytes of a block: the replies of one turn to a typical client fit in.
  static let blockSize = 4096
  /// The most free blocks that stay allocated: 1 MiB per loop.
  static let freeBlockCountMax = 256
  /// Bytes that one read takes from a socket at most: four TLS records.
  static let scratchSize = 64 << 10

  /// The first free block. Each free block holds the address of the next one in its first word.
  private var firstFree: UnsafeMutableRawPointer?
  private var freeCount = 0
  let scratch: UnsafeMutableRawBufferPointer

  init() {
    unsafe firstFree = nil
    unsafe scratch = .allocate(byteCount: Self.scratchSize, alignment: 64)
  }

  deinit {
    while let block = unsafe takeFree() { unsafe block.deallocate() }
    unsafe scratch.deallocate()
  }

  /// Returns a block of at least `size` bytes, and how many it has.
  @unsafe
  func take(_ size: Int) -> (UnsafeMutableRawPointer, Int) {
    if size > Self.blockSize { return (.allocate(byteCount: size, alignment: 16), size) }
    if let block = unsafe takeFree() { return unsafe (block, Self.blockSize) }
    return (.allocate(byteCount: Self.blockSize, alignment: 16), Self.blockSize)
  }

  @unsafe
  func give(_ block: UnsafeMutableRawPointer, _ capacity: Int) {
    if capacity != Self.blockSize || freeCount == Self.freeBlockCountMax {
      unsafe block.deallocate()
      return
    }
    unsafe block.storeBytes(of: firstFree, as: UnsafeMutableRawPointer?.self)
    unsafe firstFree = block
    freeCount += 1
  }

  @unsafe
  private func takeFree() -> UnsafeMutableRawPointer? {
    guard let block = unsafe firstFree else { return nil }
    unsafe firstFree = block.load(as: UnsafeMutableRawPointer?.self)
    freeCount -= 1
    return unsafe block
  }
}
