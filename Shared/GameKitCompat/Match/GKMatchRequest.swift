internal import MusterKit

/// Whom to play with.
@preconcurrency @MainActor
public final class GKMatchRequest {
  public static let playersMin = 2

  /// Never below 2.
  public var minPlayers: Int {
    get { least }
    set { least = Self.clamped(newValue) }
  }
  /// At most 16, whatever is asked for.
  public var maxPlayers: Int {
    get { most }
    set { most = Self.clamped(newValue) }
  }
  public var defaultNumberOfPlayers: Int {
    get { usual }
    set { usual = Self.clamped(newValue) }
  }
  /// The friend to play with: exactly one.
  public var recipients: [GKPlayer]?
  /// When set, the friend gets an invitation with it among its requests; its data is the context.
  public var inviteMessage: String?

  private var least = playersMin
  private var most = ContextLimits.matchPlayersMax
  private var usual = playersMin

  public init() {}

  private static func clamped(_ count: Int) -> Int {
    min(max(count, playersMin), ContextLimits.matchPlayersMax)
  }

  /// Today's matches are of two friends.
  func friend() throws(GKError) -> PlayerID {
    guard let recipients, let friend = recipients.first, recipients.count == 1 else {
      throw GKError(
        .invalidArgument, argument: "recipients", "A match is with one friend: name exactly one.")
    }
    guard minPlayers == 2 else {
      throw GKError(.invalidArgument, argument: "minPlayers", "A match is of two players.")
    }
    return friend.identifier
  }
}
