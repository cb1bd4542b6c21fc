import Foundation
import Locking
import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Turn-based matches", .serialized, .endsAtLast)
  struct TurnTests {
    let friend = GKPlayer(FakeClient.friend, displayName: "Friend")

    static func load() async throws -> GKTurnBasedMatch {
      try await GKTurnBasedMatch.load(withID: "\(FakeClient.context):1")
    }

    static func asked<O: Operation>(_ type: O.Type, of client: FakeClient) -> [O] {
      client.asked.compactMap { $0 as? O }
    }

    /// What a call threw; nil when it succeeded.
    static func code(_ call: () async throws -> Void) async -> GKError.Code? {
      do {
        try await call()
        return nil
      } catch {
        return (error as? GKError)?.code
      }
    }

    @Test("1.9 Terms have GameKit's numbers")
    func terms() {
      #expect((0...3).compactMap { GKTurnBasedMatch.Status(rawValue: $0) }.count == 4)
      #expect(GKTurnBasedMatch.Status.matching.rawValue == 3)
      #expect(GKTurnBasedParticipant.Status.done.rawValue == 5)
      #expect(GKTurnBasedMatch.Outcome.fourth.rawValue == 9)
      #expect(GKTurnBasedMatch.Outcome.customRange.rawValue == 0x00FF_0000)
      #expect(GKTurnBasedExchangeStatus.canceled.rawValue == 4)
      #expect(GKTurnTimeoutDefault == 604_800 && GKExchangeTimeoutDefault == 86_400)
      for outcome: GKTurnBasedMatch.Outcome in [.quit, .won, .timeExpired, .fourth, .customRange] {
        #expect(GKTurnBasedMatch.Outcome(outcome.turnOutcome) == outcome)
      }
    }

    @Test("1.9 A game's own outcomes are kept, each by its number")
    func ownOutcomes() throws {
      var kept: Set<UInt8> = [GKTurnBasedMatch.Outcome.customRange.turnOutcome.rawValue]
      for number in 1...127 {
        let outcome = try #require(GKTurnBasedMatch.Outcome(rawValue: number << 16))
        #expect(GKTurnBasedMatch.Outcome(outcome.turnOutcome) == outcome)
        kept.insert(outcome.turnOutcome.rawValue)
      }
      #expect(kept == Set(128...255))
      for number in [-1, 10, 0x80_0000, 0x0001_0001, 0x0100_0000] {
        #expect(GKTurnBasedMatch.Outcome(rawValue: number) == nil)
      }
    }

    @Test("1.9 A match is loaded with its participants, its state and the last turn's message")
    func loaded() async throws {
      _ = GameKitTests.client { answers in
        var move = TurnMove()
        (move.index, move.player, move.time) = (1, FakeClient.friend, 4000)
        move.payload = Bytes(Array("Your turn!".utf8))
        answers.turns.moves = [move]
        answers.turns.view.info.moveCount = 1
      }
      let match = try await Self.load()
      #expect(match.participants.map { $0.player?.displayName } == ["Me", "Friend"])
      #expect(match.status == .open && match.participants.map(\.status) == [.active, .active])
      #expect(match.currentParticipant?.player == GKLocalPlayer.local)
      #expect(match.participants[0].timeoutDate == Date(milliseconds: 9000))
      #expect(match.participants[1].timeoutDate == nil)
      #expect(match.participants[1].lastTurnDate == Date(milliseconds: 4000))
      #expect(match.creationDate == Date(milliseconds: 1000))
      #expect(match.matchData == Data([1, 2, 3, 4, 5, 6, 7, 8]) && match.message == "Your turn!")
      #expect(try await match.loadMatchData() == match.matchData)
      #expect(match.matchDataMaximumSize == 60 << 10 && match.exchangeDataMaximumSize == 1 << 10)
      let all = try await GKTurnBasedMatch.loadMatches()
      #expect(all == [match, match])
      let unknown = await Self.code { _ = try await GKTurnBasedMatch.load(withID: "x") }
      #expect(unknown == .invalidParameter)
    }

    @Test("1.9 A turn is ended for the version that was seen, with the state and who is next")
    func ended() async throws {
      let client = GameKitTests.client()
      let match = try await Self.load()
      match.message = "Now you"
      try await match.endTurn(
        withNextParticipants: [match.participants[1]], turnTimeout: GKTurnTimeoutDefault,
        match: Data([9]))
      let move = try #require(Self.asked(MakeMove.self, of: client).first)
      #expect(move.version == 5 && move.state?.array == [9] && move.next == [FakeClient.friend])
      #expect(move.payload.array == Array("Now you".utf8))
      #expect(match.info.version == 6 && match.matchData == Data([9]))
      try await match.saveCurrentTurn(withMatch: Data([10]))
      #expect(Self.asked(SaveTurnState.self, of: client).map(\.version) == [6])
      #expect(match.matchData == Data([10]))
    }

    @Test("1.9 A turn for an older version is an error, and brings the match up to date")
    func stale() async throws {
      let client = GameKitTests.client()
      let match = try await Self.load()
      client.answers.withLock { answers in
        var view = answers.turns.view
        (view.info.version, view.state) = (8, Bytes([7]))
        answers.turns.failure = MusterError(
          .conflict, argument: "version", "It has changed.", detail: view.encoded)
      }
      let end = {
        try await match.endTurn(withNextParticipants: [], turnTimeout: 0, match: Data([9]))
      }
      #expect(await Self.code(end) == .turnBasedInvalidState)
      #expect(match.info.version == 8 && match.matchData == Data([7]))
      client.answers.withLock { $0.turns.failure = MusterError(.notAllowed, "Not your turn.") }
      #expect(await Self.code(end) == .turnBasedInvalidTurn)
      let failure = MusterError(.invalidArgument, argument: "next", "Who is that?")
      client.answers.withLock { $0.turns.failure = failure }
      #expect(await Self.code(end) == .turnBasedInvalidParticipant)
      let calls = client.asked.count
      let long = Data(count: match.matchDataMaximumSize + 1)
      let code = await Self.code { try await match.saveCurrentTurn(withMatch: long) }
      #expect(code == .turnBasedMatchDataTooLarge && client.asked.count == calls)
    }

    @Test("1.9 The match is ended with each participant's outcome, and left in turn and out of it")
    func over() async throws {
      let client = GameKitTests.client()
      let match = try await Self.load()
      match.participants[0].matchOutcome = .won
      match.participants[1].matchOutcome = .lost
      try await match.endMatchInTurn(withMatch: Data([9]))
      let ended = try #require(Self.asked(EndTurnGame.self, of: client).first)
      #expect(ended.outcomes.map(\.player) == [FakeClient.me, FakeClient.friend])
      #expect(ended.outcomes.map(\.outcome) == [.won, .lost])
      let version = match.info.version
      try await match.participantQuitInTurn(
        with: .quit, nextParticipants: [match.participants[1]], turnTimeout: 0, match: Data([3]))
      #expect(match.matchData == Data([3]))
      try await match.participantQuitOutOfTurn(with: .lost)
      #expect(Self.asked(SaveTurnState.self, of: client).isEmpty, "leaving is one call")
      let quits = Self.asked(QuitTurnGame.self, of: client)
      #expect(quits.map(\.outcome) == [.quit, .lost])
      #expect(quits.map(\.next) == [[FakeClient.friend], []])
      #expect(quits.map(\.state?.array) == [[3], nil] && quits[0].version == version)
      let others = GKAchievement(identifier: "won", player: friend)
      let calls = client.asked.count
      let code = await Self.code {
        try await match.endMatchInTurn(withMatch: Data(), scores: nil, achievements: [others])
      }
      #expect(code == .unknown && client.asked.count == calls)
    }

    @Test("1.9 An invitation is accepted or declined, by who is invited")
    func answered() async throws {
      let client = GameKitTests.client { $0.turns.view.info.seats[0].state = .invited }
      let match = try await Self.load()
      client.answers.withLock { $0.turns.view.info.seats[0].state = .active }
      #expect(try await match.acceptInvite() === match)
      #expect(Self.asked(AnswerTurnGame.self, of: client).map(\.accept) == [true])
      #expect(await Self.code { try await match.declineInvite() } == .turnBasedInvalidState)
      #expect(await Self.code { try await match.remove() } == .turnBasedInvalidState)
      client.answers.withLock { $0.turns.view.info.phase = .ended }
      _ = try await match.loadMatchData()
      #expect(match.status == .ended)
      try await match.remove()
    }

    @Test("1.9 A match with one friend is in the context of the two, or in a new one if it is busy")
    func started() async throws {
      let client = GameKitTests.client()
      let request = GKMatchRequest()
      request.recipients = [friend]
      _ = try await GKTurnBasedMatch.find(for: request)
      let busy = MusterError(.conflict, "A game is under way.")
      client.answers.withLock { $0.turns.startFailures = [busy] }
      let match = try await GKTurnBasedMatch.find(for: request)
      #expect(match.matchData == Data() && match.exchanges?.isEmpty == true)
      let starts = Self.asked(StartTurnGame.self, of: client)
      let group = ContextID(high: 8, low: 8)
      #expect(starts.map(\.context) == [FakeClient.context, FakeClient.context, group])
      #expect(starts.allSatisfy { $0.players == [FakeClient.me, FakeClient.friend] })
      #expect(Self.asked(CreateGroupContext.self, of: client).first?.players == [FakeClient.friend])
    }

    @Test("1.9 Whoever waits is put together, and takes part in the match that another has started")
    func automatched() async throws {
      let client = GameKitTests.client { answers in
        answers.ticketInfo.state = .matched
        answers.ticketInfo.context = FakeClient.context
      }
      let request = GKMatchRequest()
      request.playerGroup = 4
      _ = try await GKTurnBasedMatch.find(for: request)
      #expect(Self.asked(FindMatch.self, of: client).map(\.playerGroup) == ["turns-4"])
      #expect(Self.asked(AnswerTurnGame.self, of: client).isEmpty)
      client.answers.withLock { $0.turns.startFailures = [MusterError(.conflict, "It is there.")] }
      let match = try await GKTurnBasedMatch.find(for: request)
      #expect(match.matchData == Data([1, 2, 3, 4, 5, 6, 7, 8]))
      #expect(Self.asked(AnswerTurnGame.self, of: client).map(\.accept) == [true])
    }

    @Test("1.9 A rematch has the same players, and is the one that another has started")
    func rematch() async throws {
      let client = GameKitTests.client()
      let match = try await Self.load()
      _ = try await match.rematch()
      #expect(Self.asked(StartTurnGame.self, of: client).map(\.rematchOf) == [1])
      client.answers.withLock { answers in
        answers.turns.startFailures = [MusterError(.conflict, "It is there.")]
        answers.turns.view.info.number = 2
      }
      #expect(try await match.rematch().matchID == "\(FakeClient.context):2")
    }
  }
}
