internal import MusterKit

/// What a match is for: it says how many players it may have.
public enum GKMatchType: UInt, Sendable {
  case peerToPeer = 0
  case hosted = 1
  case turnBased = 2
}

/// What a ticket offers for the rules of its queue, by the properties' names.
public typealias GKMatchProperties = [String: Any]

/// Says with whom the local player wants to play: with friends, with anybody, or both.
@preconcurrency @MainActor
public final class GKMatchRequest {
  public static let playersMin = 2

  /// The least number of players; a number below 2 becomes 2.
  public var minPlayers: Int {
    get { countMin }
    set { countMin = Self.clamped(newValue) }
  }
  /// The greatest number of players; a number above 16 becomes 16.
  public var maxPlayers: Int {
    get { countMax }
    set { countMax = Self.clamped(newValue) }
  }
  /// With how many the match is to begin, where friends are invited: seats for which there is no
  /// friend go to whoever waits.
  public var defaultNumberOfPlayers: Int {
    get { countDefault }
    set { countDefault = Self.clamped(newValue) }
  }
  /// The friends to play with, who are invited; nobody means anybody. If they are fewer than
  /// `defaultNumberOfPlayers` asks for, the other seats go to whoever waits.
  public var recipients: [GKPlayer]?
  /// A text for the friends.
  public var inviteMessage: String?
  /// Partitions those who wait: only players of one group meet.
  public var playerGroup = 0
  /// The queue in which to wait, by its name; it takes the place of `playerGroup`.
  public var queueName: String?
  /// A mask that makes up all ones with those of the other players; 0 for none.
  public var playerAttributes: UInt32 = 0
  /// For the rules of the queue: whole numbers and texts, by the properties' names.
  public var properties: GKMatchProperties?
  /// Whether to play with anybody, whoever the recipients are.
  public var restrictToAutomatch = false
  /// Called when a friend who was invited has answered, or has not in time.
  public var recipientResponseHandler: (@MainActor (GKPlayer, GKInviteRecipientResponse) -> Void)?
  /// The older form of `recipientResponseHandler`, which gets the friend's id.
  public var inviteeResponseHandler: (@MainActor (String, GKInviteeResponse) -> Void)?

  /// The older form of `recipients`: their ids. What is no player's id is left out.
  public var playersToInvite: [String]? {
    get { recipients?.map(\.playerID) }
    set {
      recipients = newValue?.compactMap { PlayerID($0) }.map { GKPlayer($0, displayName: "") }
    }
  }

  private var countMin = playersMin
  private var countMax = ContextLimits.matchPlayersMax
  private var countDefault = playersMin

  public init() {}

  /// The most players of a match of Muster; of a hosted one those that can be brought together.
  public static func maxPlayersAllowedForMatch(of matchType: GKMatchType) -> Int {
    switch matchType {
    case .peerToPeer: ContextLimits.matchPlayersMax
    case .hosted: MatchmakingLimits.playersMax
    case .turnBased: TurnLimits.playersMax
    }
  }

  private static func clamped(_ count: Int) -> Int {
    min(max(count, playersMin), ContextLimits.matchPlayersMax)
  }
}
