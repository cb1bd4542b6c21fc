public import Wire

/// The caller's wishes about challenges in this game.
///
/// Cost: one row.
public struct SetChallengePreferences: Operation {
  public static let opcode = Opcode(.leaderboard, 0x28)
  public typealias Reply = Empty
  /// A score challenge that the player beats from now on, by a strictly better score, is issued back
  /// to its issuer with that score, unless a pending one asks for as much. Off until switched on.
  public var issuesBack = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("issuesBack", &issuesBack)
  }
}

/// What the caller has last set by `SetChallengePreferences`, or the defaults.
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
