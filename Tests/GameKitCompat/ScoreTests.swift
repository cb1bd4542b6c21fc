import Foundation
import MusterKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Scores and challenges", .serialized)
  struct ScoreTests {
    static func entry(_ rank: UInt32, _ player: PlayerID, _ value: Int64) -> LeaderboardEntry {
      var entry = LeaderboardEntry()
      (entry.rank, entry.player, entry.value) = (rank, player, value)
      return entry
    }

    func load(_ change: (GKLeaderboard) -> Void) async -> (GKLeaderboard, Outcome<[GKScore]>) {
      let board = GKLeaderboard()
      board.identifier = "points"
      change(board)
      let outcome = await GameKitTests.outcome { board.loadScores(completionHandler: $0) }
      return (board, outcome)
    }

    @Test("4.1 A score without a value is an error; 0 is a value")
    func value() async {
      let client = GameKitTests.client()
      let score = GKScore(leaderboardIdentifier: "points")
      var error = await GameKitTests.failure { score.report(completionHandler: $0) }
      #expect(error?.code == .scoreNotSet)
      #expect(client.asked.isEmpty)
      score.value = 0
      score.context = .max
      error = await GameKitTests.failure { score.report(completionHandler: $0) }
      #expect(error == nil)
      let submitted = client.asked.first as? SubmitScore
      #expect(submitted?.value == 0 && submitted?.scoreTag == .max)
      #expect(submitted?.eligibility == .all)
    }

    @Test(
      "4.3 A range starts at 1 and has at most 100 entries",
      arguments: [(0, 1, "start"), (1, 101, "count"), (1, 0, "count"), (-1, 5, "start")])
    func range(location: Int, length: Int, argument: String) async {
      let client = GameKitTests.client()
      for scope in [GKLeaderboardPlayerScope.global, .friendsOnly] {
        let (_, outcome) = await load {
          $0.range = NSRange(location: location, length: length)
          $0.playerScope = scope
        }
        #expect(outcome.error?.argument == argument)
      }
      #expect(client.asked.isEmpty)
    }

    @Test("4.3 Scopes, with the local player's own entry and the total")
    func scopes() async {
      let client = GameKitTests.client { answers in
        answers.page.entries = [
          Self.entry(1, FakeClient.stranger, 9), Self.entry(2, FakeClient.friend, 8),
        ]
        answers.page.localEntry = Self.entry(7, FakeClient.me, 3)
        answers.page.total = 12
      }
      let (board, outcome) = await load {
        $0.range = NSRange(location: 1, length: 2)
      }
      #expect(outcome.value?.map(\.value) == [9, 8])
      #expect(outcome.value?.map(\.player.displayName) == ["", "Friend"])
      #expect(board.localPlayerScore?.rank == 7 && board.maxRange == 12 && !board.isLoading)
      #expect(client.asked.contains { $0 is TopScores })
      _ = await load { $0.playerScope = .friendsOnly }
      #expect(client.asked.contains { $0 is FriendScores })
    }

    func challenge(_ number: UInt64, _ state: ChallengeState = .pending) -> Challenge {
      var challenge = Challenge()
      challenge.id = ChallengeID(high: 5, low: number)
      challenge.board = "points"
      (challenge.issuer, challenge.receiver) = (FakeClient.friend, FakeClient.me)
      (challenge.value, challenge.issueDate, challenge.state) = (40, 1500, state)
      return challenge
    }

    @Test("6.3 Whoever gets no challenge is named, with the reason")
    func issue() async {
      var outcome = ChallengeOutcome()
      (outcome.receiver, outcome.refusal) = (FakeClient.stranger, .notReachable)
      let client = GameKitTests.client { [outcome] in $0.outcomes = [outcome] }
      let score = GKScore(leaderboardIdentifier: "points")
      let players = [FakeClient.stranger.description, "nobody"]
      let result = await GameKitTests.outcome { handler in
        score.issueChallenge(toPlayers: players, message: "Beat me", completionHandler: handler)
      }
      #expect(result.value?.keys.sorted() == players.sorted())
      #expect((client.asked.first as? IssueScoreChallenge)?.message == "Beat me")
      let none = await GameKitTests.outcome { handler in
        score.issueChallenge(toPlayers: nil, message: nil, completionHandler: handler)
      }
      #expect(none.error?.argument == "receivers")
    }

    @Test("6.2 A challenge asks for the score that it is issued from, or for the entry")
    func target() async {
      let client = GameKitTests.client()
      let score = GKScore(leaderboardIdentifier: "points")
      for value: Int64? in [nil, 50] {
        if let value { (score.value, score.context) = (value, 7) }
        _ = await GameKitTests.outcome { handler in
          score.issueChallenge(
            toPlayers: [FakeClient.friend.description], message: nil, completionHandler: handler)
        }
        let issued = client.asked.compactMap { $0 as? IssueScoreChallenge }.last
        #expect(issued?.value == value && issued?.scoreTag == (value == nil ? 0 : 7))
        #expect(issued?.isAttempt == (value != nil))
      }
    }

    @Test("6.2 A challenge with a loaded score asks for that, which is no attempt's")
    func loadedTarget() async throws {
      let client = GameKitTests.client { answers in
        answers.page.entries = [Self.entry(1, FakeClient.me, 150)]
      }
      let (_, outcome) = await load { $0.playerScope = .global }
      let score = try #require(outcome.value?.first)
      _ = await GameKitTests.outcome { handler in
        score.issueChallenge(
          toPlayers: [FakeClient.friend.description], message: nil, completionHandler: handler)
      }
      let issued = client.asked.compactMap { $0 as? IssueScoreChallenge }.last
      #expect(issued?.value == 150 && issued?.isAttempt == false)
    }

    @Test("6.2 A score that is reported and then issued at once is reported first")
    func reportedFirst() async {
      let client = GameKitTests.client()
      let score = GKScore(leaderboardIdentifier: "points")
      score.value = 50
      score.report(completionHandler: nil)
      _ = await GameKitTests.outcome { handler in
        score.issueChallenge(
          toPlayers: [FakeClient.friend.description], message: nil, completionHandler: handler)
      }
      #expect(client.asked.first is SubmitScore && client.asked.last is IssueScoreChallenge)
    }

    @Test("6.3 A friend whose sum meets the challenge already is named, with that reason")
    func alreadyMet() {
      let error = GKError(.alreadyMet)
      #expect(error.failure == .alreadyExists && error.argument == "receivers")
      #expect(error.text == "The player's score meets the challenge already.")
    }

    @Test("6.5 The received list is of all pages, and declining takes one off")
    func received() async throws {
      let client = GameKitTests.client { answers in
        answers.challenges = [challenge(1), challenge(2, .accepted)]
      }
      let loaded = await GameKitTests.outcome { handler in
        GKChallenge.loadReceivedChallenges(completionHandler: handler)
      }
      let challenges = try #require(loaded.value)
      #expect(challenges.map(\.state) == [.pending, .pending])
      let first = try #require(challenges.first as? GKScoreChallenge)
      #expect(first.score?.value == 40 && first.issuingPlayer.displayName == "Friend")
      #expect(first.issueDate == Date(timeIntervalSince1970: 1.5))
      #expect(await GameKitTests.failure { first.decline(completionHandler: $0) } == nil)
      #expect(first.state == .declined)
      let declined = client.asked.compactMap { $0 as? DeclineChallenge }
      #expect(declined.map(\.challenge) == [ChallengeID(high: 5, low: 1)])
      #expect(await GameKitTests.failure { first.decline(completionHandler: $0) } != nil)
    }

    @Test("6.7 A report may name the challenges that it can complete")
    func eligible() async {
      let client = GameKitTests.client()
      let score = GKScore(leaderboardIdentifier: "points")
      score.value = 50
      let issuer = GKPlayer(FakeClient.friend, displayName: "Friend")
      for challenges in [[], [GKScoreChallenge(challenge(1), issuer: issuer)]] {
        let error = await GameKitTests.failure {
          GKScore.report([score], withEligibleChallenges: challenges, withCompletionHandler: $0)
        }
        #expect(error == nil)
      }
      let submitted = client.asked.compactMap { $0 as? SubmitScore }
      #expect(submitted.map(\.eligibility) == [.listed, .listed])
      #expect(submitted.map(\.eligibleChallenges.count) == [0, 1])
    }
  }
}
