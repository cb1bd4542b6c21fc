import Locking
@testable import MusterKit
import TestKit
import Testing
import Wire

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  final class ChallengeListener: GKLocalPlayerListener {
    enum Told: Equatable {
      case received(UInt64)
      case wanted(UInt64)
      case completed(UInt64, by: String)
      case completedByFriend(UInt64, String)
    }

    private let told = AsyncStream.makeStream(of: Told.self)
    private(set) var challenges: [GKChallenge] = []
    var leavesWhenTold = false

    func next() async -> Told? {
      var iterator = told.stream.makeAsyncIterator()
      return await iterator.next()
    }

    private func tell(_ event: Told, _ challenge: GKChallenge) {
      challenges.append(challenge)
      told.continuation.yield(event)
      if leavesWhenTold { GKLocalPlayer.local.unregisterListener(self) }
    }

    func player(_ player: GKPlayer, wantsToPlay challenge: GKChallenge) {
      tell(.wanted(challenge.challenge.id.low), challenge)
    }
    func player(_ player: GKPlayer, didReceive challenge: GKChallenge) {
      tell(.received(challenge.challenge.id.low), challenge)
    }
    func player(
      _ player: GKPlayer, didComplete challenge: GKChallenge, issuedByFriend friend: GKPlayer
    ) {
      tell(.completed(challenge.challenge.id.low, by: friend.displayName), challenge)
    }
    func player(
      _ player: GKPlayer, issuedChallengeWasCompleted challenge: GKChallenge,
      byFriend friend: GKPlayer
    ) {
      tell(.completedByFriend(challenge.challenge.id.low, friend.displayName), challenge)
    }
  }

  @MainActor
  @Suite("Challenge listeners", .serialized, .endsAtLast)
  struct ChallengeListenerTests {
    let listener = ChallengeListener()

    init() {
      GKLocalPlayer.local.unregisterAllListeners()
      GKChallengeEventHandler.challengeEventHandler().delegate = nil
      GameKit.showChallengeBanner = nil
    }

    func challenge(_ number: UInt64, isOwn: Bool = false) -> Challenge {
      var challenge = Challenge()
      challenge.id = ChallengeID(high: 5, low: number)
      challenge.board = "points"
      let players = [FakeClient.friend, FakeClient.me]
      (challenge.issuer, challenge.receiver) =
        isOwn ? (players[1], players[0]) : (players[0], players[1])
      return challenge
    }

    func send<E: Event>(_ event: E, _ sequence: UInt64, to client: FakeClient) {
      var streamed = StreamEvent()
      streamed.sequence = sequence
      streamed.kind = E.opcode.rawValue
      streamed.body = Bytes(event.encoded)
      client.send(PlayerEvent(streamed))
    }

    func opened(_ client: FakeClient) async { await first(client.opened.stream) }
    func closed(_ client: FakeClient) async { await first(client.closed.stream) }
    func heldName(_ client: FakeClient) async { await first(client.heldName.stream) }

    private func first(_ signals: AsyncStream<Void>) async {
      var iterator = signals.makeAsyncIterator()
      await iterator.next()
    }

    /// Registers a listener that nobody keeps.
    func registerBriefly(_ body: () async -> Void = {}) async {
      let brief = ChallengeListener()
      GKLocalPlayer.local.register(brief)
      await body()
      withExtendedLifetime(brief) {}
    }

    func completed(_ number: UInt64, isLocal: Bool) -> ChallengeCompleted {
      var completed = ChallengeCompleted()
      completed.challenge = challenge(number, isOwn: !isLocal)
      completed.challenge.state = .completed
      completed.isLocal = isLocal
      return completed
    }

    @Test("6.8 Received, locally and remotely completed are told, each once, with the friend")
    func events() async {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      GKLocalPlayer.local.register(listener)
      await opened(client)
      send(ChallengeReceived(challenge(1)), 1, to: client)
      send(completed(1, isLocal: true), 2, to: client)
      send(completed(2, isLocal: false), 3, to: client)
      #expect(await listener.next() == .received(1))
      #expect(await listener.next() == .completed(1, by: "Friend"))
      #expect(await listener.next() == .completedByFriend(2, "Friend"))
      #expect(listener.challenges.map(\.state) == [.pending, .completed, .completed])
      #expect(listener.challenges[2].issuingPlayer == GKLocalPlayer.local)
      // Nothing is told twice to who comes back, and nothing is lost while nobody listens.
      GKLocalPlayer.local.unregisterListener(listener)
      GKLocalPlayer.local.register(listener)
      await opened(client)
      #expect(client.answers.withLock { $0.cursors } == [nil, 3])
      GKLocalPlayer.local.unregisterAllListeners()
    }

    @Test("6.8 A banner that is shown can be selected, once, and one that is suppressed cannot")
    func banners() async {
      let client = GameKitTests.client()
      var asked: [ChallengeNotice.Kind] = []
      GameKit.showChallengeBanner = { challenge, kind in
        asked.append(kind)
        return challenge.challenge.id.low != 2
      }
      GKLocalPlayer.local.register(listener)
      await opened(client)
      for number: UInt64 in 1...3 {
        send(ChallengeReceived(challenge(number)), number, to: client)
        #expect(await listener.next() == .received(number))
      }
      send(ChallengeExpired(challenge(3)), 4, to: client)
      send(completed(9, isLocal: false), 5, to: client)
      #expect(await listener.next() == .completedByFriend(9, "Friend"))
      #expect(asked == [.received, .received, .received, .remotelyCompleted])
      let challenges = listener.challenges
      #expect(!GameKit.selectChallengeBanner(of: challenges[1]), "suppressed")
      #expect(!GameKit.selectChallengeBanner(of: challenges[2]), "expired")
      #expect(GameKit.selectChallengeBanner(of: challenges[0]))
      #expect(!GameKit.selectChallengeBanner(of: challenges[0]), "selected before")
      #expect(await listener.next() == .wanted(1))
      GKLocalPlayer.local.unregisterAllListeners()
    }

    @Test("6.8 The challenge that the game was launched for comes right after authentication")
    func launch() async {
      let client = GameKitTests.client { answers in
        answers.isSignedIn = false
        answers.challenges = [challenge(1), challenge(2)]
        answers.listFailures = 1
      }
      GameKit.configure(connection: client, launchedFor: challenge(2).id)
      GKLocalPlayer.local.register(listener)
      client.setSignedIn(true)
      await opened(client)
      // The server could not be asked at first.
      send(ChallengeReceived(challenge(3)), 1, to: client)
      #expect(await listener.next() == .wanted(2))
      #expect(await listener.next() == .received(3))
      #expect(listener.challenges.first?.issuingPlayer.displayName == "Friend")
      GKLocalPlayer.local.unregisterAllListeners()
    }

    @Test("6.8 Another player who signs in has events and banners of its own")
    func otherPlayer() async {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      await opened(client)
      send(ChallengeReceived(challenge(1)), 7, to: client)
      #expect(await listener.next() == .received(1))
      client.setSignedIn(false)
      client.become(FakeClient.stranger)
      client.setSignedIn(true)
      await opened(client)
      #expect(client.answers.withLock { $0.cursors } == [nil, nil])
      #expect(!GameKit.selectChallengeBanner(of: listener.challenges[0]))
      GKLocalPlayer.local.unregisterAllListeners()
    }
  }
}
