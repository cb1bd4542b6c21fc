import Foundation
import Locking
import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

/// What is left when something ends, or a call fails, between two steps.
extension GameKitTests {
  @MainActor
  @Suite("Turn-based matches that change meanwhile", .serialized, .endsAtLast)
  struct TurnRepeatTests {
    let listener = TurnListener()

    init() { GKLocalPlayer.local.unregisterAllListeners() }

    private func exchange(_ id: UInt32) -> TurnExchange {
      var exchange = TurnExchange()
      (exchange.id, exchange.player) = (id, FakeClient.friend)
      exchange.receivers = [FakeClient.me]
      return exchange
    }

    @Test("1.9 2.8 A turn is told although an exchange ends while the match is loaded")
    func exchangeGone() async throws {
      let client = GameKitTests.client { answers in
        answers.turns.view.info.exchanges = [exchange(3), exchange(4)]
        answers.turns.exchange.exchange = exchange(4)
        answers.turns.missingExchanges = [3]
      }
      GKLocalPlayer.local.register(listener)
      var passed = TurnPassed()
      passed.context = FakeClient.context
      client.send(passed, 1)
      client.send(passed, 2)
      #expect(await listener.next() == "turn 1 false")
      #expect(await listener.next() == "turn 1 false")
      let match = try await TurnTests.load()
      #expect(match.exchanges?.map(\.exchangeID) == ["4"])
      GKLocalPlayer.local.unregisterAllListeners()
    }

    @Test("1.9 A match that is gone is left out, and the others are loaded")
    func matchGone() async throws {
      _ = GameKitTests.client { $0.turns.missing = [1] }
      #expect(try await GKTurnBasedMatch.loadMatches().count == 1)
      let code = await TurnTests.code { _ = try await TurnTests.load() }
      #expect(code != nil)
    }

    private func progress() -> GKAchievement {
      let achievement = GKAchievement(identifier: "won")
      achievement.percentComplete = 100
      return achievement
    }

    @Test("1.9 7.1 Ending a match with results is repeated where the report has failed")
    func reportFails() async throws {
      let client = GameKitTests.client { $0.reportFailure = MusterError(.unavailable, "Not now.") }
      let match = try await TurnTests.load()
      (match.participants[0].matchOutcome, match.participants[1].matchOutcome) = (.won, .lost)
      let end = { (match: GKTurnBasedMatch) in
        try await match.endMatchInTurn(
          withMatch: Data([9]), scores: nil, achievements: [progress()])
      }
      #expect(await TurnTests.code { try await end(match) } == .communicationsFailure)
      #expect(match.status == .ended)
      client.answers.withLock { $0.reportFailure = nil }
      try await end(match)
      // The same in the next start of the game.
      try await end(try await TurnTests.load())
      #expect(TurnTests.asked(EndTurnGame.self, of: client).count == 1)
      #expect(TurnTests.asked(ReportAchievements.self, of: client).count == 3)
    }

    @Test("1.9 7.1 Results are reported where the reply to the end was lost, and for no other end")
    func replyLost() async throws {
      let client = GameKitTests.client()
      let (match, other) = (try await TurnTests.load(), try await TurnTests.load())
      (match.participants[0].matchOutcome, match.participants[1].matchOutcome) = (.won, .lost)
      (other.participants[0].matchOutcome, other.participants[1].matchOutcome) = (.lost, .won)
      client.answers.withLock { answers in
        var view = answers.turns.view
        (view.info.version, view.info.phase, view.state) = (8, .ended, Bytes([9]))
        (view.info.seats[0].outcome, view.info.seats[1].outcome) = (.won, .lost)
        answers.turns.failure = MusterError(
          .conflict, argument: "version", "It has changed.", detail: view.encoded)
      }
      let failure = client.answers.withLock { $0.turns.failure }
      let score = GKLeaderboardScore()
      (score.leaderboardID, score.value) = ("laps", 7)
      try await match.endMatchInTurn(
        withMatch: Data([9]), leaderboardScores: [score], achievements: [])
      #expect(TurnTests.asked(SubmitScore.self, of: client).map(\.value) == [7])
      client.answers.withLock { $0.turns.failure = failure }
      let code = await TurnTests.code {
        try await other.endMatchInTurn(
          withMatch: Data([9]), leaderboardScores: [score], achievements: [])
      }
      #expect(code == .turnBasedInvalidState)
      #expect(TurnTests.asked(SubmitScore.self, of: client).count == 1)
    }

    @Test("1.9 A match with a friend who cannot be reached leaves no group behind")
    func refused() async throws {
      let client = GameKitTests.client { $0.turns.unreachable = [FakeClient.stranger] }
      let request = GKMatchRequest()
      request.maxPlayers = 4
      request.recipients = [FakeClient.friend, FakeClient.stranger].map {
        GKPlayer($0, displayName: "")
      }
      let code = await TurnTests.code { _ = try await GKTurnBasedMatch.find(for: request) }
      #expect(code == .invalidPlayer)
      let closed = TurnTests.asked(CloseContext.self, of: client)
      #expect(closed.map(\.context) == [ContextID(high: 8, low: 8)])
      #expect(closed.map(\.isForGood) == [true])
      #expect(TurnTests.asked(StartTurnGame.self, of: client).isEmpty)
    }

    @Test("1.9 Fewer friends than the least number of players begin no match")
    func tooFew() async throws {
      let client = GameKitTests.client()
      let request = GKMatchRequest()
      (request.minPlayers, request.maxPlayers) = (4, 4)
      request.recipients = [GKPlayer(FakeClient.friend, displayName: "Friend")]
      let calls = client.asked.count
      let code = await TurnTests.code { _ = try await GKTurnBasedMatch.find(for: request) }
      #expect(code == .matchRequestInvalid && client.asked.count == calls)
      // With how many a player would begin is no promise.
      (request.minPlayers, request.defaultNumberOfPlayers) = (2, 4)
      _ = try await GKTurnBasedMatch.find(for: request)
      #expect(TurnTests.asked(StartTurnGame.self, of: client).count == 1)
    }

    @Test("1.9 The dates of an exchange do not change when the match is loaded again")
    func dates() async throws {
      _ = GameKitTests.client { answers in
        var complete = exchange(3)
        complete.isComplete = true
        answers.turns.view.info.exchanges = [complete]
        answers.turns.exchange.exchange = complete
        var answer = TurnExchangeAnswer()
        answer.player = FakeClient.me
        answers.turns.exchange.answers = [answer]
      }
      let first = try #require(try await TurnTests.load().exchanges?.first)
      let later = try #require(try await TurnTests.load().exchanges?.first)
      #expect(first !== later && first.sendDate == later.sendDate)
      #expect(first.replies?.map(\.replyDate) == later.replies?.map(\.replyDate))
      #expect(first.replies?.count == 1 && later.completionDate == nil)
    }
  }
}
