/// News of a challenge that a game may show to its player.
public struct ChallengeNotice: Sendable, Equatable {
  public enum Kind: Sendable {
    /// A friend challenges the player.
    case received
    /// The player has completed a friend's challenge.
    case locallyCompleted
    /// A friend has completed the player's challenge.
    case remotelyCompleted
  }

  public var kind: Kind
  public var challenge: Challenge

  /// Reads the notice out of an event; nil for events of other kinds.
  public init?(_ event: PlayerEvent) {
    if let received = event.decode(ChallengeReceived.self) {
      kind = .received
      challenge = received.challenge
    } else if let completed = event.decode(ChallengeCompleted.self) {
      kind = completed.isLocal ? .locallyCompleted : .remotelyCompleted
      challenge = completed.challenge
    } else {
      return nil
    }
  }
}

/// Keeps track of the banners that a game shows for challenges, and of those that its player can
/// still select. Give it the player's events in their order.
///
/// It asks the game before each banner whether to show it. A received challenge whose banner was
/// suppressed cannot be selected. If the app was launched for a challenge, that one counts as
/// selected right after authentication, whether its banner was shown or not.
public struct ChallengeBanners: Sendable {
  /// The most banners that a player may still select; the oldest make room for new ones.
  static let selectableMax = 100

  private var launchedFor: ChallengeID?
  /// Challenges whose banners were shown and that were neither selected nor ended, oldest first.
  private var selectable: [Challenge] = []

  /// - Parameter challenge: the challenge that the app was launched for; nil when there is none.
  public init(launchedFor challenge: ChallengeID? = nil) { launchedFor = challenge }

  /// Takes the next event of the player.
  ///
  /// - Parameters:
  ///   - event: an event of any kind.
  ///   - shouldShowBanner: asked whether to show the banner; by default every banner is shown.
  /// - Returns: the notice for the game's handler, and whether to show a banner; nil for an event
  ///   that brings no notice.
  public mutating func heard(
    _ event: PlayerEvent, shouldShowBanner: (ChallengeNotice) -> Bool = { _ in true }
  ) -> (notice: ChallengeNotice, showsBanner: Bool)? {
    let ended =
      event.decode(ChallengeExpired.self)?.challenge
      ?? event.decode(ChallengeWithdrawn.self)?.challenge
    if let ended { forget(ended.id) }
    guard let notice = ChallengeNotice(event) else { return nil }
    let showsBanner = shouldShowBanner(notice)
    forget(notice.challenge.id)
    if notice.kind == .received && showsBanner {
      selectable.append(notice.challenge)
      if selectable.count > Self.selectableMax { selectable.removeFirst() }
    }
    return (notice, showsBanner)
  }

  /// Takes the selection of a received challenge's banner. Returns the challenge once; nil when its
  /// banner was suppressed, when it was selected before or when the challenge has ended.
  public mutating func selected(_ challenge: ChallengeID) -> Challenge? {
    guard let place = selectable.firstIndex(where: { $0.id == challenge }) else { return nil }
    return selectable.remove(at: place)
  }

  /// Notes that the player is authenticated.
  ///
  /// - Parameter outstanding: the open challenges that the player has received.
  /// - Returns: the challenge that the app was launched for, once; nil when it is not open.
  public mutating func authenticated(_ outstanding: [Challenge]) -> Challenge? {
    guard let challenge = outstanding.first(where: { $0.id == launchedFor }) else { return nil }
    launchedFor = nil
    forget(challenge.id)
    return challenge
  }

  private mutating func forget(_ challenge: ChallengeID) {
    selectable.removeAll { $0.id == challenge }
  }
}
