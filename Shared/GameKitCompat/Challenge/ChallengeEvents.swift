internal import MusterKit

/// Follows the local player's events while anybody listens, and tells the listeners those about
/// challenges.
@MainActor
final class ChallengeEvents {
  private struct Listener {
    weak var object: (any GKLocalPlayerListener)?
  }

  private var listeners: [Listener] = []
  private var banners = ChallengeBanners()
  /// The challenge that the game was launched for, until the listeners were told of it or it turned
  /// out to have ended.
  private var launchedFor: ChallengeID?
  private var follower: Task<Void, Never>?
  /// The player whose events are told, and the last one that was.
  private var told: (player: PlayerID, place: StreamPlace?)?

  private var liveListeners: [any GKLocalPlayerListener] { listeners.compactMap(\.object) }

  /// Begins anew after the game has configured a client, which may be the same one again.
  ///
  /// - Parameter challenge: the challenge that the game was launched for.
  func restart(isSameClient: Bool, launchedFor challenge: ChallengeID?) {
    stop()
    if !isSameClient { forgetPlayer() }
    launchedFor = challenge
    if !liveListeners.isEmpty { follow() }
  }

  func register(_ listener: any GKLocalPlayerListener) {
    listeners.removeAll { $0.object == nil || $0.object === listener }
    listeners.append(Listener(object: listener))
    if follower == nil { follow() }
  }

  func unregister(where isGone: (any GKLocalPlayerListener) -> Bool) {
    listeners.removeAll { $0.object.map(isGone) ?? true }
    if listeners.isEmpty { stop() }
  }

  /// Tells the listeners that the player has selected a banner. Returns false when the banner was
  /// suppressed, the challenge has ended or nobody listens.
  func select(_ challenge: GKChallenge) -> Bool {
    let listeners = liveListeners
    guard !listeners.isEmpty, banners.selected(challenge.challenge.id) != nil else { return false }
    for listener in listeners { listener.player(GKLocalPlayer.local, wantsToPlay: challenge) }
    return true
  }

  /// Forgets a challenge that the player has declined, or of which the listeners were told.
  func forget(_ challenge: ChallengeID) {
    _ = banners.selected(challenge)
    if launchedFor == challenge { launchedFor = nil }
  }

  private func forgetPlayer() {
    told = nil
    banners = ChallengeBanners()
  }

  private func stop() {
    follower?.cancel()
    follower = nil
  }

  private func follow() {
    guard let client = GameKit.client else { return }
    follower = Task { [weak self] in
      for await _ in client.states {
        if Task.isCancelled { return }
        guard let player = client.session?.player else { continue }
        await self?.listen(client, player)
        if Task.isCancelled { return }
      }
    }
  }

  /// Tells events until the player signs out or nobody listens. An event that nobody heard is not
  /// acknowledged, so it comes again.
  private func listen(_ client: any GameKitClient, _ player: PlayerID) async {
    if let told, told.player != player { forgetPlayer() }
    let place = told?.place
    told = (player, place)
    // The iterator is made before `isHeard` looks at the session: it ends with the session that it
    // was made in, so the place is never used for the stream of another player.
    var events = client.playerEvents(after: place).makeAsyncIterator()
    guard isHeard(client, player) else { return }
    await settleLaunch(client, player)
    // Asking for the next event says that the one before was dealt with. So it is asked for even if
    // the last listener has left meanwhile.
    while let event = await events.next(isolation: MainActor.shared) {
      await settleLaunch(client, player)
      guard await tell(event, client, player) else { return }
    }
  }

  /// Returns whether events may still be told. It is called after each wait, in which listeners may
  /// have left and the player may have signed out. When nobody listens any more it stops following,
  /// so that the next registration starts anew.
  private func isHeard(_ client: any GameKitClient, _ player: PlayerID) -> Bool {
    if Task.isCancelled || client.session?.player != player { return false }
    if liveListeners.isEmpty { stop() }
    return !Task.isCancelled
  }

  /// Tells the listeners of the challenge that the game was launched for. If the server cannot be
  /// asked now, this is done at the next event.
  private func settleLaunch(_ client: any GameKitClient, _ player: PlayerID) async {
    guard let wanted = launchedFor, let outstanding = try? await client.receivedChallenges(),
      isHeard(client, player)
    else { return }
    guard let challenge = outstanding.first(where: { $0.id == wanted }) else {
      launchedFor = nil
      return
    }
    let loaded = await load(challenge, client)
    guard isHeard(client, player), launchedFor == wanted else { return }
    forget(wanted)
    for listener in liveListeners {
      listener.player(GKLocalPlayer.local, wantsToPlay: loaded.challenge)
    }
  }

  /// Tells the listeners of an event. Returns false when nobody could be told any more.
  private func tell(_ event: PlayerEvent, _ client: any GameKitClient, _ player: PlayerID) async
    -> Bool
  {
    guard isHeard(client, player) else { return false }
    guard let notice = ChallengeNotice(event) else {
      let turnNews = await TurnNews.load(event, client)
      guard isHeard(client, player) else { return false }
      told = (player, event.place)
      _ = banners.heard(event)
      turnNews?.tell()
      return true
    }
    let (challenge, friend) = await load(notice.challenge, client)
    guard isHeard(client, player) else { return false }
    // This is noted before the game is called, because the game may configure this library anew.
    told = (player, event.place)
    let showsBanner = GameKit.showChallengeBanner?(challenge, notice.kind) ?? true
    _ = banners.heard(event) { _ in showsBanner }
    tell(notice.kind, challenge, friend)
    return true
  }

  private func tell(_ kind: ChallengeNotice.Kind, _ challenge: GKChallenge, _ friend: GKPlayer) {
    let player = GKLocalPlayer.local
    for listener in liveListeners {
      switch kind {
      case .received: listener.player(player, didReceive: challenge)
      case .locallyCompleted:
        listener.player(player, didComplete: challenge, issuedByFriend: friend)
      case .remotelyCompleted:
        listener.player(player, issuedChallengeWasCompleted: challenge, byFriend: friend)
      }
    }
  }

  /// Loads the players of a challenge. If the friend's name cannot be loaded now it stays empty,
  /// and the event is told all the same.
  private func load(_ challenge: Challenge, _ client: any GameKitClient)
    async -> (challenge: GKChallenge, friend: GKPlayer)
  {
    let isOwn = challenge.issuer == GKLocalPlayer.local.identifier
    let id = isOwn ? challenge.receiver : challenge.issuer
    let name = (try? await client.displayNames(of: [id]))?[id] ?? ""
    let friend = GKPlayer(id, displayName: name)
    return (GKChallenge.of(challenge, issuer: isOwn ? GKLocalPlayer.local : friend), friend)
  }
}
