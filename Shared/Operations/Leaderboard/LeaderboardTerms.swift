public import Wire

/// Which scores come first.
public struct ScoreOrder: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let highFirst = Self(rawValue: 0)
  public static let lowFirst = Self(rawValue: 1)

  public static let names = ["highFirst", "lowFirst"]

  /// True when `left` stands before `right`, strictly.
  @inlinable
  public func isBetter(_ left: Int64, than right: Int64) -> Bool {
    self == .lowFirst ? left < right : left > right
  }
}

/// What a player's entry is made of.
public struct ScoreAggregation: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The best attempt, whole: its value, context and date.
  public static let best = Self(rawValue: 0)
  /// The latest attempt, whole.
  public static let latest = Self(rawValue: 1)
  /// The sum of all values, with the context and date of the last attempt that changed it.
  public static let sum = Self(rawValue: 2)

  public static let names = ["best", "latest", "sum"]
}

/// How equal values are ranked.
public struct ScoreTieRule: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Whoever had the value first stands first; every rank is held once.
  public static let earliestFirst = Self(rawValue: 0)
  /// Equal values share the best of their ranks, and the ranks after it are left out (1, 2, 2, 4).
  public static let sharedRank = Self(rawValue: 1)

  public static let names = ["earliestFirst", "sharedRank"]
}

/// How a game shows a value; the server keeps plain integers.
public struct ScoreFormat: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let integer = Self(rawValue: 0)
  public static let oneDecimal = Self(rawValue: 1)
  public static let twoDecimals = Self(rawValue: 2)
  public static let threeDecimals = Self(rawValue: 3)
  /// Elapsed time; the value counts minutes, seconds or hundredths of a second.
  public static let minutes = Self(rawValue: 4)
  public static let seconds = Self(rawValue: 5)
  public static let hundredths = Self(rawValue: 6)

  public static let names = [
    "integer", "oneDecimal", "twoDecimals", "threeDecimals", "minutes", "seconds", "hundredths",
  ]
}
