import Foundation
import Locking
import MusterKit
import Testing

@testable import GameKitCompat

/// The async calls of achievements, and what older games call things.
extension GameKitTests {
  @MainActor
  @Suite("Spellings of achievements", .serialized)
  struct AchievementSpellingTests {
    private func achievement(_ percent: Double) -> GKAchievement {
      let achievement = GKAchievement()
      (achievement.identifier, achievement.percentComplete) = ("first", percent)
      return achievement
    }

    @Test("5.2 A report goes out under each of its names, and async")
    func report() async throws {
      let client = GameKitTests.client()
      let achievements = (1...6).map { achievement(Double($0)) }
      _ = await GameKitTests.failure {
        GKAchievement.reportAchievements([achievements[0]], withCompletionHandler: $0)
      }
      _ = await GameKitTests.failure {
        GKAchievement.reportAchievements(
          [achievements[1]], withEligibleChallenges: [], withCompletionHandler: $0)
      }
      _ = await GameKitTests.failure(achievements[2].reportAchievementWithCompletionHandler)
      try await GKAchievement.report([achievements[3]])
      try await GKAchievement.report([achievements[4]], withEligibleChallenges: [])
      try await achievements[5].report()
      let reported = client.asked.compactMap { $0 as? ReportAchievements }
      #expect(reported.flatMap(\.reports).map(\.percentComplete) == [1, 2, 3, 4, 5, 6])
      #expect(reported.map(\.eligibility) == [.all, .listed, .all, .all, .listed, .all])
      #expect(achievements[5].lastReportedDate == Date(timeIntervalSince1970: 2.5))
      await #expect(throws: GKError.self) { try await achievement(.nan).report() }
    }

    @Test("5.4 Reset and loading have async forms, which throw what the handler gets")
    func loading() async throws {
      let client = GameKitTests.client { answers in
        var progress = AchievementProgress()
        (progress.achievement, progress.percentComplete) = ("first", 40)
        answers.achievements = [progress]
        var definition = AchievementDefinition()
        (definition.achievement, definition.title) = ("first", "The first")
        answers.definitions = [definition]
      }
      #expect(try await GKAchievement.loadAchievements().map(\.percentComplete) == [40])
      let old = await GameKitTests.outcome(GKAchievement.loadAchievementsWithCompletionHandler)
      #expect(old.value?.count == 1)
      try await GKAchievement.resetAchievements()
      #expect(client.asked.last is ResetAchievements)
      let descriptions = try await GKAchievementDescription.loadAchievementDescriptions()
      #expect(descriptions.map(\.title) == ["The first"])
      #expect(descriptions[0].groupIdentifier == nil && descriptions[0].rarityPercent == nil)
      let image: Outcome<Data> = await GameKitTests.outcome { handler in
        descriptions[0].loadImage(completionHandler: handler)
      }
      #expect(image.error?.argument == "image")
      client.setSignedIn(false)
      await #expect(throws: GKError.self) { try await GKAchievement.resetAchievements() }
    }

    @Test("5.2 An achievement may be made for a player by id, whose progress nobody reports")
    func player() async {
      let client = GameKitTests.client()
      #expect(GKAchievement(identifier: nil, forPlayer: FakeClient.me.description) == nil)
      #expect(GKAchievement(identifier: "first", forPlayer: "nobody") == nil)
      let other = GKAchievement(identifier: "first", forPlayer: FakeClient.friend.description)
      #expect(other?.playerID == FakeClient.friend.description)
      let error = await GameKitTests.failure { other?.report(completionHandler: $0) }
      #expect(error?.argument == "player" && client.asked.isEmpty)
      #expect(GKAchievement(identifier: "first").playerID == FakeClient.me.description)
    }

    @Test("6.4 The async selection throws when the server could not answer for some")
    func select() async throws {
      let client = GameKitTests.client { $0.challengeable.players = [FakeClient.friend] }
      let first = GKAchievement(identifier: "first")
      let players = [FakeClient.stranger, FakeClient.friend].map { GKPlayer($0, displayName: "") }
      #expect(try await first.selectChallengeablePlayers(players) == [players[1]])
      let ids = try await first.selectChallengeablePlayerIDs(nil)
      #expect(ids == [FakeClient.friend.description])
      client.answers.withLock { answers in
        answers.challengeable.error = MusterError(.deadlineExceeded, "Too late.")
      }
      await #expect(throws: GKError.self) {
        try await first.selectChallengeablePlayers(players)
      }
    }
  }
}
