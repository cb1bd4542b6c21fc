public import Wire

/// Sent by a player: sets what the caller wants of challenges in this game.
///
/// Cost: one row.
public struct SetChallengePreferences: Operation {
  public static let opcode = Opcode(.leaderboard, 0x28)
  public typealias Reply = Empty
  /// Whether challenges are issued back: when the player beats a score challenge from now on, with
  /// a strictly better score, its issuer is challenged with that score, unless a pending challenge
  /// asks for as much. It is off by default.
  public var issuesBack = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("issuesBack", &issuesBack)
  }
}

/// Returns what the caller has set last by `SetChallengePreferences`, or the defaults.
///
/// Cost: constant.
public struct GetChallengePreferences: Operation {
  public static let opcode = Opcode(.leaderboard, 0x29)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var issuesBack = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("issuesBack", &issuesBack)
    }
  }
}
