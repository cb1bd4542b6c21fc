public import Wire

/// Which scores come first.
public struct ScoreOrder: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let highFirst = Self(rawValue: 0)
  public static let lowFirst = Self(rawValue: 1)

  public static let names = ["highFirst", "lowFirst"]

  /// Returns whether `left` is strictly better than `right`.
  @inlinable
  public func isBetter(_ left: Int64, than right: Int64) -> Bool {
    self == .lowFirst ? left < right : left > right
  }
}

/// How a player's entry is made of the player's attempts.
public struct ScoreAggregation: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The entry is the best attempt: its value, tag and date.
  public static let best = Self(rawValue: 0)
  /// The entry is the latest attempt.
  public static let latest = Self(rawValue: 1)
  /// The value is the sum of all attempts; tag and date are those of the last attempt that changed
  /// it.
  public static let sum = Self(rawValue: 2)

  public static let names = ["best", "latest", "sum"]
}

/// How equal values are ranked.
public struct ScoreTieRule: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The player who had the value first has the better rank; no two players share a rank.
  public static let earliestFirst = Self(rawValue: 0)
  /// Players with equal values share the best of their ranks, and the ranks that they would have
  /// had are left out (1, 2, 2, 4).
  public static let sharedRank = Self(rawValue: 1)

  public static let names = ["earliestFirst", "sharedRank"]
}

/// How a game shows a value; the server knows integers only.
public struct ScoreFormat: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let integer = Self(rawValue: 0)
  public static let oneDecimal = Self(rawValue: 1)
  public static let twoDecimals = Self(rawValue: 2)
  public static let threeDecimals = Self(rawValue: 3)
  /// Elapsed time in minutes.
  public static let minutes = Self(rawValue: 4)
  /// Elapsed time in seconds.
  public static let seconds = Self(rawValue: 5)
  /// Elapsed time in hundredths of a second.
  public static let hundredths = Self(rawValue: 6)

  public static let names = [
    "integer", "oneDecimal", "twoDecimals", "threeDecimals", "minutes", "seconds", "hundredths",
  ]
}
