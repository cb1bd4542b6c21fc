public import Wire

/// Returns the open challenges that the caller has received in this game, newest first.
///
/// Errors: `invalidArgument` (cursor, limit). Cost: O(limit).
public struct ReceivedChallenges: Operation {
  public static let opcode = Opcode(.leaderboard, 0x23)
  public typealias Reply = ChallengePage
  public static var isReadOnly: Bool { true }
  /// Empty for the first page.
  public var cursor = ""
  public var limit: UInt32 = 50
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? { ChallengePage.fault(limit: limit) }
}

/// A page of a list of challenges.
public struct ChallengePage: Message, Hashable {
  public var challenges: [Challenge] = []
  /// Where the next page begins; empty after the last one.
  public var cursor = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenges", &challenges)
    visit.field("cursor", &cursor)
  }

  public static func fault(limit: UInt32) -> Failure? {
    guard limit >= 1, limit <= LeaderboardLimits.challengePageMax else {
      return Failure(
        .invalidArgument, argument: "limit",
        "A page has 1 to \(LeaderboardLimits.challengePageMax) challenges.")
    }
    return nil
  }
}
