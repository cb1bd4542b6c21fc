/// Live data that waits for a peer that does not keep up: for each key one frame, the newest.
///
/// A newer frame takes the place of the older one with the same key, so that every key gets its
/// turn, however often it is renewed. What waits is bounded by keys and by bytes; past either, what
/// has waited for longest is dropped. So it closes no connection, and a peer that reads again is
/// behind by no more than this.
///
/// A value without a socket: frames go in, and come out when there is room. An empty one holds no
/// memory.
struct NewestQueue {
  struct Bounds {
    var keysMax: Int
    var bytesMax: Int
  }

  private var frames: [UInt64: [UInt8]] = [:]
  /// The keys in the order in which they began to wait; those before `first` have left.
  private var keys: [UInt64] = []
  private var first = 0
  private(set) var byteCount = 0

  var count: Int { frames.count }
  var isEmpty: Bool { frames.isEmpty }

  /// Puts a frame behind those that wait, or in the place of the one with the same key.
  ///
  /// Returns how many frames were lost by that: replaced, pushed out, or this one itself, when it
  /// is larger than everything that may wait.
  mutating func put(_ frame: [UInt8], key: UInt64, _ bounds: Bounds) -> Int {
    var lostCount = 0
    if frame.count > bounds.bytesMax {
      // The one before it would be told as if it were the newest.
      return 1 + (remove(key) ? 1 : 0)
    }
    byteCount += frame.count
    if let replaced = frames.updateValue(frame, forKey: key) {
      byteCount -= replaced.count
      lostCount += 1
    } else {
      keys.append(key)
    }
    while frames.count > bounds.keysMax || byteCount > bounds.bytesMax {
      _ = takeFirst()
      lostCount += 1
    }
    return lostCount
  }

  /// Takes out the frame whose key has waited for longest.
  mutating func takeFirst() -> [UInt8]? {
    guard first < keys.count else { return nil }
    guard let frame = frames.removeValue(forKey: keys[first]) else {
      preconditionFailure("a key waits without a frame")
    }
    byteCount -= frame.count
    first += 1
    trim()
    return frame
  }

  /// Drops everything. Returns how many frames that were.
  mutating func removeAll() -> Int {
    let count = frames.count
    self = NewestQueue()
    return count
  }

  /// A frame too large for the queue is rare, so the search is no matter.
  private mutating func remove(_ key: UInt64) -> Bool {
    guard let frame = frames.removeValue(forKey: key),
      let index = keys[first...].firstIndex(of: key)
    else { return false }
    byteCount -= frame.count
    keys.remove(at: index)
    trim()
    return true
  }

  private mutating func trim() {
    if frames.isEmpty {
      precondition(byteCount == 0, "bytes of no frame are counted")
      self = NewestQueue()
    } else if first > 32 && first * 2 > keys.count {
      keys.removeFirst(first)
      first = 0
    }
  }
}
