import Foundation
import Locking
import MusterKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Leaderboards", .serialized)
  struct LeaderboardTests {
    static let entry = ScoreTests.entry

    func board(_ name: String) async throws -> GKLeaderboard {
      try #require(try await GKLeaderboard.loadLeaderboards(IDs: [name]).first)
    }

    @Test("4.3 Entries come with the local player's own and the total, as the board shows scores")
    func entries() async throws {
      let client = GameKitTests.client { answers in
        answers.boards.declared["laps"] = BoardAnswers.classic("laps", .hundredths)
        var first = Self.entry(1, FakeClient.friend, 6105)
        (first.date, first.scoreTag) = (1500, .max)
        answers.page.entries = [first, Self.entry(2, FakeClient.stranger, 7000)]
        answers.page.localEntry = Self.entry(7, FakeClient.me, 9000)
        answers.page.total = 12
      }
      let laps = try await board("laps")
      let range = NSRange(location: 1, length: 2)
      let (own, entries, total) = try await laps.loadEntries(
        for: .global, timeScope: .allTime, range: range)
      #expect(own?.rank == 7 && own?.player == GKLocalPlayer.local && total == 12)
      #expect(entries.map(\.score) == [6105, 7000])
      #expect(entries.map(\.formattedScore) == ["1:01.05", "1:10.00"])
      #expect(entries.map(\.player.displayName) == ["Friend", ""])
      #expect(entries[0].context == -1 && entries[0].date == Date(timeIntervalSince1970: 1.5))
      let asked = client.asked.compactMap { $0 as? TopScores }
      #expect(asked.map(\.start) == [1] && asked.map(\.count) == [2])
    }

    @Test("4.3 The handler gets what the async call returns, or the error alone")
    func handler() async throws {
      let client = GameKitTests.client { answers in
        answers.page.entries = [Self.entry(1, FakeClient.friend, 5)]
        answers.page.total = 3
      }
      let points = try await board("points")
      func load(_ range: NSRange) async -> ([Int]?, Int, GKError?) {
        await withCheckedContinuation { waiter in
          points.loadEntries(for: .friendsOnly, timeScope: .allTime, range: range) {
            own, entries, total, error in
            #expect(own == nil)
            waiter.resume(returning: (entries?.map(\.score), total, error as? GKError))
          }
        }
      }
      let loaded = await load(NSRange(location: 1, length: 10))
      #expect(loaded.0 == [5] && loaded.1 == 3 && loaded.2 == nil)
      #expect(client.asked.contains { $0 is FriendScores })
      let wrong = await load(NSRange(location: 0, length: 10))
      #expect(wrong.0 == nil && wrong.1 == 0 && wrong.2?.argument == "start")
    }

    @Test("4.3 Time scopes ask for windows, and an occurrence has none")
    func timeScopes() async throws {
      let client = GameKitTests.client { answers in
        answers.boards.declared["daily"] = BoardAnswers.recurring("daily", current: 4)
      }
      let scopes: [GKLeaderboard.TimeScope] = [.today, .week, .allTime]
      for name in ["points", "daily"] {
        let board = try await board(name)
        for scope in scopes {
          _ = try await board.loadEntries(
            for: .global, timeScope: scope, range: NSRange(location: 1, length: 5))
          _ = try await board.loadEntries(
            for: .friendsOnly, timeScope: scope, range: NSRange(location: 1, length: 5))
        }
      }
      let all: [ScoreTimeScope] = [.today, .week, .allTime, .allTime, .allTime, .allTime]
      #expect(client.asked.compactMap { ($0 as? TopScores)?.period.timeScope } == all)
      #expect(client.asked.compactMap { ($0 as? FriendScores)?.period.timeScope } == all)
    }

    @Test("4.3 A list of players is ranked by itself, on all pages")
    func listed() async throws {
      let ids = (10..<15).map { PlayerID(high: $0, low: 0) }
      let client = GameKitTests.client { answers in
        answers.boards.listed = ids.enumerated().map { place, id in
          Self.entry(UInt32(place) + 1, id, Int64(50 - place))
        }
      }
      let players = ids.map { GKPlayer($0, displayName: "") }
      let points = try await board("points")
      let (own, entries) = try await points.loadEntries(for: players, timeScope: .week)
      #expect(own == nil && entries.map(\.score) == [50, 49, 48, 47, 46])
      let asked = client.asked.compactMap { $0 as? TopScores }
      #expect(asked.map(\.start) == [1, 3, 5] && asked.allSatisfy { $0.players == ids })
      #expect(asked.allSatisfy { $0.period.timeScope == .week })
      let loaded: [Int]? = await withCheckedContinuation { waiter in
        points.loadEntries(for: players, timeScope: .allTime) { _, entries, _ in
          waiter.resume(returning: entries?.map(\.rank))
        }
      }
      #expect(loaded == [1, 2, 3, 4, 5])
    }

    @Test("4.1 One score goes to several boards in order, and nobody submits another's")
    func submit() async throws {
      let client = GameKitTests.client()
      try await GKLeaderboard.submitScore(
        -5, context: 7, player: GKLocalPlayer.local, leaderboardIDs: ["laps", "wins"])
      let submitted = client.asked.compactMap { $0 as? SubmitScore }
      #expect(submitted.map(\.board) == ["laps", "wins"] && submitted.map(\.value) == [-5, -5])
      #expect(submitted.map(\.scoreTag) == [7, 7])
      let other = GKPlayer(FakeClient.friend, displayName: "Friend")
      let error = await GameKitTests.failure { handler in
        GKLeaderboard.submitScore(
          1, context: 0, player: other, leaderboardIDs: ["laps"], completionHandler: handler)
      }
      #expect(error?.failure == .notAllowed && error?.argument == "player")
      let points = try await board("points")
      let none = await GameKitTests.failure { handler in
        points.submitScore(
          9, context: 0, player: GKLocalPlayer.local, completionHandler: handler)
      }
      #expect(none == nil)
      #expect(client.asked.compactMap { ($0 as? SubmitScore)?.value } == [-5, -5, 9])
    }

    @Test("4.2 Boards are loaded by name, those that do not exist are left out")
    func named() async throws {
      _ = GameKitTests.client { $0.boards.missing = ["none"] }
      let boards = try await GKLeaderboard.loadLeaderboards(IDs: ["wins", "none", "laps"])
      #expect(boards.map(\.baseLeaderboardID) == ["wins", "laps"])
      #expect(boards.map(\.title) == ["The wins", "The laps"])
      #expect(boards.map(\.type) == [.classic, .classic] && boards[0].startDate == nil)
      #expect(boards[0].duration == 0 && boards[0].nextStartDate == nil)
      let loaded = await GameKitTests.outcome { handler in
        GKLeaderboard.loadLeaderboards(IDs: ["laps"], completionHandler: handler)
      }
      #expect(loaded.value?.count == 1)
    }

    @Test("4.2 Without names all boards of the game are loaded, in no set either")
    func unnamed() async throws {
      _ = GameKitTests.client { answers in
        answers.allBoards = ["coins", "laps", "wins"]
        // A board that the player may not see is left out.
        answers.boards.missing = ["coins"]
      }
      let all = try await GKLeaderboard.loadLeaderboards(IDs: nil)
      #expect(all.map(\.identifier) == ["laps", "wins"])
      #expect(all.map(\.title) == ["The laps", "The wins"])
      let old = try await GKLeaderboard.loadLeaderboards()
      #expect(old.map(\.identifier) == ["laps", "wins"])
      let (names, titles) = try await GKLeaderboard.loadCategories()
      #expect(names == ["laps", "wins"] && titles == ["The laps", "The wins"])
    }

    @Test("7.2 What Muster does not keep is told as such: a default board, images")
    func notKept() async throws {
      _ = GameKitTests.client()
      let failure = await GameKitTests.failure { handler in
        GKLeaderboard.setDefaultLeaderboard("laps", withCompletionHandler: handler)
      }
      #expect(failure?.failure == .unknownOperation)
      let name = await GameKitTests.outcome { handler in
        GKLocalPlayer.local.loadDefaultLeaderboardIdentifier(completionHandler: handler)
      }
      #expect(name.value == nil && name.error?.failure == .unknownOperation)
      let image: Outcome<Data> = await GameKitTests.outcome { handler in
        GKLeaderboard().loadImage(completionHandler: handler)
      }
      #expect(image.value == nil && image.error?.argument == "image")
    }
  }
}
