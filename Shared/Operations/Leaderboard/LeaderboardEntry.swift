public import Wire

/// A player's place on a board.
public struct LeaderboardEntry: Message, Hashable {
  /// The rank within the scope of the query, from 1.
  public var rank: UInt32 = 0
  public var player = PlayerID()
  public var value: Int64 = 0
  /// The number of the game's own that came with the attempt; see `SubmitScore.scoreTag`.
  public var scoreTag: UInt64 = 0
  /// The date of the attempt, in milliseconds since 1970 by the server's clock.
  public var date: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("rank", &rank)
    visit.field("player", &player)
    visit.field("value", &value)
    visit.field("scoreTag", &scoreTag)
    visit.field("date", &date)
  }
}

/// A part of a ranking.
public struct ScorePage: Message, Hashable {
  /// The entries in the order of their ranks.
  public var entries: [LeaderboardEntry] = []
  /// The caller's own entry, with the rank that it has, or would have, in the scope; nil when the
  /// caller has no entry.
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
