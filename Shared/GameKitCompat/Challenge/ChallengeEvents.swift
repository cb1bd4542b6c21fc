internal import MusterKit

/// Follows the local player's events while anyone listens, and tells what they say of challenges.
@MainActor
final class ChallengeEvents {
  private struct Listener {
    weak var object: (any GKLocalPlayerListener)?
  }

  private var listeners: [Listener] = []
  private var banners = ChallengeBanners()
  /// What the game was launched for, until listeners were told or it turned out to have ended.
  private var launchedFor: ChallengeID?
  private var follower: Task<Void, Never>?
  /// Whose events are told, and up to which one they were.
  private var told: (player: PlayerID, sequence: UInt64?)?

  private var live: [any GKLocalPlayerListener] { listeners.compactMap(\.object) }

  /// Another client, or the same one again.
  ///
  /// - Parameter challenge: what the game was launched for.
  func restart(isSameClient: Bool, launchedFor challenge: ChallengeID?) {
    stop()
    if !isSameClient { forgetPlayer() }
    launchedFor = challenge
    if !live.isEmpty { follow() }
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

  /// The player has selected a banner; false when it was suppressed, the challenge has ended, or nobody
  /// listens.
  func select(_ challenge: GKChallenge) -> Bool {
    let live = live
    guard !live.isEmpty, banners.selected(challenge.challenge.id) != nil else { return false }
    for listener in live { listener.player(GKLocalPlayer.local, wantsToPlay: challenge) }
    return true
  }

  /// The player does not want to play it, or is told to already.
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

  /// Until the player signs out or nobody listens. An event that nobody was there to hear is not taken:
  /// it comes again.
  private func listen(_ client: any GameKitClient, _ player: PlayerID) async {
    if let told, told.player != player { forgetPlayer() }
    let cursor = told?.sequence
    told = (player, cursor)
    // Before the player is looked at again, so that the cursor cannot get to another one's stream.
    var events = client.playerEvents(after: cursor).makeAsyncIterator()
    guard isHeard(client, player) else { return }
    await settleLaunch(client, player)
    // The next one is asked for also when a listener was the last one and has gone: that says that the
    // event before is dealt with.
    while let event = await events.next(isolation: MainActor.shared) {
      await settleLaunch(client, player)
      guard await tell(event, client, player) else { return }
    }
  }

  /// Asked after each wait, in which listeners may have gone and players signed out. When nobody listens
  /// any more it stops, so that whoever registers next is followed for.
  private func isHeard(_ client: any GameKitClient, _ player: PlayerID) -> Bool {
    if Task.isCancelled || client.session?.player != player { return false }
    if live.isEmpty { stop() }
    return !Task.isCancelled
  }

  /// Tells of the challenge that the game was launched for; when the server cannot be asked now, later.
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
    for listener in live { listener.player(GKLocalPlayer.local, wantsToPlay: loaded.challenge) }
  }

  /// False when it could not be told any more.
  private func tell(_ event: PlayerEvent, _ client: any GameKitClient, _ player: PlayerID) async
    -> Bool
  {
    guard isHeard(client, player) else { return false }
    guard let notice = ChallengeNotice(event) else {
      told = (player, event.sequence)
      _ = banners.heard(event)
      return true
    }
    let (challenge, friend) = await load(notice.challenge, client)
    guard isHeard(client, player) else { return false }
    // Before the game is called, which may configure this library anew.
    told = (player, event.sequence)
    let showsBanner = GameKit.showChallengeBanner?(challenge, notice.kind) ?? true
    _ = banners.heard(event) { _ in showsBanner }
    tell(notice.kind, challenge, friend)
    return true
  }

  private func tell(_ kind: ChallengeNotice.Kind, _ challenge: GKChallenge, _ friend: GKPlayer) {
    let player = GKLocalPlayer.local
    for listener in live {
      switch kind {
      case .received: listener.player(player, didReceive: challenge)
      case .locallyCompleted:
        listener.player(player, didComplete: challenge, issuedByFriend: friend)
      case .remotelyCompleted:
        listener.player(player, issuedChallengeWasCompleted: challenge, byFriend: friend)
      }
    }
  }

  /// The challenge with its players. One whose name cannot be asked for now has none: an event is told
  /// all the same.
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
