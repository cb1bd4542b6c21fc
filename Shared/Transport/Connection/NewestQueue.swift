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

  /// Frames of one stream that may wait: in a match, one to all others, and one to each.
  static let perStreamMax = 16

  private var frames: [UInt64: (bytes: [UInt8], stream: UInt64?)] = [:]
  /// The waiting keys of each stream, in the order in which they began to wait.
  private var streams: [UInt64: [UInt64]] = [:]
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
  ///
  /// - Parameter stream: of several keys, of which so many may wait that whoever chooses them does
  ///   not push out others'; nil for a key by itself.
  mutating func put(
    _ frame: [UInt8], key: UInt64, of stream: UInt64? = nil, _ bounds: Bounds
  ) -> Int {
    var lostCount = 0
    if frame.count > bounds.bytesMax {
      // The one before it would be told as if it were the newest.
      return 1 + (remove(key) ? 1 : 0)
    }
    byteCount += frame.count
    if let replaced = frames.updateValue((frame, stream), forKey: key) {
      byteCount -= replaced.bytes.count
      lostCount += 1
      // Two streams may meet in one key.
      if replaced.stream != stream {
        leave(replaced.stream, key)
        lostCount += join(stream, key)
      }
    } else {
      keys.append(key)
      lostCount += join(stream, key)
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
    let key = keys[first]
    guard let (frame, stream) = frames.removeValue(forKey: key) else {
      preconditionFailure("a key waits without a frame")
    }
    byteCount -= frame.count
    first += 1
    leave(stream, key)
    trim()
    return frame
  }

  /// Counts a key among those of its stream. Returns how many frames were pushed out by that.
  private mutating func join(_ stream: UInt64?, _ key: UInt64) -> Int {
    guard let stream else { return 0 }
    streams[stream, default: []].append(key)
    guard let waiting = streams[stream], waiting.count > Self.perStreamMax else { return 0 }
    return remove(waiting[0]) ? 1 : 0
  }

  private mutating func leave(_ stream: UInt64?, _ key: UInt64) {
    guard let stream, var waiting = streams.removeValue(forKey: stream) else { return }
    waiting.removeAll { $0 == key }
    if !waiting.isEmpty { streams[stream] = waiting }
  }

  /// Drops everything. Returns how many frames that were.
  mutating func removeAll() -> Int {
    let count = frames.count
    self = NewestQueue()
    return count
  }

  /// A frame too large for the queue is rare, and so is a stream with too many, so the search is no
  /// matter.
  private mutating func remove(_ key: UInt64) -> Bool {
    guard let (frame, stream) = frames.removeValue(forKey: key),
      let index = keys[first...].firstIndex(of: key)
    else { return false }
    byteCount -= frame.count
    keys.remove(at: index)
    leave(stream, key)
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
