/// Holds back lines that strangers or a fault could write any number of: of each kind the first is
/// written at once, and then one in a while at most, a minute unless set, which says how many were
/// kept back.
///
/// Kinds are words of our own, such as a failure's code: what a peer sends makes none.
public struct LogPace: Sendable {
  public static let quietMilliseconds: UInt64 = 60_000
  /// More kinds than these count as one.
  static let kindsMax = 64

  private struct Kind {
    var quietUntil: UInt64
    var keptBack = 0
  }

  private let quietMilliseconds: UInt64
  private var kinds: [String: Kind] = [:]

  /// - Parameter quietMilliseconds: between two lines of a kind.
  public init(quietMilliseconds: UInt64 = Self.quietMilliseconds) {
    self.quietMilliseconds = quietMilliseconds
  }

  /// Returns how many lines of this kind were kept back since the last one that was written; nil
  /// when this one is kept back too.
  ///
  /// - Parameter now: milliseconds of a clock that never goes back.
  public mutating func admit(_ kind: String, now: UInt64) -> Int? {
    let name = kinds[kind] != nil || kinds.count < Self.kindsMax ? kind : ""
    if let known = kinds[name], now < known.quietUntil {
      kinds[name]?.keptBack += 1
      return nil
    }
    let keptBack = kinds[name]?.keptBack ?? 0
    kinds[name] = Kind(quietUntil: now + quietMilliseconds)
    return keptBack
  }
}
