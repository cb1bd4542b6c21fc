import Locking
@testable import MusterKit
import Testing

@testable import GameKitCompat

/// Listeners that leave, and players who sign out, while names are looked up.
extension GameKitTests.ChallengeListenerTests {
  private func launchedClient() -> FakeClient {
    let client = GameKitTests.client { answers in
      answers.isSignedIn = false
      answers.challenges = [challenge(2)]
    }
    GameKit.configure(connection: client, launchedFor: challenge(2).id)
    return client
  }

  @Test("6.8 A listener is not kept alive; who listens then hears what it has not")
  func gone() async {
    let client = GameKitTests.client { $0.holdsNames = true }
    await registerBriefly {
      await opened(client)
      send(ChallengeReceived(challenge(1)), 1, to: client)
      await heldName(client)
    }
    client.answerNames()
    await closed(client)
    GKLocalPlayer.local.register(listener)
    #expect(await listener.next() == .received(1))
    #expect(client.answers.withLock { $0.cursors } == [nil, nil])
    GKLocalPlayer.local.unregisterAllListeners()
  }

  @Test("6.8 What was under way when the player signed out is not told, and waits for that player")
  func signedOut() async {
    let client = GameKitTests.client { $0.holdsNames = true }
    GKLocalPlayer.local.register(listener)
    await opened(client)
    send(ChallengeReceived(challenge(1)), 7, to: client)
    await heldName(client)
    client.setSignedIn(false)
    client.answerNames()
    await closed(client)
    #expect(listener.challenges.isEmpty)
    client.setSignedIn(true)
    #expect(await listener.next() == .received(1))
    #expect(client.answers.withLock { $0.cursors } == [nil, nil])
    GKLocalPlayer.local.unregisterAllListeners()
  }

  @Test("6.8 What was under way when another player signed in is not told to that one")
  func replaced() async {
    let client = GameKitTests.client { $0.holdsNames = true }
    GKLocalPlayer.local.register(listener)
    await opened(client)
    send(ChallengeReceived(challenge(1)), 7, to: client)
    await heldName(client)
    client.setSignedIn(false)
    client.become(FakeClient.stranger)
    client.setSignedIn(true)
    client.answerNames()
    await closed(client)
    await opened(client)
    send(ChallengeReceived(challenge(2)), 1, to: client)
    #expect(await listener.next() == .received(2))
    #expect(client.answers.withLock { $0.cursors } == [nil, nil])
    GKLocalPlayer.local.unregisterAllListeners()
  }

  @Test("6.8 The launch challenge waits for the next listener when the first one leaves early")
  func launchHandedOver() async {
    let client = launchedClient()
    client.answers.withLock { $0.holdsNames = true }
    let title = GameKitTests.ChallengeListener()
    GKLocalPlayer.local.register(title)
    client.setSignedIn(true)
    await heldName(client)
    GKLocalPlayer.local.unregisterListener(title)
    GKLocalPlayer.local.register(listener)
    client.answerNames()
    send(ChallengeReceived(challenge(3)), 1, to: client)
    #expect(await listener.next() == .wanted(2))
    #expect(await listener.next() == .received(3))
    #expect(title.challenges.isEmpty)
    GKLocalPlayer.local.unregisterAllListeners()
  }

  @Test("6.8 The launch challenge waits for a listener when nobody listens at sign-in")
  func launchUnheard() async {
    let client = launchedClient()
    await registerBriefly()
    client.setSignedIn(true)
    await closed(client)
    GKLocalPlayer.local.register(listener)
    send(ChallengeReceived(challenge(3)), 1, to: client)
    #expect(await listener.next() == .wanted(2))
    GKLocalPlayer.local.unregisterAllListeners()
  }

  @Test("6.8 A listener that leaves when it is told has dealt with the event")
  func once() async {
    let client = GameKitTests.client()
    listener.leavesWhenTold = true
    GKLocalPlayer.local.register(listener)
    send(ChallengeReceived(challenge(1)), 1, to: client)
    #expect(await listener.next() == .received(1))
    await closed(client)
    #expect(client.answers.withLock { $0.eventsAskedFor } == 2)
    // The same client again: what it told is still told.
    await opened(client)
    GameKit.configure(connection: client)
    listener.leavesWhenTold = false
    GKLocalPlayer.local.register(listener)
    await opened(client)
    #expect(client.answers.withLock { $0.cursors } == [nil, 1])
    GKLocalPlayer.local.unregisterAllListeners()
  }

  @Test(
    "6.8 A banner is not used up while nobody listens, and is gone when the challenge is declined")
  func bannerKept() async {
    let client = GameKitTests.client()
    GKLocalPlayer.local.register(listener)
    for number: UInt64 in 1...2 {
      send(ChallengeReceived(challenge(number)), number, to: client)
      #expect(await listener.next() == .received(number))
    }
    let challenges = listener.challenges
    #expect(await GameKitTests.failure { challenges[0].decline(completionHandler: $0) } == nil)
    #expect(!GameKit.selectChallengeBanner(of: challenges[0]), "declined")
    GKLocalPlayer.local.unregisterAllListeners()
    #expect(!GameKit.selectChallengeBanner(of: challenges[1]), "nobody listens")
    GKLocalPlayer.local.register(listener)
    #expect(GameKit.selectChallengeBanner(of: challenges[1]))
    #expect(await listener.next() == .wanted(2))
    GKLocalPlayer.local.unregisterAllListeners()
  }

  @Test("6.5 6.8 A banner is gone when the challenge is declined on another device")
  func declinedElsewhere() async {
    let client = GameKitTests.client()
    GKLocalPlayer.local.register(listener)
    for number: UInt64 in 1...2 {
      send(ChallengeReceived(challenge(number)), number, to: client)
      #expect(await listener.next() == .received(number))
    }
    let challenges = listener.challenges
    var change = ChallengeListChanged(challenge(2))
    change.state = .accepted
    client.hint(change)
    (change.challenge, change.state) = (challenge(1).id, .declined)
    client.hint(change)
    // The hints are heard beside the events: both are in before the stream of hints has ended.
    client.endHints()
    await GKLocalPlayer.local.challengeEvents.hintsEnded()
    #expect(!GameKit.selectChallengeBanner(of: challenges[0]), "declined")
    #expect(GameKit.selectChallengeBanner(of: challenges[1]))
    GKLocalPlayer.local.unregisterAllListeners()
  }
}
