/// Decides when the log says that many connections are refused: strangers make any number of them,
/// so it is one line a minute at most, and none for the few that there always are. (`LogPace`, the
/// pace of other lines, says each kind's first.)
public struct FloodWatch: Sendable {
  /// In a minute. Port scanners and clients of a wrong authority make fewer.
  public static let refusalsMin = 100
  public static let windowMilliseconds: UInt64 = 60_000

  private var windowEnd: UInt64 = 0
  private var countInWindow = 0
  private var countUntold = 0
  private var isTold = false

  public init() {}

  /// Returns how many were refused since the last word, when that is to be said now.
  ///
  /// - Parameter now: milliseconds of a clock that never goes back.
  public mutating func refused(at now: UInt64) -> Int? {
    if now >= windowEnd {
      // What there was before a quiet time is no part of this flood.
      if now >= windowEnd + Self.windowMilliseconds { countUntold = 0 }
      (windowEnd, countInWindow, isTold) = (now + Self.windowMilliseconds, 0, false)
    }
    countInWindow += 1
    countUntold += 1
    if isTold || countInWindow < Self.refusalsMin { return nil }
    isTold = true
    defer { countUntold = 0 }
    return countUntold
  }
}
