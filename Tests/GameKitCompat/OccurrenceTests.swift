import Foundation
import Locking
import MusterKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Occurrences of boards", .serialized)
  struct OccurrenceTests {
    private func daily(current: Int64, kept: UInt32 = 0) async throws -> (FakeClient, GKLeaderboard)
    {
      let client = GameKitTests.client { answers in
        answers.boards.declared["daily"] = BoardAnswers.recurring(
          "daily", current: current, kept: kept)
      }
      let boards = try await GKLeaderboard.loadLeaderboards(IDs: ["daily"])
      return (client, try #require(boards.first))
    }

    private func advance(_ client: FakeClient, to current: Int64) {
      client.answers.withLock { answers in
        let kept = answers.boards.declared["daily"]?.definition.olderOccurrencesKept ?? 0
        answers.boards.declared["daily"] = BoardAnswers.recurring(
          "daily", current: current, kept: kept)
      }
    }

    private func backs(_ client: FakeClient) -> [UInt32] {
      client.asked.compactMap { ($0 as? TopScores)?.period.occurrencesBack }
    }

    @Test("4.2 An occurrence has its start, its length and the start of the next one")
    func dates() async throws {
      let (_, board) = try await daily(current: 2)
      #expect(board.type == .recurring)
      #expect(board.startDate == Date(timeIntervalSince1970: 1200) && board.duration == 60)
      #expect(board.nextStartDate == Date(timeIntervalSince1970: 1300))
    }

    @Test("4.2 The next start is counted as a clock in the board's zone shows it")
    func calendar() throws {
      var recurrence = Recurrence()
      (recurrence.unit, recurrence.zone) = (.months, "Europe/Lisbon")
      // 31 January 2026 at 12:00; Lisbon has summer time from 29 March on.
      (recurrence.start, recurrence.duration, recurrence.interval) = (1_769_860_800, 1, 1)
      let starts = (1...3).map { recurrence.occurrence($0).map { $0.start / 1000 } }
      #expect(starts == [1_772_280_000, 1_774_954_800, 1_777_546_800])
      (recurrence.unit, recurrence.interval) = (.weeks, 2)
      let fortnight = try #require(recurrence.occurrence(1))
      #expect(fortnight.start / 1000 == 1_769_860_800 + 14 * 86_400)
      recurrence.zone = "Nowhere/Atall"
      #expect(recurrence.occurrence(1) == nil)
    }

    @Test("4.3 A loaded occurrence stays the same when the next one begins")
    func pinned() async throws {
      let (client, board) = try await daily(current: 2, kept: 5)
      let range = NSRange(location: 1, length: 5)
      _ = try await board.loadEntries(for: .global, timeScope: .allTime, range: range)
      advance(client, to: 4)
      _ = try await board.loadEntries(for: .global, timeScope: .allTime, range: range)
      #expect(backs(client) == [0, 2])
      #expect(board.startDate == Date(timeIntervalSince1970: 1200))
      // A query of older games is about whichever is open.
      let query = GKLeaderboard()
      query.identifier = "daily"
      _ = try await query.loadScores()
      #expect(backs(client).last == 0 && query.startDate == Date(timeIntervalSince1970: 1400))
    }

    @Test("4.2 An occurrence that is over takes no score, which goes to no other one")
    func over() async throws {
      let (client, board) = try await daily(current: 2)
      try await board.submitScore(5, context: 0, player: GKLocalPlayer.local)
      advance(client, to: 3)
      let error = await GameKitTests.failure { handler in
        board.submitScore(6, context: 0, player: GKLocalPlayer.local, completionHandler: handler)
      }
      #expect(error?.failure == .notOpen)
      #expect(client.asked.compactMap { ($0 as? SubmitScore)?.value } == [5])
    }

    @Test("4.2 The previous occurrence is the last one with an entry, or else the one before")
    func previous() async throws {
      let (client, board) = try await daily(current: 9, kept: 2)
      client.answers.withLock { $0.boards.occurrencesWithEntry = [3, 4] }
      let played = try #require(try await board.loadPreviousOccurrence())
      #expect(played.startDate == Date(timeIntervalSince1970: 1600) && played.duration == 60)
      _ = try await played.loadEntries(
        for: .global, timeScope: .allTime, range: NSRange(location: 1, length: 5))
      #expect(backs(client) == [3])
      // The fourth one back is not kept any more.
      #expect(try await played.loadPreviousOccurrence() == nil)
      client.answers.withLock { $0.boards.occurrencesWithEntry = [] }
      let loaded = await GameKitTests.outcome { handler in
        board.loadPreviousOccurrence(completionHandler: handler)
      }
      #expect(loaded.value?.startDate == Date(timeIntervalSince1970: 1800))
    }

    @Test("4.2 A classic board and a first occurrence have no previous one")
    func first() async throws {
      let (_, board) = try await daily(current: 0)
      #expect(try await board.loadPreviousOccurrence() == nil)
      let classic = try await GKLeaderboard.loadLeaderboards(IDs: ["points"])
      #expect(try await classic[0].loadPreviousOccurrence() == nil)
    }
  }
}
