public import Wire

/// Sent by a player: returns whether a friend can still be challenged to earn an achievement, and
/// if not, why. A client makes one call for each friend of its player.
///
/// Errors: `requiredArgument` (receiver, achievement), `invalidArgument` (achievement), `notFound`
/// (achievement). Cost: one read.
public struct CheckAchievementChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x26)
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [
      // Friendship is asked for at the friend: the caller's whole list with each call would be a
      // thousand lists for a thousand friends.
      .fact(FetchAchievementRules.self, at: .game),
      .fact(FetchPlayer.self, at: .field("receiver")),
    ]
  }
  public var receiver = PlayerID()
  public var achievement = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("receiver", &receiver)
    visit.field("achievement", &achievement)
  }

  public struct Reply: Message {
    /// `none` for a player who can be challenged.
    public var refusal = ChallengeRefusal()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("refusal", &refusal)
    }
  }

  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if receiver.isNil {
      return Failure(.requiredArgument, argument: "receiver", "A player must be named.")
    }
    return AchievementName.fault(of: achievement)
  }
}
