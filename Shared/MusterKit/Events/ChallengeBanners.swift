/// Something about a challenge that a game may show to its player.
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

  /// Nil for events of other kinds.
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

/// Decides which challenges get a banner, and which a player can have selected by one: the questions
/// that only a game can answer. Give it the player's events in their order.
///
/// Before each banner it asks whether to show it. A received challenge whose banner was suppressed
/// cannot be selected. An app that was launched for a challenge gets it as selected right after
/// authentication, whatever its banner was.
public struct ChallengeBanners: Sendable {
  /// Banners that a player may still select; older ones make room.
  static let selectableMax = 100

  private var launchedFor: ChallengeID?
  /// Shown and neither selected nor ended, oldest first.
  private var selectable: [Challenge] = []

  /// - Parameter challenge: what the app was launched for, if it was.
  public init(launchedFor challenge: ChallengeID? = nil) { launchedFor = challenge }

  /// Takes the next event of the player's.
  ///
  /// - Parameters:
  ///   - event: of any kind.
  ///   - shouldShowBanner: the question; without one every banner is shown.
  /// - Returns: what its handler is to be told, and whether a banner is to be shown; nil for an event
  ///   that is none of a challenge's.
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

  /// The player has selected a received challenge's banner: what the game is told of it, once; nil when
  /// its banner was suppressed or the challenge has ended.
  public mutating func selected(_ challenge: ChallengeID) -> Challenge? {
    guard let place = selectable.firstIndex(where: { $0.id == challenge }) else { return nil }
    return selectable.remove(at: place)
  }

  /// The player is authenticated.
  ///
  /// - Parameter outstanding: the player's received challenges.
  /// - Returns: the one that the app was launched for, once and while it is open.
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
