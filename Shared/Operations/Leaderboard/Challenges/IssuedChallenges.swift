public import Wire

/// Returns the challenges that the caller issued in this game, newest first: all open ones, and of
/// the others those that ended last.
///
/// Errors: `invalidArgument` (cursor, limit). Cost: O(limit).
public struct IssuedChallenges: Operation {
  public static let opcode = Opcode(.leaderboard, 0x24)
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
