import Foundation
import Locking
import MusterKit
import Testing

@testable import GameKitCompat

/// What older games call things, and GameKit's numbers.
extension GameKitTests {
  @MainActor
  @Suite("Spellings of scores", .serialized)
  struct ScoreSpellingTests {
    @Test("7.4 Terms have GameKit's numbers, under the nested and the older names")
    func numbers() {
      #expect([GKLeaderboardPlayerScope.global, .friendsOnly].map(\.rawValue) == [0, 1])
      #expect([GKLeaderboard.TimeScope.today, .week, .allTime].map(\.rawValue) == [0, 1, 2])
      #expect([GKLeaderboard.LeaderboardType.classic, .recurring].map(\.rawValue) == [0, 1])
      #expect(GKLeaderboardTimeScope.self == GKLeaderboard.TimeScope.self)
      let states = [GKChallengeState.invalid, .pending, .completed, .declined]
      #expect(states.map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test("4.3 An older query has GameKit's defaults, and the board's older name")
    func query() async throws {
      let client = GameKitTests.client { answers in
        answers.boards.declared["laps"] = BoardAnswers.classic("laps", .seconds)
        answers.page.entries = [ScoreTests.entry(1, FakeClient.friend, 61)]
      }
      let query = GKLeaderboard()
      #expect(query.range == NSRange(location: 1, length: 25))
      #expect(query.playerScope == .global && query.timeScope == .allTime)
      query.category = "laps"
      query.timeScope = .today
      #expect(query.identifier == "laps" && query.title == nil)
      let scores = try await query.loadScores()
      #expect(query.title == "The laps" && query.scores?.count == 1)
      #expect(scores[0].formattedValue == "1:01" && scores[0].category == "laps")
      #expect(scores[0].playerID == FakeClient.friend.description)
      let asked = try #require(client.asked.compactMap { $0 as? TopScores }.first)
      #expect(asked.period.timeScope == .today && asked.count == 25)
      query.identifier = "wins"
      #expect(query.title == nil)
    }

    @Test("4.3 An older query of players loads all of them, whatever its range")
    func players() async throws {
      let ids = (10..<13).map { PlayerID(high: $0, low: 0) }
      let client = GameKitTests.client { answers in
        answers.boards.listed = ids.map { ScoreTests.entry(1, $0, 5) }
      }
      let query = try #require(GKLeaderboard(playerIDs: ids.map(\.description)))
      query.identifier = "points"
      query.range = NSRange(location: 2, length: 1)
      let scores = try await query.loadScores()
      #expect(scores.map(\.player) == ids.map { GKPlayer($0, displayName: "") })
      #expect(query.maxRange == 3)
      #expect(client.asked.compactMap { ($0 as? TopScores)?.players } == [ids, ids])
      #expect(GKLeaderboard(playerIDs: ["nobody"]) == nil && GKLeaderboard(playerIDs: nil) == nil)
    }

    @Test("4.1 A score is made and reported under each of its names")
    func scores() async throws {
      let client = GameKitTests.client()
      let first = GKScore(category: "laps")
      let second = GKScore(leaderboardIdentifier: "laps", player: GKLocalPlayer.local)
      let third = GKScore()
      third.category = "wins"
      for (score, value) in zip([first, second, third], [1, 2, 3] as [Int64]) {
        score.value = value
      }
      first.shouldSetDefaultLeaderboard = true
      #expect(first.formattedValue == nil && first.playerID == FakeClient.me.description)
      #expect(first.date.timeIntervalSinceNow > -60)
      _ = await GameKitTests.failure(first.reportScoreWithCompletionHandler)
      _ = await GameKitTests.failure {
        GKScore.reportScores([second, third], withCompletionHandler: $0)
      }
      _ = await GameKitTests.failure {
        GKScore.reportScores([first], withEligibleChallenges: [], withCompletionHandler: $0)
      }
      try await GKScore.report([third])
      try await second.report()
      let submitted = client.asked.compactMap { $0 as? SubmitScore }
      #expect(submitted.map(\.value) == [1, 2, 3, 1, 3, 2])
      #expect(submitted.map(\.board) == ["laps", "laps", "wins", "laps", "wins", "laps"])
      #expect(submitted.map(\.eligibility) == [.all, .all, .all, .listed, .all, .all])
      #expect(GKScore(leaderboardIdentifier: "laps", forPlayer: "nobody") == nil)
      let others = GKScore(
        leaderboardIdentifier: "laps", forPlayer: FakeClient.friend.description)
      others?.value = 3
      #expect(
        await GameKitTests.failure { others?.report(completionHandler: $0) }?.argument == "player")
    }

    @Test("4.1 An object is equal to itself alone, as GameKit's are")
    func identity() {
      let scores = [GKScore(category: "laps"), GKScore(category: "laps")]
      #expect(scores[0] == scores[0] && scores[0] != scores[1] && Set(scores).count == 2)
      let boards = [GKLeaderboard(), GKLeaderboard()]
      #expect(boards.firstIndex(of: boards[1]) == 1 && Set(boards + boards).count == 2)
      let achievements = [GKAchievement(identifier: "first"), GKAchievement(identifier: "first")]
      #expect(achievements.firstIndex(of: achievements[1]) == 1)
      #expect(Set(achievements + achievements).count == 2)
    }

    @Test("6.7 A board's score may name the challenges that it can complete")
    func boardScore() async throws {
      let client = GameKitTests.client()
      var challenge = Challenge()
      (challenge.id, challenge.board) = (ChallengeID(high: 5, low: 1), "laps")
      let issuer = GKPlayer(FakeClient.friend, displayName: "Friend")
      let score = GKLeaderboardScore()
      (score.leaderboardID, score.value, score.context) = ("laps", 50, 3)
      try await GKScore.report(
        [score], withEligibleChallenges: [GKScoreChallenge(challenge, issuer: issuer)])
      let submitted = try #require(client.asked.first as? SubmitScore)
      #expect(submitted.board == "laps" && submitted.value == 50 && submitted.scoreTag == 3)
      #expect(submitted.eligibleChallenges == [challenge.id])
      score.player = issuer
      let error = await GameKitTests.failure {
        GKScore.report([score], withEligibleChallenges: [], withCompletionHandler: $0)
      }
      #expect(error?.argument == "player")
    }

    @Test(
      "4.2 A value is shown in its board's format",
      arguments: [
        (ScoreFormat.integer, 1234, "1234"), (.oneDecimal, 1234, "123.4"),
        (.twoDecimals, 5, "0.05"), (.threeDecimals, -1234, "-1.234"),
        (.minutes, 61, "1:01"), (.seconds, 59, "0:59"), (.seconds, 3723, "1:02:03"),
        (.hundredths, 6105, "1:01.05"), (.hundredths, -5, "-0:00.05"),
        (.threeDecimals, .min, "-9223372036854775.808"), (ScoreFormat(rawValue: 99), 7, "7"),
      ] as [(ScoreFormat, Int64, String)])
    func format(format: ScoreFormat, value: Int64, text: String) {
      #expect(format.text(value) == text)
    }
  }
}
