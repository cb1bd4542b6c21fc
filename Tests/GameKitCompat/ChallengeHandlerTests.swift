import Foundation
import Locking
@testable import MusterKit
import Testing

@testable import GameKitCompat

/// The challenge event handler and its delegate.
extension GameKitTests.ChallengeListenerTests {
  @MainActor
  final class Delegate: GKChallengeEventHandlerDelegate {
    private let said = AsyncStream.makeStream(of: String.self)
    /// The challenges whose banners are suppressed.
    var suppressed: Set<UInt64> = []
    private(set) var challenges: [GKChallenge] = []

    func next(_ count: Int) async -> [String] {
      var (iterator, texts) = (said.stream.makeAsyncIterator(), [String]())
      while texts.count < count, let text = await iterator.next() { texts.append(text) }
      return texts
    }

    private func say(_ text: String, _ challenge: GKChallenge) {
      challenges.append(challenge)
      said.continuation.yield("\(text) \(challenge.challenge.id.low)")
    }

    private func ask(_ text: String, _ challenge: GKChallenge) -> Bool {
      said.continuation.yield("\(text) \(challenge.challenge.id.low)?")
      return !suppressed.contains(challenge.challenge.id.low)
    }

    func localPlayerDidSelect(_ challenge: GKChallenge) { say("selected", challenge) }
    func shouldShowBanner(forLocallyReceivedChallenge challenge: GKChallenge) -> Bool {
      ask("received", challenge)
    }
    func localPlayerDidReceive(_ challenge: GKChallenge) { say("received", challenge) }
    func shouldShowBanner(forLocallyCompletedChallenge challenge: GKChallenge) -> Bool {
      ask("completed", challenge)
    }
    func localPlayerDidComplete(_ challenge: GKChallenge) { say("completed", challenge) }
    func shouldShowBanner(forRemotelyCompletedChallenge challenge: GKChallenge) -> Bool {
      ask("remotely completed", challenge)
    }
    func remotePlayerDidComplete(_ challenge: GKChallenge) { say("remotely completed", challenge) }
  }

  /// The names of the oldest games.
  @MainActor
  final class OldDelegate: GKChallengeEventHandlerDelegate {
    var said: [String] = []
    func localPlayerDidSelectChallenge(_ challenge: GKChallenge) { said.append("selected") }
    func shouldShowBannerForLocallyReceivedChallenge(_ challenge: GKChallenge) -> Bool { false }
    func localPlayerDidReceiveChallenge(_ challenge: GKChallenge) { said.append("received") }
    func shouldShowBannerForLocallyCompletedChallenge(_ challenge: GKChallenge) -> Bool { false }
    func localPlayerDidCompleteChallenge(_ challenge: GKChallenge) { said.append("completed") }
    func shouldShowBannerForRemotelyCompletedChallenge(_ challenge: GKChallenge) -> Bool { false }
    func remotePlayerDidCompleteChallenge(_ challenge: GKChallenge) { said.append("remote") }
  }

  @MainActor
  final class SilentDelegate: GKChallengeEventHandlerDelegate {}

  private var handler: GKChallengeEventHandler { .challengeEventHandler() }

  private func handled(_ delegate: Delegate, _ client: FakeClient) async {
    handler.delegate = delegate
    await opened(client)
  }

  private func listed(_ number: UInt64) -> GKChallenge {
    .of(challenge(number), issuer: GKPlayer(FakeClient.friend, displayName: "Friend"))
  }

  @Test("6.8 The delegate is asked about each of three kinds of banners, and then told, once")
  func handlerEvents() async {
    let (client, delegate) = (GameKitTests.client(), Delegate())
    var shown: [ChallengeNotice.Kind] = []
    GameKit.showChallengeBanner = { _, kind in
      shown.append(kind)
      return true
    }
    delegate.suppressed = [2]
    await handled(delegate, client)
    send(ChallengeReceived(challenge(1)), 1, to: client)
    send(completed(2, isLocal: true), 2, to: client)
    send(completed(3, isLocal: false), 3, to: client)
    #expect(
      await delegate.next(6) == [
        "received 1?", "received 1", "completed 2?", "completed 2", "remotely completed 3?",
        "remotely completed 3",
      ])
    // A suppressed banner is not shown, and its event is told all the same.
    #expect(shown == [.received, .remotelyCompleted])
    #expect(delegate.challenges.map(\.receivingPlayer.displayName) == ["Me", "Me", "Friend"])
    handler.delegate = nil
    await closed(client)
  }

  @Test("6.8 A selection is told to the delegate and the listeners, and never of a suppressed one")
  func handlerSelection() async {
    let (client, delegate) = (GameKitTests.client(), Delegate())
    delegate.suppressed = [2]
    await handled(delegate, client)
    GKLocalPlayer.local.register(listener)
    send(ChallengeReceived(challenge(1)), 1, to: client)
    send(ChallengeReceived(challenge(2)), 2, to: client)
    _ = await delegate.next(4)
    #expect(!GameKit.selectChallengeBanner(of: delegate.challenges[1]))
    #expect(GameKit.selectChallengeBanner(of: delegate.challenges[0]))
    #expect(await delegate.next(1) == ["selected 1"])
    #expect(await listener.next() == .received(1))
    #expect(await listener.next() == .received(2))
    #expect(await listener.next() == .wanted(1))
    GKLocalPlayer.local.unregisterAllListeners()
    handler.delegate = nil
  }

  @Test("6.8 The delegate hears of the challenge of the launch right after authentication")
  func handlerLaunch() async {
    let client = GameKitTests.client { answers in
      answers.isSignedIn = false
      answers.challenges = [challenge(2)]
    }
    GameKit.configure(connection: client, launchedFor: challenge(2).id)
    let delegate = Delegate()
    handler.delegate = delegate
    client.setSignedIn(true)
    #expect(await delegate.next(1) == ["selected 2"])
    handler.delegate = nil
  }

  @Test("6.8 A banner from before the game was started anew can be selected, once")
  func handlerRestart() async throws {
    let (client, delegate) = (GameKitTests.client(), Delegate())
    delegate.suppressed = [2]
    await handled(delegate, client)
    send(ChallengeReceived(challenge(1)), 1, to: client)
    send(ChallengeReceived(challenge(2)), 2, to: client)
    _ = await delegate.next(4)
    // The next start of the game has heard of neither.
    let next = GameKitTests.client { $0.challenges = [challenge(1), challenge(2), challenge(3)] }
    await opened(next)
    let loaded = try await GKChallenge.loadReceivedChallenges()
    #expect(loaded == delegate.challenges.prefix(2) + [listed(3)])
    #expect(!GameKit.selectChallengeBanner(of: loaded[1]), "suppressed")
    #expect(GameKit.selectChallengeBanner(of: loaded[0]))
    #expect(!GameKit.selectChallengeBanner(of: loaded[0]), "selected before")
    #expect(await delegate.next(1) == ["selected 1"])
    try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
      loaded[2].decline { error in waiter.resume(with: error.map { .failure($0) } ?? .success(())) }
    }
    #expect(!GameKit.selectChallengeBanner(of: listed(3)), "declined")
    #expect(!GameKit.selectChallengeBanner(of: .of(challenge(4, isOwn: true), issuer: .me)))
    handler.delegate = nil
  }

  @Test("6.8 Which banners were suppressed is kept on the device")
  func suppressionKept() {
    _ = GameKitTests.client()
    let suite = "muster-tests-\(UUID())"
    defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
    let defaults: UserDefaults? = UserDefaults(suiteName: suite)
    let first = SuppressedBanners(defaults)
    for number: UInt64 in 1...101 { first.insert(challenge(number).id) }
    let later: UserDefaults? = UserDefaults(suiteName: suite)
    var banners = SelectableBanners(SuppressedBanners(later))
    let selected = [101, 2, 1, 102].map { banners.select(listed($0)) }
    // The oldest has made room.
    #expect(selected == [false, false, true, true])
  }

  @Test("6.8 Every method may be left out, and each may have its oldest name")
  func handlerNames() async {
    let client = GameKitTests.client()
    let (old, silent) = (OldDelegate(), SilentDelegate())
    GKLocalPlayer.local.register(listener)
    await opened(client)
    var shown = 0
    GameKit.showChallengeBanner = { _, _ in
      shown += 1
      return true
    }
    for (round, delegate) in [old as any GKChallengeEventHandlerDelegate, silent].enumerated() {
      handler.delegate = delegate
      let base = UInt64(round) * 3
      send(ChallengeReceived(challenge(base + 1)), base + 1, to: client)
      send(completed(base + 2, isLocal: true), base + 2, to: client)
      send(completed(base + 3, isLocal: false), base + 3, to: client)
      for _ in 0..<3 { _ = await listener.next() }
      _ = GameKit.selectChallengeBanner(of: listed(base + 20))
      #expect(await listener.next() == .wanted(base + 20))
    }
    #expect(old.said == ["received", "completed", "remote", "selected"])
    #expect(shown == 3)
    GKLocalPlayer.local.unregisterAllListeners()
    handler.delegate = nil
  }

  @Test("6.8 The delegate is not kept alive, and events wait while nobody hears")
  func handlerGone() async {
    let client = GameKitTests.client()
    do {
      let brief = Delegate()
      await handled(brief, client)
    }
    #expect(handler.delegate == nil)
    send(ChallengeReceived(challenge(1)), 1, to: client)
    await closed(client)
    let delegate = Delegate()
    await handled(delegate, client)
    #expect(await delegate.next(2) == ["received 1?", "received 1"])
    #expect(client.answers.withLock { $0.cursors } == [nil, nil])
    handler.delegate = nil
  }
}

extension GKPlayer {
  fileprivate static var me: GKPlayer { GKPlayer(FakeClient.me, displayName: "Me") }
}
