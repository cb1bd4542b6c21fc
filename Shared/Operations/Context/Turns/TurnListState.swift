public import Wire

/// Where a game stands in a player's list.
public struct TurnListState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let waiting = Self(rawValue: 1)
  public static let running = Self(rawValue: 2)

  public static let names = ["none", "waiting", "running"]
}
