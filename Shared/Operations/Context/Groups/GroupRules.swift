public import Wire

public enum ContextLinkKind: IdentifierKind { public static let name = "ContextLink" }

/// The secret part of a group's link: whoever has it may join while the policy is `byLink`.
public typealias ContextLink = Identifier<ContextLinkKind>

/// How players come into a group.
public struct JoinPolicy: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Only invited players enter.
  public static let byInvite = Self(rawValue: 0)
  /// Whoever asks is let in, or not, by the owner or a moderator.
  public static let byRequest = Self(rawValue: 1)
  /// Whoever has the link's secret enters.
  public static let byLink = Self(rawValue: 2)
  /// Whoever knows the context's id enters.
  public static let open = Self(rawValue: 3)

  public static let names = ["byInvite", "byRequest", "byLink", "open"]
}

/// What became of one invitation.
public struct InvitationOutcome: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let invited = Self(rawValue: 0)
  /// The player is no friend, is unknown, or is kept apart from the inviter by a block, which are
  /// not told apart.
  public static let notReachable = Self(rawValue: 1)
  /// The player is in the group or invited already.
  public static let alreadyIn = Self(rawValue: 2)
  /// There is no room for one more.
  public static let full = Self(rawValue: 3)
  /// The player was removed from the group: only its owner or a moderator can invite the player.
  public static let removed = Self(rawValue: 4)

  public static let names = ["invited", "notReachable", "alreadyIn", "full", "removed"]
}

/// One player whom a call invites, and what became of it.
public struct ContextInvitee: Message, Hashable {
  public var player = PlayerID()
  public var outcome = InvitationOutcome()
  public init() {}
  public init(player: PlayerID, outcome: InvitationOutcome) {
    self.player = player
    self.outcome = outcome
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("outcome", &outcome)
  }
}

/// Which of a player's contexts are offered to choose from.
public struct ChooseFilter: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// All contexts that the player is in or invited to.
  public static let none = Self(rawValue: 0)
  /// Those with open challenges, on a board that is linked to the context.
  public static let existingChallenges = Self(rawValue: 1)
  /// Those with other players, none of whom has ever had a session in this game.
  public static let newPlayersOnly = Self(rawValue: 2)
  /// Those in which nothing was played in this generation.
  public static let newContextOnly = Self(rawValue: 3)

  public static let names = ["none", "existingChallenges", "newPlayersOnly", "newContextOnly"]
}

/// What a group's settings must keep to, whatever is stored.
public enum GroupRules {
  public static func fault(sizeMax: UInt32) -> Failure? {
    let sizes = ContextLimits.groupSizeMin...ContextLimits.groupSizeMax
    if sizes.contains(Int(sizeMax)) { return nil }
    return Failure(
      .invalidArgument, argument: "sizeMax",
      "A group has room for \(sizes.lowerBound) to \(sizes.upperBound) players.")
  }

  public static func fault(policy: JoinPolicy) -> Failure? {
    if policy.isKnown { return nil }
    return Failure(.invalidArgument, argument: "policy", "There is no such join policy.")
  }

  /// The length comes first: a long text is not read through.
  public static func fault(name: String) -> Failure? {
    if name.isEmpty { return nil }
    guard name.utf8.count <= ContextLimits.groupNameBytesMax else {
      return Failure(
        .invalidArgument, argument: "name",
        "A group's name has at most \(ContextLimits.groupNameBytesMax) bytes.")
    }
    return TextRules.fault(inLine: name).map {
      Failure(.invalidArgument, argument: "name", "The group's name \($0).")
    }
  }

  public static func fault(invitees players: [PlayerID]) -> Failure? {
    if players.count <= ContextLimits.inviteesMax { return nil }
    return Failure(
      .limitReached, argument: "players",
      "One call invites at most \(ContextLimits.inviteesMax) players.")
  }
}
