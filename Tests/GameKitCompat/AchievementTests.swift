import Foundation
import Locking
import MusterKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Achievements", .serialized)
  struct AchievementTests {
    func achievement(_ name: String, _ percent: Double) -> GKAchievement {
      let achievement = GKAchievement(identifier: name)
      achievement.percentComplete = percent
      return achievement
    }

    func challenge(_ number: UInt64, _ achievement: String) -> GKChallenge {
      var challenge = Challenge()
      challenge.id = ChallengeID(high: 6, low: number)
      challenge.achievement = achievement
      (challenge.issuer, challenge.receiver) = (FakeClient.friend, FakeClient.me)
      return .of(challenge, issuer: GKPlayer(FakeClient.friend, displayName: "Friend"))
    }

    @Test("5.1 5.2 Several are reported in one call, and none when one is out of range")
    func report() async throws {
      let client = GameKitTests.client()
      let half = achievement("half", 50)
      half.showsCompletionBanner = true
      let whole = achievement("whole", 100)
      #expect(!half.isCompleted && whole.isCompleted)
      for wrong in [-1, 100.5, .nan] {
        let error = await GameKitTests.failure {
          GKAchievement.report([half, achievement("wrong", wrong)], withCompletionHandler: $0)
        }
        #expect(error?.argument == "percentComplete" && error?.code == .invalidParameter)
      }
      #expect(client.asked.isEmpty)
      let error = await GameKitTests.failure {
        GKAchievement.report([half, whole], withCompletionHandler: $0)
      }
      #expect(error == nil)
      let reported = try #require(client.asked.first as? ReportAchievements)
      #expect(reported.reports.map(\.achievement) == ["half", "whole"])
      #expect(reported.reports.map(\.percentComplete) == [50, 100])
      #expect(reported.reports.map(\.showsCompletionBanner) == [true, false])
      #expect(reported.eligibility == .all)
      #expect(half.lastReportedDate == Date(timeIntervalSince1970: 2.5))
    }

    @Test("5.2 A report that fails leaves the date; nobody reports another's progress")
    func refused() async {
      let client = GameKitTests.client { $0.reportFailure = MusterError(.notFound, "No such.") }
      let own = achievement("first", 10)
      let date = own.lastReportedDate
      #expect(
        await GameKitTests.failure { own.report(completionHandler: $0) }?.failure == .notFound)
      #expect(own.lastReportedDate == date)
      let other = GKAchievement(
        identifier: "first", player: GKPlayer(FakeClient.friend, displayName: ""))
      let error = await GameKitTests.failure { other.report(completionHandler: $0) }
      #expect(error?.failure == .notAllowed && client.asked.count == 1)
      let none = await GameKitTests.failure {
        GKAchievement.report([], withCompletionHandler: $0)
      }
      #expect(none?.argument == "reports")
    }

    @Test("6.7 A report may name the challenges that it can complete, and none completes none")
    func eligible() async {
      let client = GameKitTests.client()
      for challenges in [[], [challenge(1, "first"), challenge(2, "other")]] {
        let error = await GameKitTests.failure {
          GKAchievement.report(
            [achievement("first", 100)], withEligibleChallenges: challenges,
            withCompletionHandler: $0)
        }
        #expect(error == nil)
      }
      let reported = client.asked.compactMap { $0 as? ReportAchievements }
      #expect(reported.map(\.eligibility) == [.listed, .listed])
      #expect(reported.map { $0.eligibleChallenges.map(\.low) } == [[], [1]])
    }

    @Test("5.3 5.4 What was reported is loaded from all pages, and reset")
    func load() async throws {
      let client = GameKitTests.client { answers in
        answers.achievements = [("first", 100), ("second", 25.5)].map { name, percent in
          var progress = AchievementProgress()
          (progress.achievement, progress.percentComplete) = (name, percent)
          (progress.lastReportedDate, progress.showsCompletionBanner) = (1500, percent == 100)
          return progress
        }
      }
      let outcome = await GameKitTests.outcome { handler in
        GKAchievement.loadAchievements(completionHandler: handler)
      }
      let loaded = try #require(outcome.value)
      #expect(loaded.map(\.identifier) == ["first", "second"])
      #expect(loaded.map(\.percentComplete) == [100, 25.5])
      #expect(loaded.map(\.isCompleted) == [true, false])
      #expect(loaded.map(\.showsCompletionBanner) == [true, false])
      #expect(loaded[0].lastReportedDate == Date(timeIntervalSince1970: 1.5))
      #expect(loaded[0].player == GKLocalPlayer.local)
      #expect(await GameKitTests.failure(GKAchievement.resetAchievements) == nil)
      #expect(client.asked.last is ResetAchievements)
      client.setSignedIn(false)
      let none = await GameKitTests.outcome { handler in
        GKAchievement.loadAchievements(completionHandler: handler)
      }
      #expect(none.value == nil && none.error?.code == .notAuthenticated)
    }

    @Test("5.3 Descriptions say what the game declares of each achievement")
    func descriptions() async throws {
      _ = GameKitTests.client { answers in
        answers.definitions = ["first", "second"].map { name in
          var definition = AchievementDefinition()
          (definition.achievement, definition.title) = (name, "The \(name)")
          (definition.descriptionBefore, definition.descriptionAfter) = ("Do it", "Done")
          (definition.points, definition.isHidden) = (10, name == "second")
          definition.isReplayable = name == "first"
          return definition
        }
      }
      let outcome = await GameKitTests.outcome { handler in
        GKAchievementDescription.loadAchievementDescriptions(completionHandler: handler)
      }
      let loaded = try #require(outcome.value)
      #expect(loaded.map(\.identifier) == ["first", "second"])
      #expect(loaded.map(\.title) == ["The first", "The second"])
      #expect(loaded.map(\.isHidden) == [false, true])
      #expect(loaded.map(\.isReplayable) == [true, false])
      let first = loaded[0]
      #expect(first.unachievedDescription == "Do it" && first.achievedDescription == "Done")
      #expect(first.maximumPoints == 10)
    }

    @Test("6.4 Who can still earn it is selected; a partial result comes with the error")
    func select() async {
      let client = GameKitTests.client { answers in
        answers.challengeable.players = [FakeClient.friend]
        answers.challengeable.error = MusterError(.deadlineExceeded, "Too late.")
      }
      let achievement = GKAchievement(identifier: "first")
      let ids = [FakeClient.friend.description, "nobody", FakeClient.stranger.description]
      let found = await GameKitTests.outcome { handler in
        achievement.selectChallengeablePlayerIDs(ids, withCompletionHandler: handler)
      }
      #expect(found.value == [FakeClient.friend.description])
      #expect(found.error?.code == .communicationsFailure)
      let all = await GameKitTests.outcome { handler in
        achievement.selectChallengeablePlayerIDs(nil, withCompletionHandler: handler)
      }
      #expect(all.value?.count == 1)
      let players = [FakeClient.stranger, FakeClient.friend].map { GKPlayer($0, displayName: "") }
      let loaded = await GameKitTests.outcome { handler in
        achievement.selectChallengeablePlayers(players, withCompletionHandler: handler)
      }
      #expect(loaded.value == [players[1]])
      let asked = client.answers.withLock { $0.askedToEarn }
      #expect(
        asked == [
          [FakeClient.friend, FakeClient.stranger], nil, [FakeClient.stranger, FakeClient.friend],
        ])
    }

    @Test("6.3 Whoever gets no challenge is named, with the reason; the others get theirs")
    func issue() async throws {
      let client = GameKitTests.client { answers in
        var (hidden, issued) = (ChallengeOutcome(), ChallengeOutcome())
        (hidden.receiver, hidden.refusal) = (FakeClient.stranger, .hidden)
        (issued.receiver, issued.challenge) = (FakeClient.friend, ChallengeID(high: 6, low: 1))
        answers.issued.outcomes = [hidden, issued]
        answers.issued.error = MusterError(.deadlineExceeded, "Too late.")
      }
      let achievement = GKAchievement(identifier: "first")
      let late = PlayerID(high: 4, low: 0)
      let ids = [FakeClient.stranger, FakeClient.friend, late].map(\.description) + ["nobody"]
      let result = await GameKitTests.outcome { handler in
        achievement.issueChallenge(toPlayers: ids, message: "Try", completionHandler: handler)
      }
      let refusals = try #require(result.value as? [String: GKError])
      #expect(refusals.count == 3 && result.error == nil)
      #expect(refusals[ids[0]]?.failure == .notAllowed)
      #expect(refusals[late.description]?.code == .communicationsFailure)
      #expect(refusals["nobody"]?.failure == .notReachable)
      client.answers.withLock { $0.issued.outcomes = [] }
      let none = await GameKitTests.outcome { handler in
        achievement.issueChallenge(toPlayers: ids, message: nil, completionHandler: handler)
      }
      #expect(none.value == nil && none.error?.code == .communicationsFailure)
    }

    @Test("6.2 A challenge waits for the reports that are under way, whatever becomes of them")
    func issueAfterReport() async {
      for failure in [nil, MusterError(.deadlineExceeded, "Too late.")] {
        let hold = Signal()
        let client = GameKitTests.client { ($0.reportHold, $0.reportFailure) = (hold, failure) }
        let whole = achievement("first", 100)
        whole.report(completionHandler: nil)
        let issued = Signal()
        whole.issueChallenge(toPlayers: [FakeClient.friend.description], message: "Try") { _, _ in
          issued.yield()
        }
        // Ends after whatever the calls before it have begun.
        _ = try? await GKChallenge.loadReceivedChallenges()
        hold.yield()
        await issued.next()
        let calls = client.answers.withLock { $0.calls }.filter { $0 != "ReceivedChallenges" }
        #expect(
          calls == ["ReportAchievements", "ReportAchievements returns", "issueChallenge Try"])
      }
    }

    @Test("6.2 A challenge to earn an achievement has it as its issuer does")
    func asked() throws {
      _ = GameKitTests.client()
      let asked = try #require(challenge(1, "first") as? GKAchievementChallenge)
      #expect(asked.achievement?.identifier == "first" && asked.achievement?.isCompleted == true)
      #expect(asked.achievement?.player.displayName == "Friend")
    }

    @Test("4.2 Sets list their boards with titles")
    func sets() async throws {
      _ = GameKitTests.client()
      let sets = await GameKitTests.outcome { handler in
        GKLeaderboardSet.loadLeaderboardSets(completionHandler: handler)
      }
      let set = try #require(sets.value?.first)
      #expect(set.identifier == "race" && set.title == "Race")
      let boards = await GameKitTests.outcome { handler in
        set.loadLeaderboards(completionHandler: handler)
      }
      #expect(boards.value?.map(\.identifier) == ["laps", "wins"])
      #expect(boards.value?.map(\.title) == ["The laps", "The wins"])
    }
  }
}
