/// When a bounded table whose places are all taken was last looked through for one that can be had.
/// That takes a millisecond, so that it is done once a second and not for each new key.
struct RoomSearch {
  /// How long a new key waits for which there is no room.
  static let fullMilliseconds: UInt32 = 1_000

  private var lastAt: UInt64?

  /// Whether to look now; if so, that is noted.
  mutating func begins(now: UInt64) -> Bool {
    if let lastAt, now < lastAt + UInt64(Self.fullMilliseconds) { return false }
    lastAt = now
    return true
  }
}
