internal import MusterKit

/// Follows the local player's events while anyone listens, and tells what they say of challenges.
@MainActor
final class ChallengeEvents {
  private struct Listener {
    weak var object: (any GKLocalPlayerListener)?
  }

  private var listeners: [Listener] = []
  private var banners = ChallengeBanners()
  /// Those who launched the game for a challenge were told, or it turned out to have ended.
  private var isLaunchSettled = true
  private var follower: Task<Void, Never>?
  /// Whose events are told, and up to which one they were.
  private var told: (player: PlayerID, sequence: UInt64?)?

  private var live: [any GKLocalPlayerListener] { listeners.compactMap(\.object) }

  /// Another client, or the same one again.
  ///
  /// - Parameter challenge: what the game was launched for.
  func restart(launchedFor challenge: ChallengeID?) {
    follower?.cancel()
    follower = nil
    told = nil
    banners = ChallengeBanners(launchedFor: challenge)
    isLaunchSettled = challenge == nil
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

  /// The player has selected a banner; false when it was suppressed, or the challenge has ended.
  func select(_ challenge: GKChallenge) -> Bool {
    guard banners.selected(challenge.challenge.id) != nil else { return false }
    for listener in live { listener.player(GKLocalPlayer.local, wantsToPlay: challenge) }
    return true
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

  /// Until the player signs out. An event that nobody was there to hear is not taken: it comes again.
  private func listen(_ client: any GameKitClient, _ player: PlayerID) async {
    if let told, told.player != player {
      // Banners of another player are none of this one's.
      banners = ChallengeBanners()
      isLaunchSettled = true
      self.told = nil
    }
    let cursor = told?.sequence
    told = (player, cursor)
    await settleLaunch(client)
    for await event in client.playerEvents(after: cursor) {
      if live.isEmpty { stop() }
      if Task.isCancelled { return }
      await settleLaunch(client)
      guard await tell(event, client) else { return }
      told = (player, event.sequence)
      if Task.isCancelled { return }
    }
  }

  /// Tells of the challenge that the game was launched for; when the server cannot be asked now, later.
  private func settleLaunch(_ client: any GameKitClient) async {
    guard !isLaunchSettled else { return }
    guard let outstanding = try? await client.receivedChallenges(), !Task.isCancelled,
      !isLaunchSettled
    else { return }
    isLaunchSettled = true
    guard let challenge = banners.authenticated(outstanding) else { return }
    let loaded = await load(challenge, client)
    if Task.isCancelled { return }
    for listener in live { listener.player(GKLocalPlayer.local, wantsToPlay: loaded.challenge) }
  }

  /// False when all stopped listening before it could be told.
  private func tell(_ event: PlayerEvent, _ client: any GameKitClient) async -> Bool {
    guard let notice = ChallengeNotice(event) else {
      _ = banners.heard(event)
      return true
    }
    let (challenge, friend) = await load(notice.challenge, client)
    if Task.isCancelled { return false }
    _ = banners.heard(event) { notice in
      GameKit.showChallengeBanner?(challenge, notice.kind) ?? true
    }
    let player = GKLocalPlayer.local
    for listener in live {
      switch notice.kind {
      case .received: listener.player(player, didReceive: challenge)
      case .locallyCompleted:
        listener.player(player, didComplete: challenge, issuedByFriend: friend)
      case .remotelyCompleted:
        listener.player(player, issuedChallengeWasCompleted: challenge, byFriend: friend)
      }
    }
    return true
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
