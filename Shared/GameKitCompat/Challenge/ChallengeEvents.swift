internal import Foundation
internal import MusterKit

/// Follows the local player's events while anybody listens, and tells those about challenges to the
/// listeners and the event handler's delegate.
@MainActor
final class ChallengeEvents {
  private var suppressed = SuppressedBanners(nil)
  private lazy var banners = SelectableBanners(suppressed)
  /// The challenge that the game was launched for, until the listeners were told of it or it turned
  /// out to have ended.
  private var launchedFor: ChallengeID?
  private var follower: Task<Void, Never>?
  /// Follows the hints of the session.
  private var hints: Task<Void, Never>?
  /// The player whose events are told, and the last one that was.
  private var told: (player: PlayerID, place: StreamPlace?)?

  /// The delegate of the event handler, which is not kept alive.
  weak var delegate: (any GKChallengeEventHandlerDelegate)? {
    didSet { hearersChanged() }
  }

  private var hasHearers: Bool {
    delegate != nil || !GKLocalPlayer.local.listeners.live.isEmpty
  }

  /// Keeps on this device which banners the game suppresses. What was kept before counts from now
  /// on.
  func keepSuppressedBanners(in defaults: UserDefaults) {
    if suppressed.isKept(in: defaults) { return }
    suppressed = SuppressedBanners(defaults)
    banners = SelectableBanners(suppressed)
  }

  /// Begins anew after the game has configured a client, which may be the same one again.
  ///
  /// - Parameter challenge: the challenge that the game was launched for.
  func restart(isSameClient: Bool, launchedFor challenge: ChallengeID?) {
    stop()
    if !isSameClient { forgetPlayer() }
    launchedFor = challenge
    hearersChanged()
  }

  /// Tells of a banner that the player has selected. Returns false when the banner was suppressed
  /// or selected before, when the challenge has ended, or when nobody listens.
  func select(_ challenge: GKChallenge) -> Bool {
    guard hasHearers, banners.select(challenge) else { return false }
    tellSelected(challenge)
    return true
  }

  /// Forgets a challenge that the player has declined, or of which the listeners were told.
  func forget(_ challenge: ChallengeID) {
    banners.forget(challenge)
    if launchedFor == challenge { launchedFor = nil }
  }

  private func forgetPlayer() {
    told = nil
    banners = SelectableBanners(suppressed)
  }

  /// A listener or the delegate has come or gone: follows the events for as long as there is one.
  func hearersChanged() {
    if !hasHearers { stop() } else if follower == nil { follow() }
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
    let hints = followHints(of: client)
    self.hints = hints
    defer { hints.cancel() }
    await settleLaunch(client, player)
    // Asking for the next event says that the one before was dealt with. So it is asked for even if
    // the last listener has left meanwhile.
    while let event = await events.next(isolation: MainActor.shared) {
      await settleLaunch(client, player)
      guard await tell(event, client, player) else { return }
    }
  }

  /// No event says that the player has declined a challenge on another device.
  private func followHints(of client: any GameKitClient) -> Task<Void, Never> {
    let hints = client.hints
    return Task { [weak self] in
      for await hint in hints {
        guard let change = hint.decode(ChallengeListChanged.self) else { continue }
        if change.state == .declined { self?.forget(change.challenge) }
      }
    }
  }

  /// Returns when all hints of the session were heard, for tests.
  func hintsEnded() async { await hints?.value }

  /// Returns whether events may still be told. It is called after each wait, in which listeners may
  /// have left and the player may have signed out. When nobody listens any more it stops following,
  /// so that the next registration starts anew.
  private func isHeard(_ client: any GameKitClient, _ player: PlayerID) -> Bool {
    if Task.isCancelled || client.session?.player != player { return false }
    if !hasHearers { stop() }
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
    tellSelected(loaded.challenge)
  }

  /// Tells the listeners of an event. Returns false when nobody could be told any more.
  private func tell(_ event: PlayerEvent, _ client: any GameKitClient, _ player: PlayerID) async
    -> Bool
  {
    guard isHeard(client, player) else { return false }
    guard let notice = ChallengeNotice(event) else {
      let turnNews = await turnNews(of: event, client, player)
      guard isHeard(client, player) else { return false }
      told = (player, event.place)
      turnNews?.tell()
      banners.hear(event)
      return true
    }
    let (challenge, friend) = await load(notice.challenge, client)
    guard isHeard(client, player) else { return false }
    // This is noted before the game is called, because the game may configure this library anew.
    told = (player, event.place)
    let showsBanner =
      wantsBanner(notice.kind, challenge)
      && GameKit.showChallengeBanner?(challenge, notice.kind) ?? true
    banners.hear(event, showsBanner: showsBanner)
    tell(notice.kind, challenge, friend)
    return true
  }

  /// Loads the match that an event is about; nil for an event about none. While the server cannot
  /// be asked how the match is, it is asked again, for the event comes only once.
  private func turnNews(
    of event: PlayerEvent, _ client: any GameKitClient, _ player: PlayerID
  ) async -> TurnNews? {
    while isHeard(client, player) {
      do throws(GKError) {
        return try await TurnNews.load(event, client)
      } catch {
        // A call that fails in passing has been repeated for as long as calls wait.
        if !error.failure.isTransient { return nil }
      }
    }
    return nil
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
    let loaded =
      isOwn
      ? GKChallenge.of(challenge, issuer: GKLocalPlayer.local, receiver: friend)
      : GKChallenge.of(challenge, issuer: friend, receiver: GKLocalPlayer.local)
    return (loaded, friend)
  }
}
