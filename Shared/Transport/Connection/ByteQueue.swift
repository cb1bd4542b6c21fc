/// Bytes in the order they came, in one block that grows as needed and is given up when empty.
///
/// An idle connection so holds no memory for bytes; a busy one takes its block from the loop's pool,
/// so no message allocates.
@safe
struct ByteQueue: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private var start = 0
  private var end = 0

  init() { unsafe base = nil }

  deinit { unsafe base?.deallocate() }

  var count: Int { end - start }
  var isEmpty: Bool { end == start }

  /// The bytes in the queue; valid until the queue is changed.
  @unsafe var readable: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(
      start: base.map { unsafe UnsafeRawPointer($0 + start) }, count: count)
  }

  /// Makes room for `size` more bytes and counts them in; the caller fills them at once.
  @unsafe
  mutating func extend(_ size: Int, _ pool: BufferPool) -> UnsafeMutableRawBufferPointer {
    if unsafe base == nil || capacity - end < size { grow(size, pool) }
    let room = unsafe UnsafeMutableRawBufferPointer(
      start: base.map { unsafe $0 + end }, count: size)
    end += size
    return unsafe room
  }

  @unsafe
  mutating func append(_ bytes: UnsafeRawBufferPointer, _ pool: BufferPool) {
    if bytes.count == 0 { return }
    unsafe extend(bytes.count, pool).copyMemory(from: bytes)
  }

  mutating func consume(_ size: Int) { start += size }

  /// Gives the block back when nothing is in it.
  mutating func trim(_ pool: BufferPool) {
    if !isEmpty { return }
    start = 0
    end = 0
    if let block = unsafe base {
      unsafe pool.give(block, capacity)
      unsafe base = nil
      capacity = 0
    }
  }

  private mutating func grow(_ size: Int, _ pool: BufferPool) {
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
      capacity = blockCapacity
    }
    start = 0
    end = used
  }
}

/// Blocks that connections of one loop take while they have bytes to hold, and the one buffer that
/// all of them read into.
@safe
final class BufferPool {
  /// A block holds the replies of one turn of a typical client.
  static let blockSize = 4096
  /// Blocks kept for later: 1 MiB per loop.
  static let blockCountMax = 256
  /// Read at once from a socket: four TLS records.
  static let scratchSize = 64 << 10

  private var free: [UnsafeMutableRawPointer] = unsafe []
  let scratch: UnsafeMutableRawBufferPointer

  init() {
    unsafe scratch = .allocate(byteCount: Self.scratchSize, alignment: 64)
    unsafe free.reserveCapacity(Self.blockCountMax)
  }

  deinit {
    while let block = unsafe free.popLast() { unsafe block.deallocate() }
    unsafe scratch.deallocate()
  }

  @unsafe
  func take(_ size: Int) -> (UnsafeMutableRawPointer, Int) {
    if size <= Self.blockSize {
      if let block = unsafe free.popLast() { return unsafe (block, Self.blockSize) }
      return (.allocate(byteCount: Self.blockSize, alignment: 16), Self.blockSize)
    }
    return (.allocate(byteCount: size, alignment: 16), size)
  }

  @unsafe
  func give(_ block: UnsafeMutableRawPointer, _ capacity: Int) {
    if unsafe capacity == Self.blockSize && free.count < Self.blockCountMax {
      unsafe free.append(block)
    } else {
      unsafe block.deallocate()
    }
  }
}
