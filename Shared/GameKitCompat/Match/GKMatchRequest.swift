internal import MusterKit

/// Says with whom the local player wants to play.
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
  /// The friend to play with: exactly one.
  public var recipients: [GKPlayer]?
  /// A text with which the friend is invited by a request, whose data is the context's id; without
  /// a text no request is sent.
  public var inviteMessage: String?

  private var countMin = playersMin
  private var countMax = ContextLimits.matchPlayersMax
  private var countDefault = playersMin

  public init() {}

  private static func clamped(_ count: Int) -> Int {
    min(max(count, playersMin), ContextLimits.matchPlayersMax)
  }

  /// Returns the friend to play with. Throws for a match that is not of two players.
  func friend() throws(GKError) -> PlayerID {
    guard let recipients, let friend = recipients.first, recipients.count == 1 else {
      throw GKError(
        .invalidArgument, argument: "recipients", "A match is with one friend: name exactly one.")
    }
    guard minPlayers == 2 else {
      throw GKError(.invalidArgument, argument: "minPlayers", "A match has two players.")
    }
    return friend.identifier
  }
}
