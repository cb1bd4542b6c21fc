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

    static func exchange(_ id: UInt32) -> TurnExchange {
      var exchange = TurnExchange()
      (exchange.id, exchange.player) = (id, FakeClient.friend)
      exchange.receivers = [FakeClient.me]
      return exchange
    }

    @Test("1.9 2.8 A turn is told although an exchange ends while the match is loaded")
    func exchangeGone() async throws {
      let client = GameKitTests.client { answers in
        answers.turns.view.info.exchanges = [Self.exchange(3), Self.exchange(4)]
        answers.turns.exchange.exchange = Self.exchange(4)
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

    @Test("1.9 What cannot be loaded for another reason fails")
    func otherFailures() async throws {
      let client = GameKitTests.client { $0.turns.view.info.exchanges = [Self.exchange(3)] }
      for failure in [
        MusterError(.notFound, argument: "number", "No such game."),
        MusterError(.notAllowed, argument: "exchange", "That is not for you."),
      ] {
        client.answers.withLock { $0.turns.exchangeFailure = failure }
        #expect(await TurnTests.code { _ = try await TurnTests.load() } != nil)
      }
      client.answers.withLock { $0.turns.readFailure = MusterError(.unavailable, "Not now.") }
      let code = await TurnTests.code { _ = try await GKTurnBasedMatch.loadMatches() }
      #expect(code == .communicationsFailure)
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

    @Test("1.9 A match that goes on is ended, also with the state that it has")
    func sameState() async throws {
      let client = GameKitTests.client()
      let match = try await TurnTests.load()
      let state = try #require(match.matchData)
      try await match.endMatchInTurn(withMatch: state, scores: nil, achievements: nil)
      #expect(TurnTests.asked(EndTurnGame.self, of: client).count == 1 && match.status == .ended)
      // With another state it has not ended.
      client.answers.withLock { $0.turns.failure = MusterError(.matchEnded, "It has ended.") }
      let code = await TurnTests.code {
        try await match.endMatchInTurn(
          withMatch: Data([9]), scores: nil, achievements: [progress()])
      }
      #expect(code == .turnBasedInvalidState)
      #expect(TurnTests.asked(ReportAchievements.self, of: client).isEmpty)
    }

    @Test("1.9 No outcome is given to who has left before, and a long state is not sent")
    func leavers() async throws {
      let client = GameKitTests.client { $0.turns.view.info.seats[1].state = .done }
      let match = try await TurnTests.load()
      (match.participants[0].matchOutcome, match.participants[1].matchOutcome) = (.won, .lost)
      try await match.endMatchInTurn(withMatch: Data([9]))
      let ended = TurnTests.asked(EndTurnGame.self, of: client)
      #expect(ended.map { $0.outcomes.map(\.player) } == [[FakeClient.me]])
      let long = Data(count: match.matchDataMaximumSize + 1)
      let code = await TurnTests.code {
        try await match.participantQuitInTurn(
          with: .quit, nextParticipants: [], turnTimeout: 0, match: long)
      }
      #expect(code == .turnBasedMatchDataTooLarge)
      #expect(TurnTests.asked(QuitTurnGame.self, of: client).isEmpty)
    }

    @Test("1.9 7.1 No achievements are reported where the scores were refused")
    func scoreFails() async throws {
      let client = GameKitTests.client { $0.submitFailure = MusterError(.notOpen, "It is over.") }
      let match = try await TurnTests.load()
      let score = GKLeaderboardScore()
      (score.leaderboardID, score.value) = ("laps", 7)
      let end = {
        try await match.endMatchInTurn(
          withMatch: Data([9]), leaderboardScores: [score], achievements: [progress()])
      }
      #expect(await TurnTests.code(end) != nil)
      #expect(TurnTests.asked(ReportAchievements.self, of: client).isEmpty)
      client.answers.withLock { $0.submitFailure = nil }
      #expect(await TurnTests.code(end) == nil)
      #expect(TurnTests.asked(ReportAchievements.self, of: client).count == 1)
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
  }
}
