public import Wire

/// A player's place on a board.
public struct LeaderboardEntry: Message, Hashable {
  /// From 1, within the scope of the query.
  public var rank: UInt32 = 0
  public var player = PlayerID()
  public var value: Int64 = 0
  /// Sixty-four bits of the game's own, from the same attempt as the value.
  public var context: UInt64 = 0
  /// Milliseconds since 1970, by the server's clock.
  public var date: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("rank", &rank)
    visit.field("player", &player)
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("date", &date)
  }
}

/// A stretch of a ranking.
public struct ScorePage: Message, Hashable {
  /// In board order.
  public var entries: [LeaderboardEntry] = []
  /// The caller's own entry, with the rank it has (or would have) in the scope; nil without one.
  public var localEntry: LeaderboardEntry?
  /// How many entries the scope has in all.
  public var total: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("entries", &entries)
    visit.field("localEntry", &localEntry)
    visit.field("total", &total)
  }
}

/// The part of a ranking that a query asks for: ranks `start` to `start + count - 1`.
public enum ScoreRange {
  public static func fault(start: UInt32, count: UInt32) -> Failure? {
    guard start >= 1 else {
      return Failure(.invalidArgument, argument: "start", "A range starts at 1.")
    }
    return fault(count: count)
  }

  public static func fault(count: UInt32) -> Failure? {
    guard count >= 1, count <= LeaderboardLimits.entryCountMax else {
      return Failure(
        .invalidArgument, argument: "count",
        "A range has 1 to \(LeaderboardLimits.entryCountMax) entries.")
    }
    return nil
  }
}
