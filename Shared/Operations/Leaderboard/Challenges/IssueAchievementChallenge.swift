public import Wire

/// Sent by a player: challenges a friend to earn an achievement that the player has completed. It
/// runs at the receiver's key, which knows whether the receiver can still earn it. Each receiver
/// takes a call of its own, so that a receiver who cannot be challenged does not keep the others
/// from being challenged.
///
/// Errors: `requiredArgument` (receiver, achievement), `invalidArgument` (achievement, message,
/// lifetimeMilliseconds), `notFound` (achievement), `notAllowed` (achievement when the caller has
/// not completed it), `rateLimited` when the caller has issued more such challenges to this
/// receiver than the deployment allows in a row. Cost: one read, two rows, two effects.
public struct IssueAchievementChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x25)
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [
      .fact(FetchFriends.self, at: .caller), .fact(FetchAchievementRules.self, at: .game),
      .fact(FetchReportedAchievements.self, at: .caller),
      .fact(FetchPlayer.self, at: .field("receiver")),
    ]
  }
  public var receiver = PlayerID()
  public var achievement = ""
  public var message = ""
  /// The time after which the challenge expires if it was not completed; nil: the deployment's, by
  /// default none.
  public var lifetimeMilliseconds: UInt64?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("receiver", &receiver)
    visit.field("achievement", &achievement)
    visit.field("message", &message)
    visit.field("lifetimeMilliseconds", &lifetimeMilliseconds)
  }

  public struct Reply: Message {
    public var outcome = ChallengeOutcome()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("outcome", &outcome)
    }
  }

  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if receiver.isNil {
      return Failure(.requiredArgument, argument: "receiver", "The challenge has no receiver.")
    }
    return AchievementName.fault(of: achievement) ?? ChallengeRules.fault(message: message)
      ?? ChallengeRules.fault(lifetimeMilliseconds: lifetimeMilliseconds)
  }
}

/// The rules for every challenge.
enum ChallengeRules {
  static func fault(message: String) -> Failure? {
    let sizeMax = LeaderboardLimits.challengeMessageBytesMax
    let fault =
      message.utf8.count > sizeMax ? "has at most \(sizeMax) bytes" : TextRules.fault(in: message)
    return fault.map {
      Failure(.invalidArgument, argument: "message", "A challenge's message \($0).")
    }
  }

  static func fault(lifetimeMilliseconds: UInt64?) -> Failure? {
    let most = LeaderboardLimits.challengeLifetimeMillisecondsMax
    guard let lifetimeMilliseconds, !(1...most).contains(lifetimeMilliseconds) else { return nil }
    return Failure(
      .invalidArgument, argument: "lifetimeMilliseconds",
      "A challenge lasts for 1 to \(most) milliseconds; without a lifetime it has the deployment's."
    )
  }
}
