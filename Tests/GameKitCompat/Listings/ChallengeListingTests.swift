import Locking
@testable import MusterKit
import Testing
import Wire

@testable import GameKitCompat

extension GameKitTests {
  /// Runs the listings, and looks at what they have called, in its order.
  @MainActor
  @Suite("Listings of challenges", .serialized)
  struct ChallengeListingTests {
    let game = ChallengeListings()
    static let friend = FakeClient.friend.description

    private func presented() async -> String? {
      var iterator = game.presented.stream.makeAsyncIterator()
      return await iterator.next()
    }

    private func calls(_ client: FakeClient) -> [String] { client.answers.withLock { $0.calls } }

    private func received(_ message: String) -> Challenge {
      var challenge = Challenge()
      (challenge.id, challenge.board) = (ChallengeID(high: 5, low: 1), "points")
      (challenge.issuer, challenge.receiver) = (FakeClient.friend, FakeClient.me)
      challenge.message = message
      return challenge
    }

    @Test(
      "6.1 Listings 6-1 to 6-3: the achievement is reported, then the player is asked, then issues")
    func bossMonster() async throws {
      let client = GameKitTests.client { $0.challenges = [received("Beat me")] }
      let screen = MyAchievementChallengeViewController()
      game.storyboard["achievementChallenge"] = { screen }
      game.bossMonsterDefeated()
      #expect(game.presentedViewController === screen && screen.delegate === game)
      #expect(screen.achievement?.identifier == "MyGame.bossDefeated")
      (screen.players, screen.message) = ([Self.friend], "Now you")
      screen.close(issued: true)
      #expect(game.presentedViewController == nil)
      // The next listing ends after the one before.
      game.showChallengesList()
      _ = await presented()
      #expect(
        calls(client).prefix(2) == ["ReportAchievements", "issueChallenge Now you"])
      let report = try #require(client.asked.first as? ReportAchievements).reports
      #expect(report.map(\.percentComplete) == [100])
      #expect(report.map(\.showsCompletionBanner) == [false])
      #expect(client.answers.withLock { $0.askedToEarn } == [[FakeClient.friend]])
    }

    @Test("6.1 Listing 6-3: without the player's word nobody is challenged")
    func declined() async {
      let client = GameKitTests.client()
      let screen = MyAchievementChallengeViewController()
      game.storyboard["achievementChallenge"] = { screen }
      game.bossMonsterDefeated()
      screen.close(issued: false)
      game.showChallengesList()
      _ = await presented()
      #expect(calls(client) == ["ReportAchievements", "ReceivedChallenges"])
    }

    @Test("4.5 Listing 6-4: friends with strictly lower scores are proposed")
    func lesserMortals() async throws {
      let client = GameKitTests.client { answers in
        answers.page.entries = [
          ScoreTests.entry(1, FakeClient.me, 90), ScoreTests.entry(2, FakeClient.friend, 40),
        ]
      }
      game.challengeLesserMortals(forScore: 90, inCategory: "points")
      #expect(await presented() == "scores: Friend 40")
      let query = try #require(client.asked.compactMap { $0 as? FriendScores }.first)
      #expect(query.board == "points" && query.start == 1 && query.count == 100)
      #expect(calls(client) == ["DescribeLeaderboard", "FriendScores", "GetProfiles"])
    }

    @Test("6.4 Listing 6-5: those who can still earn it are proposed")
    func challengeable() async {
      let client = GameKitTests.client { $0.challengeable.players = [FakeClient.friend] }
      game.challengePlayers(toCompleteAchievement: GKAchievement(identifier: "first"))
      #expect(await presented() == "players: " + Self.friend)
      #expect(calls(client) == ["challengeablePlayers"])
    }

    @Test("6.5 Listing 6-6: the outstanding challenges are listed")
    func list() async {
      let client = GameKitTests.client { $0.challenges = [received("Beat me")] }
      game.showChallengesList()
      #expect(await presented() == "challenges: Beat me")
      #expect(calls(client) == ["ReceivedChallenges", "GetProfiles"])
    }

    @Test(
      "6.8 Listings 6-7 to 6-9: the banner is suppressed, and the issuer shown with name and photo")
    func completed() async {
      let photo = PhotoID(high: 7, low: 0)
      let client = GameKitTests.client { answers in
        (answers.normalPhoto, answers.photos[photo]) = (photo, [1, 2, 3])
      }
      var banners = 0
      GameKit.showChallengeBanner = { _, _ in
        banners += 1
        return true
      }
      game.installChallengeHandler()
      var opened = client.opened.stream.makeAsyncIterator()
      await opened.next()
      var completed = ChallengeCompleted()
      (completed.challenge, completed.isLocal) = (received("Beat me"), true)
      var streamed = StreamEvent()
      (streamed.sequence, streamed.kind) = (1, ChallengeCompleted.opcode.rawValue)
      streamed.body = Bytes(completed.encoded)
      client.send(PlayerEvent(streamed))
      #expect(await presented() == "Friend, a photo: true")
      #expect(banners == 0)
      // The event's names, the player, the player's photo.
      #expect(calls(client) == ["GetProfiles", "GetProfiles", "GetProfiles", "photo"])
      GKChallengeEventHandler.challengeEventHandler().delegate = nil
      GameKit.showChallengeBanner = nil
    }
  }
}
