/// When the operator is told that the machine's clock is wrong, or right again: once for each
/// change, and from time to time while it is wrong.
struct ClockNews {
  enum Word: Equatable {
    /// The clock is ahead and not believed.
    case ahead
    /// The clock is behind the time that is used.
    case behind
    case right
    /// The clock has jumped ahead by so much, and is believed because of the start.
    case allowed(milliseconds: Int64)
  }

  static var repeatMicroseconds: UInt64 { 600_000_000 }

  private var told = Word.right
  private var toldAt: UInt64 = 0
  /// Jumps ahead that were not believed.
  private(set) var refusedCount: UInt64 = 0
  /// Jumps ahead that were believed because of the start: one at most.
  private(set) var allowedCount: UInt64 = 0

  /// Returns what is to be told now; nil for nothing.
  ///
  /// - Parameters:
  ///   - ahead: how far the clock is ahead of what is believed, in milliseconds; 0 when it is
  ///     believed.
  ///   - behind: how far it is behind the time that is used.
  ///   - allowed: how far the jump went that was believed because of the start; 0 for none.
  mutating func word(
    ahead: Int64, behind: Int64, allowed: Int64, microseconds: UInt64
  ) -> Word? {
    if allowed > 0 && allowedCount == 0 {
      allowedCount = 1
      told = .right
      return .allowed(milliseconds: allowed)
    }
    let word: Word =
      ahead > 0 ? .ahead : behind > ClockTrust.gainMillisecondsMax ? .behind : .right
    if word == .ahead && told != .ahead { refusedCount += 1 }
    if word == told && (word == .right || microseconds - toldAt < Self.repeatMicroseconds) {
      return nil
    }
    (told, toldAt) = (word, microseconds)
    return word
  }
}

extension Log {
  func tell(_ word: ClockNews.Word, wall: Int64, used: Int64) {
    let times: KeyValuePairs = ["clock": Self.time(wall), "used": Self.time(used)]
    switch word {
    case .ahead: error("the machine's clock has jumped ahead and is not believed", times)
    case .behind: warning("the machine's clock is behind the time that is used", times)
    case .right: info("the machine's clock is right again", times)
    case .allowed(let milliseconds):
      warning(
        "the machine's clock has jumped ahead and is believed this once",
        ["clock": Self.time(wall), "seconds": "\(milliseconds / 1000)"])
    }
  }
}
