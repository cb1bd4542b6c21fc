internal import MusterKit

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
  public var defaultNumberOfPlayers: Int {
    get { countDefault }
    set { countDefault = Self.clamped(newValue) }
  }
  /// The friends to play with; nobody means anybody. With one friend and no more than two players,
  /// both ask for the match, each naming the other. More friends are invited, and seats that stay
  /// free are filled with anybody.
  public var recipients: [GKPlayer]?
  /// A text for the friends. One friend gets it in a request, whose data is the context's id, and
  /// none without a text.
  public var inviteMessage: String?
  /// Partitions those who wait: only players of one group meet.
  public var playerGroup = 0
  /// A mask that makes up all ones with those of the other players; 0 for none.
  public var playerAttributes: UInt32 = 0
  /// Whether to play with anybody, whoever the recipients are.
  public var restrictToAutomatch = false

  private var countMin = playersMin
  private var countMax = ContextLimits.matchPlayersMax
  private var countDefault = playersMin

  public init() {}

  private static func clamped(_ count: Int) -> Int {
    min(max(count, playersMin), ContextLimits.matchPlayersMax)
  }

  var criteria: MatchCriteria {
    get throws(GKError) {
      if minPlayers > maxPlayers {
        throw GKError(
          .invalidArgument, argument: "minPlayers", "The least players are more than the most.")
      }
      var criteria = MatchCriteria()
      criteria.minPlayers = UInt32(minPlayers)
      criteria.maxPlayers = UInt32(maxPlayers)
      criteria.playerAttributes = playerAttributes
      return criteria
    }
  }

  /// Whom to ask for the match.
  enum Way: Equatable {
    /// The friend, in the context of the two.
    case friend(PlayerID)
    case invited([PlayerID])
    case anybody
  }

  func way() throws(GKError) -> Way {
    let players = (recipients ?? []).map(\.identifier)
    if players.isEmpty || restrictToAutomatch { return .anybody }
    guard Set(players).count == players.count, players.count < maxPlayers else {
      throw GKError(
        .invalidArgument, argument: "recipients",
        "Each friend is named once, and there are no more than the match has room for.")
    }
    return players.count == 1 && minPlayers == 2 ? .friend(players[0]) : .invited(players)
  }
}
